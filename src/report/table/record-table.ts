import type { Field } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { textOf, valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Row } from "../report.ts";
import { currencyOf, shownText, withName } from "./table-cell.ts";
import type { Column } from "./table-columns.ts";
import { drawLines, widen } from "./table-columns.ts";
import { pad, wrapText } from "../terminal/cut-text.ts";
import { timeText } from "../terminal/time-text.ts";
import { widthOf } from "../terminal/text-width.ts";

export interface RecordTableOptions {
  /** Names of accounts, by their numbers. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** The width of the terminal; undefined for unlimited lines. */
  readonly width?: number | undefined;
}

/**
 * A record for people: a line for each field, with its name and value. Amounts have their currency, and are aligned
 * right. Values are never cut.
 */
export async function recordTable(
  record: Row,
  fields: readonly Field[],
  currency: string | undefined,
  { names, width }: RecordTableOptions = {},
): Promise<string> {
  const said = currencyOf(record) ?? currency;
  const held = fields.filter((field) => field.machineOnly !== true && valueIn(record, field.name) !== undefined);
  const parts = held.flatMap((field) => partsOf(valueIn(record, field.name), field, headingOf(field)));
  const shown = parts.map(({ field }) => field);
  const values = parts.map(({ value, field }) =>
    withName(timeOr(shownText(value, field, said, said), field, width), textOf(value), field, names),
  );
  const amountWidth = Math.max(
    0,
    ...shown.map((field, at) => (field.kind === "amount" ? (values[at]?.length ?? 0) : 0)),
  );
  const lines = parts.map(({ field, heading }, at) => [
    heading,
    field.kind === "amount" ? (values[at] ?? "").padStart(amountWidth) : (values[at] ?? ""),
  ]);
  if (width !== undefined) return fittedLines(lines, width);
  const columns: Column[] = [leftColumn(), leftColumn()];
  await widen(columns, lines);
  return drawLines(columns, lines);
}

/** Only a terminal has a width: it shows a moment as its tables do. */
function timeOr(text: string, { kind }: Field, width: number | undefined): string {
  return kind === "time" && width !== undefined ? timeText(text, { to: "second", day: undefined }) : text;
}

/** Names and values on a terminal: a long value is wrapped in its column, or below its name. */
function fittedLines(lines: readonly (readonly string[])[], width: number): string {
  const nameWidth = Math.max(0, ...lines.map(([name = ""]) => widthOf(name)));
  const room = width - nameWidth - gap.length;
  const below = " ".repeat(nameWidth) + gap;
  return lines
    .flatMap(([name = "", value = ""]) => {
      const beside = widthOf(value) <= room ? [value] : wrapText(value, room);
      if (beside.every((line) => widthOf(line) <= room))
        return beside.map((line, at) => (at === 0 ? pad(name, nameWidth, "left") + gap : below) + line);
      return [name, ...wrapText(value.trim(), width - gap.length).map((line) => gap + line)];
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

const gap = "  ";

/** A line of the table. */
interface Part {
  readonly field: Field;
  readonly heading: string;
  readonly value: JsonValue | undefined;
}

/** Fields of an object get a line each, so that people don't have to read JSON. */
function partsOf(value: JsonValue | undefined, field: Field, heading: string): Part[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [{ field, heading, value }];
  return Object.entries(value).flatMap(([name, each]) => {
    const inner: Field = { name, kind: "text" };
    return partsOf(each, inner, `${heading} ${headingOf(inner)}`);
  });
}

function leftColumn(): Column {
  return { align: "left", heading: "", room: 0, natural: 0, width: 0 };
}
