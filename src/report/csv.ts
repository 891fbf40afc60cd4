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
const lineBreak = /[\r\n]/;
const formulaStarts = "=+-@\t\r";
const looksLikeId = /^[A-Za-z0-9._/-]+$/;
const looksLikeNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * RFC 4180: the service's names on top, the cells as they came, null as an empty cell. Quotes and delimiters within a
 * cell are quoted here, because nearly every narration has some and the library takes four times as long for them; what
 * breaks lines, or would be taken for no line at all, goes through csv-stringify, which is loaded for the first of them.
 * Both write the same bytes.
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

async function linesOf(lines: readonly (readonly string[])[], form: CsvForm): Promise<string> {
  let text = "";
  for (const cells of lines) text += (plainLine(cells, form.delimiter) ?? (await hardLine(cells, form))) + form.lineEnd;
  return text;
}

/** A line of cells that stay on one line; undefined for any other. */
function plainLine(cells: readonly string[], delimiter: string): string | undefined {
  const line = cells.join(delimiter);
  if (line === "" || lineBreak.test(line)) return undefined;
  const isBare = !line.includes('"') && !cells.some((cell) => cell.includes(delimiter));
  return isBare ? line : cells.map((cell) => quoteCell(cell, delimiter)).join(delimiter);
}

function quoteCell(cell: string, delimiter: string): string {
  return cell.includes('"') || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

async function hardLine(cells: readonly string[], form: CsvForm): Promise<string> {
  const { quotedLine } = await import("./csv-quoting.ts");
  return quotedLine(cells, form);
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
