import { walletBalance } from "../../contract/wallets.ts";
import { groundsOf, unconfirmedBy } from "../../journal/grounds.ts";
import type { Evidence, Movement } from "../../journal/movement.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { payerOf, requestOf } from "../../journal/requests/movement-request.ts";
import { movementReport, reasonAlone } from "../../movements/movement-report.ts";
import type { Performed } from "../../movements/performed.ts";
import type { Waited } from "../../movements/waiting/waiting.ts";
import type { Findings, Report } from "../../report/report.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Session } from "../session.ts";
import { notSentWords } from "./checks/witness.ts";

/** The outcome of an order: one sentence for a person at a terminal, the movement for everything else. */
export async function outcomeReport(performed: Performed & Partial<Waited>, session: Session): Promise<Report> {
  const { movement, notes = [], ending } = performed;
  const notSent = notSentWords(performed, session.showsPerson);
  const report = movementReport(movement, notSent === undefined ? notes : [notSent, ...notes], ending);
  if (!session.showsPerson) return report;
  const sentence = await sentenceFor(performed, session);
  return {
    shape: "file",
    isProse: true,
    content: lines(sentence),
    findings: session.host.stderr.isTerminal ? () => reasonOf(report.findings?.(), movement) : report.findings,
    happened: report.happened,
  };
}

/** What the report found, without what the sentence says already. */
function reasonOf(findings: Findings | undefined, { kind }: Movement): Findings {
  const { notes = [], carried } = findings ?? {};
  return { notes, carried: carried === undefined ? undefined : reasonAlone(carried, kind) };
}

async function sentenceFor({ movement, sentNow }: Performed, session: Session): Promise<string> {
  const [{ outcomeSentence }, { seenWallets }] = await Promise.all([
    import("../../movements/outcome-sentence.ts"),
    import("../seen/wallets.ts"),
  ]);
  const seen = new Map((await seenWallets(session.host)).map((each) => [`${each.scope}\t${each.wallet}`, each]));
  return outcomeSentence(movement, {
    sentNow,
    grounds: await groundsIn(session, movement),
    wallet: (accountNo) => seen.get(`${movement.scope}\t${accountNo}`),
    balance: sentNow && movement.state === "accepted" ? await balanceOf(movement, session) : undefined,
  });
}

/** The evidence for an outcome; where the journal can't be read, what the movement itself says. */
async function groundsIn(session: Session, movement: Movement): Promise<Evidence | null> {
  const { id, evidence } = movement;
  if (unconfirmedBy(evidence) === undefined) return evidence;
  try {
    const journal = await session.journal("read");
    return groundsOf(movement, await journal.events(id));
  } catch {
    return evidence;
  }
}

/**
 * The current balance of the wallet that paid, where the service gives it in time. Failures are ignored: the money was
 * sent.
 */
async function balanceOf({ kind, request }: Movement, { service }: Session): Promise<Decimal | undefined> {
  const paysFromWallet = movementForms[kind].bookings.some(
    (booking) => "wallet" in booking && booking.side === "debit",
  );
  const accountNo = payerOf(kind, requestOf({ request }));
  if (!paysFromWallet || accountNo === undefined) return undefined;
  try {
    const balance = await service.look(walletBalance, { accountNo }, { what: "the balance" });
    return amountOf(balance["availableBalance"]) ?? undefined;
  } catch {
    return undefined;
  }
}

async function* lines(sentence: string): AsyncGenerator<string> {
  yield `${sentence}\n`;
}
