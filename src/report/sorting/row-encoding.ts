import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import type { Row } from "../report.ts";

/** A row as a line of text, and the line that says which names its values have. Both are without their ends. */
export interface EncodedRow {
  /** The same string as long as rows have the same names. */
  readonly names: string;
  readonly values: string;
}

/** No value starts like this. */
const namesMark = "=";
/** A text as it is, the digits of a number, and anything else as JSON: what the first character of a value says. */
const marks = { text: "s", number: "n", json: "j" } as const;
const between = "\u001f";
/**
 * Characters that can't be in a line unescaped: its own separators, and lone surrogates, for which UTF-8 has no bytes.
 */
const unheld = /[\u0000-\u001f\ud800-\udfff]/;

/**
 * Rows as lines of text that give the same rows back, for the time that they are set aside. No digit passes through a
 * double, and what every statement is full of (texts and numbers) takes no more than its characters.
 */
export function rowPacker(): (row: Row) => EncodedRow {
  let names: readonly string[] = [];
  let namesLine = namesLineOf(names);
  return (row) => {
    let values = "";
    let count = 0;
    let isSame = true;
    for (const name of Object.keys(row)) {
      const value = row[name];
      if (value === undefined) continue;
      isSame &&= names[count] === name;
      values += count === 0 ? pack(value) : between + pack(value);
      count += 1;
    }
    if (!isSame || count !== names.length) {
      names = Object.keys(row).filter((name) => row[name] !== undefined);
      namesLine = namesLineOf(names);
    }
    return { names: namesLine, values };
  };
}

function namesLineOf(names: readonly string[]): string {
  return namesMark + JSON.stringify(names);
}

/** The rows of lines, from the first line of names on; undefined for such a line. */
export function rowUnpacker(): (line: string) => JsonObject | undefined {
  let toRow = rowMaker([]);
  return (line) => {
    if (!line.startsWith(namesMark)) return toRow(line);
    toRow = rowMaker(JSON.parse(line.slice(namesMark.length)));
    return undefined;
  };
}

/** An object that has all names already is filled in a third of the time that adding them takes. */
function rowMaker(names: readonly string[]): (line: string) => JsonObject {
  const blank: JsonObject = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  if (names.includes("__proto__"))
    return (line) => {
      const values = line.split(between);
      return Object.fromEntries(names.map((name, at) => [name, unpack(values[at] ?? "")]));
    };
  return (line) => {
    const row = { ...blank };
    let start = 0;
    for (const name of names) {
      const found = line.indexOf(between, start);
      const end = found < 0 ? line.length : found;
      row[name] = unpack(line.slice(start, end));
      start = end + between.length;
    }
    return row;
  };
}

function pack(value: JsonValue): string {
  if (typeof value === "string" && !unheld.test(value)) return marks.text + value;
  if (value instanceof Numeral) return marks.number + value.text;
  return marks.json + JSON.stringify(packPart(value));
}

function unpack(packed: string): JsonValue {
  const rest = packed.slice(1);
  if (packed.startsWith(marks.text)) return rest;
  return packed.startsWith(marks.number) ? new Numeral(rest) : unpackPart(JSON.parse(rest));
}

/** For JSON: texts start with `s`, and numbers are texts that start with `n`. */
function packPart(value: JsonValue): unknown {
  if (typeof value === "string") return marks.text + value;
  if (value instanceof Numeral) return marks.number + value.text;
  if (Array.isArray(value)) return value.map(packPart);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, packPart(part)]))
    : value;
}

function unpackPart(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.startsWith(marks.number) ? new Numeral(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map(unpackPart);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unpackPart(part)]))
    : value;
}
