import type { Ledger, LedgerAccount } from "../../ledger/ledger.ts";
import { factsOf } from "../../ledger/row-facts.ts";
import type { Period } from "../../values/time/period.ts";

/** Rows without a value date at the edges of a month, in whole lines: the service may show them in another month. */
export async function undatedLines(
  ledger: Ledger,
  accounts: readonly LedgerAccount[],
  { startDate, endDate }: Period,
): Promise<readonly string[]> {
  const before = startDate.addDays(-1);
  const stretches = [
    [before.firstOfMonth(), before],
    [startDate, endDate],
  ] as const;
  const lines = new Set<string>();
  for (const account of accounts)
    for (const [first, last] of stretches)
      for (const line of await linesBefore(ledger, account, first.toString(), last.toString())) lines.add(line);
  return [...lines];
}

/** Undated rows after the last dated row of a month. Only the last day with rows is read, not a long history. */
async function linesBefore(
  ledger: Ledger,
  account: LedgerAccount,
  startDay: string,
  endDay: string,
): Promise<readonly string[]> {
  const day = (await ledger.days(account, { startDay, endDay })).at(-1)?.day;
  if (day === undefined) return [];
  let lines: string[] = [];
  for await (const batch of ledger.rows(account, { startDay: day, endDay: day }))
    for (const { row } of batch) {
      const facts = factsOf(row, account.kind);
      if (facts.day !== "") lines = [];
      else
        lines.push(
          `${account.accountNo}: row ${facts.reference} has no value date, and counts for ${day} with the row before it. The service may show it in a later month.`,
        );
    }
  return lines;
}
