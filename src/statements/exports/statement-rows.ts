import type { Rows } from "../../contract/endpoint.ts";
import type { Renderer } from "../../report/renderer.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { EntryShape } from "../entry.ts";
import { entryOf } from "../entry.ts";
import type { ReadRow } from "./packed-rows.ts";
import { PackedRows } from "./packed-rows.ts";

/** A copy of a text: the original may keep the megabyte that it was cut from in memory. */
function copied(text: string): string {
  const units = twoByteUnit.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, units).toString(units);
}

/** A character that does not fit into one byte. */
const twoByteUnit = /[^\u0000-\u00ff]/;

/** The rows of a statement with the lines that they have in a file. */
export async function statementRows(rows: Rows, shape: EntryShape, renderer: Renderer): Promise<readonly ReadRow[]> {
  const read: ReadRow[] = [];
  const packed = new PackedRows();
  let at = "";
  for await (const batch of rows) {
    for (const row of batch) {
      const { reference, valueDate, credit, debit, balance } = entryOf(row, shape);
      // An invalid amount is in no sum; a missing one counts as zero.
      const isValid = credit !== undefined && debit !== undefined;
      const change = isValid ? (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero) : undefined;
      const day = dayOfTimestamp(valueDate) ?? "";
      const line = await renderer.body([row]);
      if (valueDate !== at) at = copied(valueDate);
      read.push(packed.addRead({ day, at, reference, line, balance: balance ?? undefined, change }));
    }
  }
  return read;
}
