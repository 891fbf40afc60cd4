import { paidIdIn, parentReference } from "../contract/fee-row.ts";
import { Course } from "../evidence/course.ts";
import { tagIn } from "../evidence/references.ts";
import type { Ledger, LedgerAccount, LedgerRow } from "../ledger/ledger.ts";
import type { RowFacts } from "../ledger/row-facts.ts";
import { factsOf } from "../ledger/row-facts.ts";
import { looksLikeReference, namesIn } from "../ledger/terms/names.ts";
import { idTerm, termOf } from "../ledger/terms/term.ts";
import { folded } from "../values/text/folded.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { Day } from "../values/time/day.ts";
import { textIn } from "../statements/entry.ts";

/** The rows that a report is made of. */
export interface Scope {
  readonly accounts: readonly LedgerAccount[];
  /** `YYYY-MM-DD`, both included. */
  readonly startDay: string;
  readonly endDay: string;
  /** Rows as known at this time, in milliseconds since 1970 UTC; undefined for now. */
  readonly asOf: number | undefined;
}

/** A row of an account, and what it means. */
export interface BookedRow {
  /** Identifies the row in the ledger. */
  readonly number: number;
  readonly account: LedgerAccount;
  readonly row: JsonObject;
  readonly facts: RowFacts;
  /** Zero where the row has no amount. */
  readonly change: Decimal;
  /**
   * What ties it to other rows: its reference without a fee's suffix, the tag, the service's own id, and for a payout's
   * fee, the id of what was paid.
   */
  readonly ids: readonly string[];
}

/** How many days before and after a period are read for what belongs to its rows. */
const neighbouringDays = 7;

/** The scope with neighbouring days: these may have a transfer's other half, or what a fee was taken for. */
export function withNeighbours(scope: Scope): Scope {
  return {
    ...scope,
    startDay: shifted(scope.startDay, -neighbouringDays),
    endDay: shifted(scope.endDay, neighbouringDays),
  };
}

export function dayAfter(day: string): string {
  return shifted(day, 1);
}

function shifted(day: string, days: number): string {
  return Day.parse(day)?.towards(days).toString() ?? day;
}

/** The rows, account by account, oldest first. */
export async function* rowsOf(ledger: Ledger, { accounts, ...wanted }: Scope): AsyncGenerator<BookedRow> {
  for (const account of accounts)
    for await (const batch of ledger.rows(account, wanted)) for (const row of batch) yield bookedRow(row, account);
}

/** The rows of an account, of any day, that have one of these ids; the oldest first, with the day of their value date. */
export async function* rowsUnder(
  ledger: Ledger,
  account: LedgerAccount,
  ids: Iterable<string>,
  asOf: number | undefined,
): AsyncGenerator<BookedRow> {
  const sought = [...ids].map((id) => [idTerm(id)]);
  if (sought.length === 0) return;
  for await (const batch of ledger.rowsWith(account, sought, () => false))
    for (const { number, row, seenAt } of batch)
      if (asOf === undefined || seenAt <= asOf)
        yield bookedRow({ number, row, day: factsOf(row, account.kind).day }, account);
}

/** How many debits of the account before that day share one of the row's ids, and were not reversed before it. */
export async function earlierDebits(ledger: Ledger, { account, ids }: BookedRow, day: string): Promise<number> {
  const own = new Set(ids.map(folded));
  const sought = [...own].flatMap((id) => [[idTerm(id)], ...(looksLikeReference(id) ? [[termOf("word", id)]] : [])]);
  const course = new Course<BookedRow>(-1);
  for await (const batch of ledger.rowsWith(account, sought, () => false))
    for (const { number, row } of batch) {
      const earlier = bookedRow({ number, row, day: factsOf(row, account.kind).day }, account);
      const { facts, change } = earlier;
      if (facts.day >= day || facts.isFee) continue;
      const names = change.sign > 0 ? namesIn(facts.narration, [facts.reference]).filter(looksLikeReference) : [];
      if ([...earlier.ids.map(folded), ...names].some((id) => own.has(id))) course.add(earlier, change, facts.time);
    }
  return course.standing.length;
}

function bookedRow({ number, row, day }: Omit<LedgerRow, "seenAt">, account: LedgerAccount): BookedRow {
  const facts = { ...factsOf(row, account.kind), day };
  const { reference, feeOf, narration, change = Decimal.zero } = facts;
  const own = feeOf === "" ? parentReference(reference) : feeOf;
  const paidId = facts.isFee ? (paidIdIn(reference, narration) ?? "") : "";
  const ids = [own, tagIn({ narration }), textIn(row, "transactionId"), paidId].filter((id) => id !== "");
  return { number, account, row, facts, change, ids };
}
