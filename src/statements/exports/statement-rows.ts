import type { Rows } from "../../contract/endpoint.ts";
import type { Renderer } from "../../report/renderer.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { EntryShape } from "../entry.ts";
import { entryOf } from "../entry.ts";
import type { ReadRow } from "./matched-rows.ts";

/** The rows of a statement with the lines that they have in a file. */
export async function statementRows(rows: Rows, shape: EntryShape, renderer: Renderer): Promise<readonly ReadRow[]> {
  const read: ReadRow[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      const { reference, valueDate, credit, debit, balance } = entryOf(row, shape);
      // What isn't a valid amount counts in no sum; none is nothing.
      const isTold = credit !== undefined && debit !== undefined;
      read.push({
        day: dayOfTimestamp(valueDate) ?? "",
        at: valueDate,
        reference,
        line: await renderer.body([row]),
        balance: balance ?? undefined,
        change: isTold ? (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero) : undefined,
      });
    }
  }
  return read;
}
