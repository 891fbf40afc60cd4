import type { SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import { accountEntryFields } from "../../contract/accounts.ts";
import { walletEntryFields } from "../../contract/wallets.ts";
import { textOf } from "../../report/cell.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import type { StatementData } from "./format.ts";

/** Rows that are turned into columns at a time, in memory. */
const groupRows = 20_000;
/** The digits that fit into eight bytes, and the most that a reader of Parquet must support. */
const usualPrecision = 18;
const maxPrecision = 38;
const wideBytes = 16;
/** Digits after the point of every amount, where none has more. */
const usualScale = 2;

/** How all amounts of a file are written, in digits. */
interface AmountForm {
  readonly scale: number;
  readonly precision: number;
}

/**
 * A statement as a Parquet file for data tools: a column for each documented field by the service's own name, amounts
 * as DECIMAL to the last digit, everything else as the text that came.
 * @throws {Failure} mismatch: an amount that has more digits than the format allows, or isn't a number
 */
export async function* encodeParquet(statement: StatementData): AsyncGenerator<Uint8Array> {
  const fields: readonly Field[] = statement.accountKind === "wallet" ? walletEntryFields : accountEntryFields;
  const form = await amountForm(statement, fields);
  const out = new ByteWriter();
  const schema = [{ name: "statement", num_children: fields.length }, ...fields.map((field) => columnOf(field, form))];
  const writer = new ParquetWriter({ writer: out, schema, createdBy: "partner" });
  let rows: JsonObject[] = [];
  const write = async () => {
    const columnData = fields.map((field) => ({ name: field.name, data: rows.map((row) => cellOf(row, field, form)) }));
    await writer.write({ columnData, rowGroupSize: groupRows });
    rows = [];
  };
  for await (const batch of statement.rawRows()) {
    rows.push(...batch);
    if (rows.length < groupRows) continue;
    await write();
    yield taken(out);
  }
  if (rows.length > 0) await write();
  await writer.finish();
  yield taken(out);
}

function columnOf({ name, kind }: Field, { scale, precision }: AmountForm): SchemaElement {
  if (kind !== "amount") return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" };
  const decimal = { name, converted_type: "DECIMAL", scale, precision, repetition_type: "OPTIONAL" } as const;
  if (precision === usualPrecision) return { ...decimal, type: "INT64" };
  return { ...decimal, type: "FIXED_LEN_BYTE_ARRAY", type_length: wideBytes };
}

/** Amounts are whole units of the column's scale, so that none is ever a double. */
function cellOf(row: JsonObject, { name, kind }: Field, { scale }: AmountForm): bigint | string | null {
  const value = row[name];
  if (kind === "amount") return units(value, scale);
  return value === undefined || value === null ? null : textOf(value);
}

function units(value: JsonValue | undefined, scale: number): bigint | null {
  const amount = amountOf(value);
  return amount ? BigInt(amount.padded(scale).replace(".", "")) : null;
}

async function amountForm(statement: StatementData, fields: readonly Field[]): Promise<AmountForm> {
  const amounts = fields.filter(({ kind }) => kind === "amount");
  let scale = usualScale;
  let wholeDigits = 0;
  for await (const rows of statement.rawRows())
    for (const row of rows)
      for (const { name } of amounts) {
        const amount = amountOf(row[name]);
        if (amount === undefined) throw noAmount(name, row[name]);
        if (amount === null) continue;
        scale = Math.max(scale, amount.scale);
        wholeDigits = Math.max(wholeDigits, digitsBeforePoint(amount));
      }
  const digits = scale + wholeDigits;
  if (digits > maxPrecision) throw tooLong(digits);
  return { scale, precision: digits > usualPrecision ? maxPrecision : usualPrecision };
}

function digitsBeforePoint(amount: Decimal): number {
  const [whole = ""] = amount.abs().toString().split(".");
  return whole.length;
}

function taken(out: ByteWriter): Uint8Array {
  const bytes = Uint8Array.from(out.getBytes());
  // The writer counts its position in the file separately from that in the buffer, which starts over.
  out.index = 0;
  return bytes;
}

function noAmount(name: string, value: JsonValue | undefined): Failure {
  return new Failure(
    "mismatch",
    `No parquet file can be made of this statement: ${name} ${textOf(value)} isn't a number.`,
    {
      hint: "Use --output csv, which shows the rows as the service sent them.",
    },
  );
}

function tooLong(digits: number): Failure {
  return new Failure("mismatch", `The amounts have ${digits} digits, and parquet takes ${maxPrecision}.`, {
    hint: "Use --output csv.",
  });
}
