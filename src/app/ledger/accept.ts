import { gapOf } from "../../ledger/gap.ts";
import type { Chain, LedgerAccount } from "../../ledger/ledger.ts";
import type { Acceptance } from "../../ledger/writer.ts";
import type { RecordReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { quote } from "../../values/text/text.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { Session } from "../session.ts";
import { keptScope } from "./kept-scope.ts";
import { withLedger, withLedgerWriter } from "./open.ts";

const fields = [
  { name: "account", kind: "id" },
  { name: "row", kind: "id" },
  { name: "gap", kind: "amount" },
  { name: "evidence", kind: "text" },
  { name: "by", kind: "text" },
  { name: "at", kind: "time" },
] as const satisfies readonly Field[];

export interface AcceptAsked {
  readonly accountNo: string;
  readonly reference: string;
  readonly evidence: string;
}

/**
 * Accepts a break as the service's own, on a person's word.
 * @throws {Failure} usage where nothing breaks there | setup | unavailable
 */
export async function acceptBreak(session: Session, asked: AcceptAsked): Promise<RecordReport> {
  const { accountNo, reference, evidence } = asked;
  const by = session.host.machine.userName;
  // Opening it for writing would create a missing ledger.
  const held = await withLedger(session, async (ledger) => ledger.accounts(await keptScope(session, ledger)));
  if (!held.some((known) => known.accountNo === accountNo)) throw nothingBreaks(asked, false);
  const gap = await withLedgerWriter(session, async (writer) => {
    const kept = await writer.accounts(await keptScope(session, writer));
    const accounts = kept.filter((known) => known.accountNo === accountNo);
    for (const account of accounts) {
      const found = acceptable(account, await writer.chain(account), reference);
      if (found === undefined) continue;
      await writer.accept({ ...found, evidence, by });
      return found.gap;
    }
    throw nothingBreaks(asked, accounts.length > 0);
  });
  return acceptReport(session, { accountNo, row: reference, gap, evidence, by });
}

interface Accepted extends Pick<AcceptAsked, "accountNo" | "evidence"> {
  /** Null for a closed account, as is the gap. */
  readonly row: string | null;
  readonly gap: Decimal | null;
  readonly by: string;
}

/** What was accepted, and when: now. */
export function acceptReport({ host, format }: Session, { accountNo, row, gap, evidence, by }: Accepted): RecordReport {
  const at = isoDarEsSalaam(host.clock.now());
  // A closure has no row: only programs get the empty field.
  const broken =
    row === null && format === "table" ? {} : { row, gap: gap === null ? null : new Numeral(gap.toString()) };
  return { shape: "record", columns: fields, record: { account: accountNo, ...broken, evidence, by, at } };
}

/** The first break at a row with that reference that is not accepted yet. */
function acceptable(
  account: LedgerAccount,
  { breaks, last, closing }: Chain,
  reference: string,
): Pick<Acceptance, "number" | "side" | "gap"> | undefined {
  const open = breaks.find((each) => each.reference === reference && each.accepted === null);
  if (open !== undefined) return { number: open.number, side: "before", gap: gapOf(open) };
  const { live, isReached } = account;
  if (last?.reference !== reference || isReached || live === null || closing === null) return undefined;
  return { number: last.number, side: "after", gap: live.subtract(closing) };
}

function nothingBreaks({ accountNo, reference }: AcceptAsked, isHeld: boolean): Failure {
  if (!isHeld) return notHeld(accountNo);
  return new Failure("usage", `No balance breaks at a row ${quote(reference)} of ${accountNo}.`, {
    hint: "partner ledger status names the row in breaksAt.",
  });
}

/** The ledger has no account of that number. */
export function notHeld(accountNo: string): Failure {
  return new Failure("usage", `The ledger does not hold ${accountNo}.`, {
    hint: `Run: partner ledger sync ${accountNo}`,
  });
}
