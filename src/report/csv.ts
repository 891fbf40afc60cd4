import { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { quote, visible } from "../values/text/text.ts";
import { textOf, valueIn } from "./cell.ts";
import type { ReportOptions } from "./options.ts";
import type { Renderer } from "./renderer.ts";
import type { CsvForm } from "./csv-quoting.ts";
import type { Row } from "./report.ts";

export interface CsvOptions extends Pick<ReportOptions, "delimiter" | "excel" | "header" | "raw"> {
  /** True where a terminal would execute the control characters of a cell. */
  readonly terminal: boolean;
}

const byteOrderMark = "\uFEFF";
const lineBreak = /[\r\n]/;
const numberCharacters = "0123456789+-.eE";
const looksLikeId = /^[A-Za-z0-9._/-]+$/;
const looksLikeNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * RFC 4180: the service's names in the header, cells as they came, null as an empty cell. Quotes and delimiters in a
 * cell are quoted here, because nearly every narration has some, and csv-stringify takes four times as long. Lines with
 * line breaks and empty lines go through csv-stringify, which is loaded for the first of them. Both write the same
 * bytes.
 */
export function csvRenderer(fields: readonly Field[], options: CsvOptions): Renderer {
  const form: CsvForm = { delimiter: options.delimiter, lineEnd: options.excel ? "\r\n" : "\n" };
  const show = options.terminal ? visible : (text: string) => text;
  const guard = options.raw ? (text: string) => text : guardText;
  const cells = fields.map((field): Cell => {
    const guarded = options.raw ? textOf : guardFor(field);
    return { name: field.name, text: options.terminal ? (value) => show(guarded(value)) : guarded };
  });
  const plainLine = plainLines(cells, form.delimiter);
  return {
    async head() {
      const mark = options.excel ? byteOrderMark : "";
      if (!options.header || fields.length === 0) return mark;
      const names = fields.map(({ name }): Cell => ({ name, text: () => show(guard(name)) }));
      return mark + (plainLines(names, form.delimiter)({}) ?? (await hardLine(names, {}, form))) + form.lineEnd;
    },
    async body(rows) {
      let text = "";
      for (const row of rows) text += (plainLine(row) ?? (await hardLine(cells, row, form))) + form.lineEnd;
      return text;
    },
    foot: () => "",
  };
}

/**
 * Reads `--delimiter`: one character, or `tab` (also `\t`).
 * @throws {Failure} usage
 */
export function parseDelimiter(text: string): string {
  if (text === "tab" || text === String.raw`\t`) return "\t";
  if (text.length === 1 && !/["\r\n\0\ud800-\udfff]/.test(text)) return text;
  throw new Failure("usage", `--delimiter ${quote(text)} isn't one character that can separate cells.`, {
    hint: "Write --delimiter ';' or --delimiter tab. Quotes and line ends have a meaning of their own in CSV.",
  });
}

/** A column: the name of its value in a row, and how to write it. */
interface Cell {
  readonly name: string;
  readonly text: (value: JsonValue | undefined) => string;
}

/**
 * Writes lines whose cells have no line breaks; undefined for other lines and empty ones. A million take a second or
 * two.
 */
function plainLines(cells: readonly Cell[], delimiter: string): (row: Row) => string | undefined {
  const special = new RegExp(`["\r\n\\u${delimiter.charCodeAt(0).toString(16).padStart(4, "0")}]`);
  const numbersAreBare = !numberCharacters.includes(delimiter);
  return (row) => {
    let line = "";
    let between = "";
    for (const { name, text } of cells) {
      const value = valueIn(row, name);
      line += between;
      between = delimiter;
      if (numbersAreBare && value instanceof Numeral) {
        line += value.text;
        continue;
      }
      const cell = text(value);
      if (!special.test(cell)) line += cell;
      else if (lineBreak.test(cell)) return undefined;
      else line += `"${cell.replaceAll('"', '""')}"`;
    }
    return line === "" ? undefined : line;
  };
}

async function hardLine(cells: readonly Cell[], row: Row, form: CsvForm): Promise<string> {
  const { quotedLine } = await import("./csv-quoting.ts");
  return quotedLine(
    cells.map(({ name, text }) => text(valueIn(row, name))),
    form,
  );
}

/**
 * A spreadsheet runs a cell that starts like a formula, so such text gets a leading `'`. Numbers stay as they came, and
 * so do amounts and counts that came as text, and ids: older ones start with `-`. Text in such a field that isn't a
 * valid number or id is guarded, too.
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

/** Spreadsheets also skip NUL and line feeds before a formula. */
function startsLikeFormula(text: string): boolean {
  let start = 0;
  while (isSkipped(text.charCodeAt(start))) start += 1;
  switch (text.charCodeAt(start)) {
    case 0x3d: // =
    case 0x2b: // +
    case 0x2d: // -
    case 0x40: // @
    case 0x09: // tab
    case 0x0d: // CR
      return true;
    default:
      return false;
  }
}

function isSkipped(code: number): boolean {
  return code === 0x00 || code === 0x0a;
}
