import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { jsonVisible } from "../values/text/text.ts";
import { valueIn } from "./cell.ts";
import type { FieldsByName } from "./columns.ts";
import type { Renderer } from "./renderer.ts";
import type { Row } from "./report.ts";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Text without characters that JSON escapes or that are invisible. */
const plainText = /^[ !#-[\]-~]*$/;

/** Which fields the JSON has: all of the row's where `wanted` is undefined. `documented` says which are amounts. */
export interface JsonFields {
  readonly documented: FieldsByName;
  readonly wanted: readonly Field[] | undefined;
}

/** One array with every row, indented by two; with a frame, one object that ends in that array. */
export function jsonRenderer(fields: JsonFields, frame?: Row): Renderer {
  const indent = frame === undefined ? "" : "  ";
  const write = objectWriter(fields, `\n${indent}  `);
  let written = false;
  return {
    head: () => (frame === undefined ? "[" : `${headOf(frame)}\n  "rows": [`),
    body(rows) {
      let text = "";
      for (const row of rows) {
        text += `${written ? "," : ""}\n${indent}  ${write(row)}`;
        written = true;
      }
      return text;
    },
    foot: () => (written ? `\n${indent}]` : "]") + (frame === undefined ? "\n" : "\n}\n"),
  };
}

/** An object left open, with a comma after its last field. */
function headOf(frame: Row): string {
  const text = objectWriter({ documented: new Map(), wanted: undefined }, "\n")(frame);
  return text === "{}" ? "{" : `${text.slice(0, -"\n}".length)},`;
}

/** One object per line. */
export function ndjsonRenderer(fields: JsonFields): Renderer {
  const write = objectWriter(fields, "");
  return {
    head: () => "",
    body(rows) {
      let text = "";
      for (const row of rows) text += `${write(row)}\n`;
      return text;
    },
    foot: () => "",
  };
}

/** A record as one object: indented by two, or on one line. */
export function jsonRecord(record: Row, fields: JsonFields, shape: "indented" | "one line"): string {
  return `${objectWriter(fields, shape === "indented" ? "\n" : "")(record)}\n`;
}

/**
 * Writes one row as an object: fields in the order of the row or the request, numbers with their own digits.
 * `lineStart` is a line end with the object's indentation; empty for one line. JSON.stringify would take several times
 * as long, since it needs a callback for every number.
 */
function objectWriter({ documented, wanted }: JsonFields, lineStart: string): (row: Row) => string {
  const names = wanted?.map((field) => field.name);
  const inner = lineStart === "" ? "" : `${lineStart}  `;
  const colon = lineStart === "" ? ":" : ": ";
  /** The members of the last row: the next row mostly has the same. */
  const members: Member[] = [];
  const memberAt = (at: number, name: string): Member => {
    const last = members[at];
    if (last?.name === name) return last;
    const opening = `${at === 0 ? "{" : ","}${inner}${stringText(name)}${colon}`;
    return (members[at] = { name, opening, isAmount: documented.get(name)?.kind === "amount" });
  };
  return (row) => {
    let text = "";
    let at = 0;
    for (const name of names ?? Object.keys(row)) {
      const value = valueIn(row, name);
      if (value === undefined) continue;
      const { opening, isAmount } = memberAt(at, name);
      text += opening + valueText(isAmount ? amountValue(value) : value, inner);
      at += 1;
    }
    return text === "" ? "{}" : `${text}${lineStart}}`;
  };
}

/** What values with the same name and position have in common. */
interface Member {
  readonly name: string;
  /** The text before the value: a brace or a comma, and the name. */
  readonly opening: string;
  readonly isAmount: boolean;
}

function valueText(value: JsonValue, lineStart: string): string {
  if (typeof value === "string") return stringText(value);
  if (value instanceof Numeral) return value.text;
  if (lineStart === "") return jsonVisible(JSON.stringify(value));
  return jsonVisible(JSON.stringify(value, null, 2).replaceAll("\n", lineStart));
}

function stringText(text: string): string {
  return plainText.test(text) ? `"${text}"` : jsonVisible(JSON.stringify(text));
}

/**
 * Not in the specification: some amounts come as text. Digits become a number with the same digits, empty text becomes
 * null.
 */
function amountValue(value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  if (value === "") return null;
  return jsonNumber.test(value) ? new Numeral(value) : value;
}
