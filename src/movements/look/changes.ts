import type { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import type { DecodedRow } from "./decoded-row.ts";

/** How a batch differs from the one before, by receiver, kind and currency. */
export interface Changes {
  /** The id of the batch before. */
  readonly id: string;
  /** Receivers that it did not have. */
  readonly added: readonly ReceiverSum[];
  /** Its receivers that are gone. */
  readonly gone: readonly ReceiverSum[];
  /** Receivers who get another sum, each with what it was. */
  readonly changed: readonly { readonly row: DecodedRow; readonly before: Decimal; readonly now: Decimal }[];
}

/** A receiver's first row, with the number and the sum of all. */
export interface ReceiverSum {
  readonly row: DecodedRow;
  readonly count: number;
  readonly amount: Decimal;
}

/** Compares what each receiver gets. */
export function changesSince(
  { id, rows: before }: { readonly id: string; readonly rows: readonly DecodedRow[] },
  now: readonly DecodedRow[],
): Changes {
  const [former, current] = [sumsOf(before), sumsOf(now)];
  return {
    id,
    added: [...current].flatMap(([key, sum]) => (former.has(key) ? [] : [sum])),
    gone: [...former].flatMap(([key, sum]) => (current.has(key) ? [] : [sum])),
    changed: [...current].flatMap(([key, { row, amount }]) => {
      const sum = former.get(key)?.amount;
      return sum === undefined || sum.equals(amount) ? [] : [{ row, before: sum, now: amount }];
    }),
  };
}

/** `5.00 before, 7.00 now`. */
export function wordsOfChange({ row, before, now }: Changes["changed"][number]): string {
  return `${formatMoney(before, row.currency)} before, ${formatMoney(now, row.currency)} now`;
}

function sumsOf(rows: readonly DecodedRow[]): ReadonlyMap<string, ReceiverSum> {
  const sums = new Map<string, ReceiverSum>();
  for (const row of rows) {
    const key = `${row.kind} ${row.receiver ?? row.from} ${row.currency ?? ""}`;
    const sum = sums.get(key);
    sums.set(key, {
      row: sum?.row ?? row,
      count: (sum?.count ?? 0) + 1,
      amount: sum?.amount.add(row.amount) ?? row.amount,
    });
  }
  return sums;
}
