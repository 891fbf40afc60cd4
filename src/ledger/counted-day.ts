import { factsOf, identityOf } from "./row-facts.ts";
import type { FoundRow, LedgerAccount, LedgerChange } from "./ledger.ts";

/** A row without a value date, with the day that it counts for. */
export interface DaylessRow extends FoundRow {
  readonly day: string;
}

/**
 * Adds to each change the day that its row counts for: a row without a value date counts for the day of the row before
 * it.
 * @param daylessOf reads an account's rows without a value date
 */
export async function withCountedDays(
  changes: readonly Omit<LedgerChange, "countedDay">[],
  daylessOf: (account: LedgerAccount) => Promise<readonly DaylessRow[]>,
): Promise<readonly LedgerChange[]> {
  const known = new Map<number, ReadonlyMap<string, string>>();
  const counted: LedgerChange[] = [];
  for (const change of changes) {
    const { account, new: row } = change;
    const day = row === null ? null : factsOf(row, account.kind).day;
    if (row === null || day !== "") {
      counted.push({ ...change, countedDay: day });
      continue;
    }
    const { kind, number } = account;
    const days = known.get(number) ?? daysByRow(await daylessOf(account), account);
    known.set(number, days);
    counted.push({ ...change, countedDay: days.get(identityOf(row, kind)) ?? null });
  }
  return counted;
}

function daysByRow(rows: readonly DaylessRow[], { kind }: LedgerAccount): ReadonlyMap<string, string> {
  return new Map(rows.map(({ row, day }) => [identityOf(row, kind), day]));
}
