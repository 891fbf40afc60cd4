import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import type { Row } from "../report.ts";

/** A row as a line of text, and the line with the names of its values. Both without line ends. */
export interface EncodedRow {
  /** The same string while rows have the same names. */
  readonly names: string;
  readonly values: string;
}

/** No value starts like this. */
const namesMark = "=";
/** The first character of a value: text as it is, the digits of a number, or anything else as JSON. */
const marks = { text: "s", number: "n", json: "j" } as const;
const between = "\u001f";
/** Characters that can't be in a line unescaped: separators, and surrogates, as UTF-8 can't encode lone ones. */
const unheld = /[\u0000-\u001f\ud800-\udfff]/;

/**
 * Encodes rows as lines of text, from which `rowUnpacker` makes the same rows. No digit passes through a double, and
 * texts and numbers need no more than their characters.
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

/** Decodes lines into rows, starting with a line of names; undefined for a line of names. */
export function rowUnpacker(): (line: string) => JsonObject | undefined {
  let toRow = rowMaker([]);
  return (line) => {
    if (!line.startsWith(namesMark)) return toRow(line);
    toRow = rowMaker(JSON.parse(line.slice(namesMark.length)));
    return undefined;
  };
}

/** Filling an object that already has all names takes a third of the time of adding them. */
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

/** For JSON: texts get the prefix `s`, and numbers become texts with the prefix `n`. */
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
