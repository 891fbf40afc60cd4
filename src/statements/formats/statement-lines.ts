import type { Rows } from "../../contract/endpoint.ts";
import type { Files, Spool } from "../../host/files/files.ts";
import { isFeeRow } from "../../contract/fee-row.ts";
import { EncodedRows } from "../../report/sorting/encoded-rows.ts";
import { discardAll, rowsOf, spillRows } from "../../report/sorting/spill.ts";
import type { Rules } from "../../rules/rule.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { Entry, EntryShape } from "../entry.ts";
import { entryOf, textIn } from "../entry.ts";
import type { StatementLine } from "./format.ts";

/** Rows that are reversed in memory at a time. */
const windowMaxRows = 50_000;
/** Rows in a reversed batch. */
const sliceRows = 500;

/** Recognizes the halves of transfers between wallets of one profile. */
export type OwnTransfers = (entry: Entry, narration: string) => boolean;

/** Facts about rows beyond their own fields. */
export interface LineContext {
  readonly accountNo: string;
  readonly isOwnTransfer?: OwnTransfers | undefined;
  /** Rules that assign rows to accounts, and say which are fees. */
  readonly rules?: Rules | undefined;
}

export interface RowsOrder {
  readonly newestFirst: boolean;
  readonly files: Pick<Files, "spool">;
}

/** The rows of a statement as lines, oldest first. */
export async function* linesOf(
  rows: Rows,
  shape: EntryShape,
  { known, ...order }: RowsOrder & { readonly known: LineContext },
): AsyncGenerator<readonly StatementLine[]> {
  let number = 0;
  for await (const batch of oldestFirst(rows, order)) yield batch.map((row) => lineOf(row, shape, ++number, known));
}

/**
 * The rows of a statement as they came, oldest first. Rows that came newest first are spilled in windows, and the
 * windows are read back last to first: memory stays bounded, and time grows no faster than the statement.
 */
export function oldestFirst(rows: Rows, { newestFirst, files }: RowsOrder): AsyncIterable<readonly JsonObject[]> {
  return newestFirst ? reversed(rows, files) : rows;
}

async function* reversed(rows: Rows, files: Pick<Files, "spool">): AsyncGenerator<readonly JsonObject[]> {
  const windows: Spool[] = [];
  const last = new EncodedRows();
  try {
    for await (const batch of rows) {
      for (const row of batch) last.add(row);
      if (last.count < windowMaxRows) continue;
      windows.push(await spillRows(last, backwards(last.count), files));
      last.clear();
    }
    yield* slicesOf(last);
    for (const window of windows.toReversed()) yield* rowsOf(window);
  } finally {
    await discardAll(windows);
  }
}

function* slicesOf(rows: EncodedRows): Generator<readonly JsonObject[]> {
  const places = backwards(rows.count);
  for (let at = 0; at < places.length; at += sliceRows) yield rows.rows(places.slice(at, at + sliceRows));
}

function backwards(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => count - 1 - index);
}

function lineOf(row: JsonObject, shape: EntryShape, number: number, known: LineContext): StatementLine {
  const entry = entryOf(row, shape);
  const { reference, credit, debit, balance, valueDate } = entry;
  const { accountNo: account, isOwnTransfer, rules } = known;
  const [narration, sender] = [textIn(row, "narration"), textIn(row, "senderAccountName")];
  const amount = (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
  const ruled = { in: "statement", account, amount, narration, reference, counterparty: sender } as const;
  const says = rules?.ruleFor(ruled)?.says;
  const isFee = isFeeRow({ reference, narration }) || says?.fee === true;
  return {
    row: number,
    reference,
    day: dayOfTimestamp(valueDate) ?? "",
    timestamp: valueDate,
    narration,
    sender,
    credit: credit ?? Decimal.zero,
    debit: debit ?? Decimal.zero,
    balance: balance ?? undefined,
    paymentReference: textIn(row, "paymentReference"),
    senderAccount: textIn(row, "senderAccountNo"),
    senderBank: textIn(row, "senderBankIdentifier"),
    isFee,
    isOwnTransfer: !isFee && isOwnTransfer?.(entry, narration) === true,
    account: says?.account,
    raw: row,
  };
}
