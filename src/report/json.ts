import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { jsonVisible } from "../values/text/text.ts";
import { valueIn } from "./cell.ts";
import type { FieldsByName } from "./columns.ts";
import type { Renderer } from "./renderer.ts";
import type { Row } from "./report.ts";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Nothing in it that JSON escapes, and nothing that cannot be seen. */
const plainText = /^[ !#-[\]-~]*$/;

/** Which fields the JSON has: all that came where `wanted` is undefined. `documented` says which are amounts. */
export interface JsonFields {
  readonly documented: FieldsByName;
  readonly wanted: readonly Field[] | undefined;
}

/** One array with every row in it, indented by two; with a frame, one object that ends in that array. */
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

/** An object that is left open, with a comma after the last of its fields. */
function headOf(frame: Row): string {
  const text = objectWriter({ documented: new Map(), wanted: undefined }, "\n")(frame);
  return text === "{}" ? "{" : `${text.slice(0, -"\n}".length)},`;
}

/** One object a line. */
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

/** One thing as an object of its own: indented by two, or on one line. */
export function jsonRecord(record: Row, fields: JsonFields, shape: "indented" | "one line"): string {
  return `${objectWriter(fields, shape === "indented" ? "\n" : "")(record)}\n`;
}

/**
 * Writes one row as an object: fields in the order of the row or the request, numbers with their own digits.
 * `lineStart` is a line end with the object's indentation; without one, all is on one line. JSON.stringify takes
 * several times as long, since it needs a callback for every number's digits.
 */
function objectWriter({ documented, wanted }: JsonFields, lineStart: string): (row: Row) => string {
  const names = wanted?.map((field) => field.name);
  const inner = lineStart === "" ? "" : `${lineStart}  `;
  const colon = lineStart === "" ? ":" : ": ";
  /** The members of the last row, which are mostly those of the next. */
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

/** What all values under a name at a place have in common. */
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

/** Spec is silent: some amounts come as text. Digits become a number of the same digits, nothing becomes null. */
function amountValue(value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  if (value === "") return null;
  return jsonNumber.test(value) ? new Numeral(value) : value;
}
