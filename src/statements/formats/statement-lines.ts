import type { Rows } from "../../contract/endpoint.ts";
import { isFeeReference } from "../../contract/fee-row.ts";
import { Decimal } from "../../values/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { dayOfTimestamp } from "../../values/wall-time.ts";
import type { EntryShape } from "../entry.ts";
import { entryOf, textIn } from "../entry.ts";
import type { StatementLine } from "./format.ts";

/** Rows that are held while they are turned round. */
const windowMaxRows = 50_000;
/** Rows that become lines in one go. */
const sliceRows = 500;

/**
 * The rows of a statement as lines, oldest first. Rows that came newest first are read again and again, each time a
 * window further from the end, so that memory stays bounded without a second copy on the disk.
 */
export async function* linesOf(
  rows: Rows,
  shape: EntryShape,
  order: { readonly newestFirst: boolean; readonly count: number },
): AsyncGenerator<readonly StatementLine[]> {
  let number = 0;
  for await (const batch of order.newestFirst ? turnedRound(rows, order.count) : rows)
    yield batch.map((row) => lineOf(row, shape, ++number));
}

async function* turnedRound(rows: Rows, count: number): AsyncGenerator<readonly JsonObject[]> {
  for (let end = count; end > 0; end -= windowMaxRows) {
    const window = (await rowsBetween(rows, Math.max(0, end - windowMaxRows), end)).toReversed();
    for (let at = 0; at < window.length; at += sliceRows) yield window.slice(at, at + sliceRows);
  }
}

async function rowsBetween(rows: Rows, start: number, end: number): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let passed = 0;
  for await (const batch of rows) {
    if (passed + batch.length > start)
      found.push(...batch.slice(Math.max(0, start - passed), Math.max(0, end - passed)));
    passed += batch.length;
    if (passed >= end) break;
  }
  return found;
}

function lineOf(row: JsonObject, shape: EntryShape, number: number): StatementLine {
  const { reference, credit, debit, balance, valueDate } = entryOf(row, shape);
  return {
    row: number,
    reference,
    day: dayOfTimestamp(valueDate) ?? "",
    timestamp: valueDate,
    narration: textIn(row, "narration"),
    sender: textIn(row, "senderAccountName"),
    credit: credit ?? Decimal.zero,
    debit: debit ?? Decimal.zero,
    balance: balance ?? undefined,
    isFee: isFeeReference(reference),
    raw: row,
  };
}
