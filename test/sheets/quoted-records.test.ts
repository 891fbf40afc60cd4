import { CsvError, parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quotedRecords } from "../../src/sheets/quoted-records.ts";
import { Failure } from "../../src/values/failure.ts";

const parts = fc.constantFrom('"', '""', '","', '"\n', ",", ";", "\n", "\r\n", "\r", "a", "é", "👍", " ", "\ufeff");
const texts = fc.array(parts, { maxLength: 30 }).map((all) => all.join(""));
const words: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "is never closed",
  CSV_INVALID_CLOSING_QUOTE: "continues after its closing quote",
  INVALID_OPENING_QUOTE: "that is not quoted",
};

/** The cells, or what is wrong with them. */
function read(text: string, delimiter: string): readonly (readonly string[])[] | string {
  try {
    return quotedRecords({ text, line: 1, quoted: true }, delimiter, "sheet.csv").map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return Object.values(words).find((part) => error.message.includes(part)) ?? error.message;
  }
}

function readByAnother(text: string, delimiter: string): readonly (readonly string[])[] | string {
  try {
    return parse(text, { delimiter, record_delimiter: ["\r\n", "\n"], relax_column_count: true, bom: false });
  } catch (error) {
    if (error instanceof CsvError) return words[error.code] ?? error.code;
    throw error;
  }
}

test("accepts and refuses the same records as another reader of RFC 4180", () => {
  const property = fc.property(texts, fc.constantFrom(",", ";"), (text, delimiter) => {
    expect(read(text, delimiter)).toEqual(readByAnother(text, delimiter));
  });
  fc.assert(property, { numRuns: 3000 });
});

test("a cell of nothing but quotes is read as half as many", () => {
  expect(read(`"${'""'.repeat(500_000)}"\n`, ",")).toEqual([['"'.repeat(500_000)]]);
});
