import { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { quote, visible } from "../values/text.ts";
import { textOf, valueIn } from "./cell.ts";
import type { ReportOptions } from "./options.ts";
import type { Renderer } from "./renderer.ts";
import type { Row } from "./report.ts";

/** How lines and cells are told apart. */
export interface CsvForm {
  readonly delimiter: string;
  readonly lineEnd: "\n" | "\r\n";
}

export interface CsvOptions extends Pick<ReportOptions, "delimiter" | "excel" | "header" | "raw"> {
  /** True where a terminal would obey the control characters of a cell. */
  readonly terminal: boolean;
}

const byteOrderMark = "\uFEFF";
const mayNeedQuotes = /["\r\n]/;
const formulaStarts = "=+-@\t\r";
const looksLikeId = /^[A-Za-z0-9._/-]+$/;
const looksLikeNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * RFC 4180: the service's names on top, the cells as they came, null as an empty cell. A line without anything to quote
 * is joined here; every other line goes through csv-stringify, which is loaded for the first of them. Both write the
 * same bytes, the first way three times as fast.
 */
export function csvRenderer(fields: readonly Field[], options: CsvOptions): Renderer {
  const form: CsvForm = { delimiter: options.delimiter, lineEnd: options.excel ? "\r\n" : "\n" };
  const show = options.terminal ? visible : (text: string) => text;
  const guard = options.raw ? (text: string) => text : guardText;
  const cells = fields.map((field) => {
    const guarded = options.raw ? textOf : guardFor(field);
    return (row: Row) => show(guarded(valueIn(row, field.name)));
  });
  return {
    async head() {
      const mark = options.excel ? byteOrderMark : "";
      if (!options.header || fields.length === 0) return mark;
      return mark + (await linesOf([fields.map((field) => show(guard(field.name)))], form));
    },
    body: (rows) =>
      linesOf(
        rows.map((row) => cells.map((cell) => cell(row))),
        form,
      ),
    foot: () => "",
  };
}

/**
 * What `--delimiter` means: one character, or `tab` (also `\t`).
 * @throws {Failure} usage
 */
export function parseDelimiter(text: string): string {
  if (text === "tab" || text === String.raw`\t`) return "\t";
  if (text.length === 1 && !/["\r\n\0\ud800-\udfff]/.test(text)) return text;
  throw new Failure("usage", `--delimiter ${quote(text)} is not one character that can stand between cells.`, {
    hint: "Write --delimiter ';' or --delimiter tab. Quotes and line ends have a meaning of their own in CSV.",
  });
}

/** Neighbouring lines that need quotes go through the library together. */
async function linesOf(lines: readonly (readonly string[])[], form: CsvForm): Promise<string> {
  const joined = lines.map((cells) => cells.join(form.delimiter));
  const quotes = joined.map((line, index) => needsQuotes(line, lines[index] ?? [], form.delimiter));
  if (!quotes.includes(true)) return joined.join(form.lineEnd) + form.lineEnd;
  const { quotedLines } = await import("./csv-quoting.ts");
  let text = "";
  for (let start = 0, end = 0; start < lines.length; start = end) {
    const quoted = quotes[start];
    while (end < lines.length && quotes[end] === quoted) end++;
    text +=
      quoted === true
        ? quotedLines(lines.slice(start, end), form)
        : joined.slice(start, end).join(form.lineEnd) + form.lineEnd;
  }
  return text;
}

function needsQuotes(line: string, cells: readonly string[], delimiter: string): boolean {
  return line === "" || mayNeedQuotes.test(line) || cells.some((cell) => cell.includes(delimiter));
}

/**
 * A spreadsheet runs a cell that starts like a formula, so text gets a leading `'`. What is no text stays as it came:
 * numbers, amounts and counts that came as text, and ids, of which older ones start with `-`. A text that stands in
 * their place and is none of that is guarded, too.
 */
function guardFor(field: Field): (value: JsonValue | undefined) => string {
  const harmless = field.kind === "id" ? looksLikeId : isNumber(field) ? looksLikeNumber : undefined;
  return (value) => {
    const text = textOf(value);
    if (!startsLikeFormula(text) || value instanceof Numeral || harmless?.test(text) === true) return text;
    return `'${text}`;
  };
}

function isNumber(field: Field): boolean {
  return field.kind === "amount" || field.kind === "count";
}

function guardText(text: string): string {
  return startsLikeFormula(text) ? `'${text}` : text;
}

function startsLikeFormula(text: string): boolean {
  return text !== "" && formulaStarts.includes(text.charAt(0));
}
