import type { MoneyTools } from "../../../movements/perform.ts";
import { checkDefaultDays, SecondWitness } from "../../../movements/guards/second-witness.ts";
import type { Journal, SeenRow, Settlement } from "../../../journal/journal.ts";
import type { MoneyOrder } from "../../../movements/order.ts";
import type { Performed } from "../../../movements/performed.ts";
import type { Witness } from "../../../movements/guards/witness.ts";
import { rowsUnder } from "../../../movements/guards/witness.ts";
import { encodeRequest } from "../../../contract/request.ts";
import { Failure } from "../../../values/failure.ts";
import { withoutEnding } from "../../../values/text/text-end.ts";
import type { Session } from "../../session.ts";
import type { CheckFlags } from "./check-flags.ts";

/** With the second witness, which a command may ask before it sends. */
export type WitnessedTools = MoneyTools & { readonly witness: SecondWitness };

/**
 * The statements of the session's account as a witness, asked as the flags say, else as the profile says.
 * @throws {Failure} usage | setup | unavailable
 */
export async function openWitness(session: Session, flags: CheckFlags): Promise<SecondWitness> {
  const { checkStatement, checkDays = checkDefaultDays, again, reference } = flags;
  const { statementCheck = "unsure" } = await session.account();
  const sources = {
    service: session.service,
    journal: await session.journal("write"),
    scope: await session.accountScope(),
    clock: session.clockWatch.watch(),
  };
  return new SecondWitness(sources, {
    check: checkStatement ?? statementCheck,
    days: checkDays,
    again: again === true,
    nowMs: () => session.host.clock.now(),
    isMade: (made) => "reference" in flags && made !== reference,
  });
}

/** What the witness said about one order before a person was asked. */
export interface EarlyTestimony {
  readonly paid: Settlement | undefined;
  /** What a person should know before saying yes. */
  readonly warnings: readonly string[];
  /** Repeats that when the order is claimed. */
  readonly witness: Witness;
}

/**
 * Asks the witness about one order. Reasons not to send it are left to a person where one can be asked.
 * @throws {Failure} usage | unavailable | setup | interrupted
 */
export async function askWitness(
  order: MoneyOrder,
  { asks }: { readonly asks: boolean },
  { witness, journal, scope }: WitnessedTools,
): Promise<EarlyTestimony> {
  const seen = await seenOf(order, journal, scope);
  if (!asks) return testimonyOf(await witness.findPayment(order, seen), []);
  const { paid, doubts } = await witness.testify(order, seen);
  return testimonyOf(paid, paid === undefined ? doubts.map(doubtWords) : []);
}

/**
 * What the witness would say in a real run, as warnings.
 * @throws {Failure} setup | interrupted
 */
export async function witnessWarnings(
  order: MoneyOrder,
  flags: CheckFlags,
  journal: Journal,
  session: Session,
): Promise<string[]> {
  const witness = await openWitness(session, flags);
  try {
    const { paid, doubts } = await witness.testify(order, await seenOf(order, journal, await session.accountScope()));
    return paid === undefined ? doubts.map(doubtWords) : [`${paid.note}. It would not be sent.`];
  } catch (error) {
    if (error instanceof Failure && error.ending === "unavailable") return [error.message];
    throw error;
  }
}

/** Rows that carried its reference, and that no order explains. */
async function seenOf(order: MoneyOrder, journal: Journal, scope: string): Promise<SeenRow[]> {
  const { kind, reference, endpoint, input } = order;
  const around = await journal.lookAround({ scope, kind, reference }, encodeRequest(endpoint, input).body ?? "{}");
  return rowsUnder(reference, around.seen);
}

function doubtWords(doubt: string): string {
  return `The statement shows ${doubt}.`;
}

/** For an order that was made before, the witness is not asked: it is not sent. */
export const unasked: EarlyTestimony = testimonyOf(undefined, []);

function testimonyOf(paid: Settlement | undefined, warnings: readonly string[]): EarlyTestimony {
  const witness = { findPayment: () => Promise.resolve(paid), prepare: () => Promise.resolve() };
  return { paid, warnings, witness };
}

/**
 * Why nothing was sent, in words; undefined where something was.
 * @param isTold true where a sentence above says that nothing was sent
 */
export function notSentWords({ movement, sentNow, wasPaid = false }: Performed, isTold: boolean): string | undefined {
  if (sentNow) return undefined;
  if (wasPaid) return `It was paid before. ${withoutEnding(movement.note ?? "", ".")}. Nothing was sent now.`;
  const history = `Its history: partner journal show ${movement.id}`;
  if (isTold) return history;
  return `This reference was ordered before (${movement.state}); nothing was sent now. ${history}`;
}
