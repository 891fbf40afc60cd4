import type { Rows } from "../../contract/endpoint.ts";
import type { LedgerAccount } from "../ledger.ts";
import { textHash } from "../merge/alignment.ts";
import { identityOf } from "../row-facts.ts";
import { RowOrder } from "./row-order.ts";

/** What a first pass over a piece's rows finds; indexes count from the oldest row. */
export interface PieceSurvey {
  readonly isNewestFirst: boolean;
  /** A hash of what makes each row the one it is. */
  readonly hashes: readonly number[];
  /** The indexes of rows without a value date. */
  readonly undated: readonly number[];
  /** The days asked for, and beyond them where a row's value date lies beyond. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Surveys rows as the service gives them, in either order. */
export async function surveyOf(
  rows: Rows,
  account: LedgerAccount,
  { startDay, endDay }: { readonly startDay: string; readonly endDay: string },
): Promise<PieceSurvey> {
  const order = new RowOrder(account.kind);
  const hashes: number[] = [];
  const undated: number[] = [];
  let [firstDay, lastDay] = [startDay, endDay];
  for await (const batch of rows)
    for (const row of batch) {
      const { day } = order.look(row);
      if (day !== "" && day < firstDay) firstDay = day;
      if (day > lastDay) lastDay = day;
      if (day === "") undated.push(hashes.length);
      hashes.push(textHash(identityOf(row, account.kind)));
    }
  const isNewestFirst = order.isNewestFirst ?? account.isNewestFirst;
  const found = { isNewestFirst, firstDay, lastDay };
  if (!isNewestFirst) return { ...found, hashes, undated };
  return { ...found, hashes: hashes.toReversed(), undated: undated.map((index) => hashes.length - 1 - index) };
}
