import { roleOf } from "../../values/field.ts";
import type { Drawn, Form, ShownRows } from "./shown-rows.ts";
import { widthOf } from "./text-width.ts";

/** A column on the line of its row. */
export interface PlacedColumn extends Drawn {
  readonly width: number;
}

/** The layout of rows on a terminal: columns on the row's line, and columns below it. */
export interface RowLayout {
  readonly line: readonly PlacedColumn[];
  readonly below: readonly Drawn[];
  /** How many details are omitted. */
  readonly leftOut: number;
}

export interface LayoutOptions {
  /** True if accounts may be cut to their last digits before columns move below their row. */
  readonly mayCutAccounts?: boolean | undefined;
}

export const gap = "  ";
/** The smallest width of a text that is cut, `…` included. */
export const textMinWidth = 12;
/** The smallest width of a text that is wrapped. */
const wholeMinWidth = 30;
/** On a terminal up to this width, credit and debit are one signed amount from the start. */
const compactMaxWidth = 80;

/**
 * The first layout that fits: details are omitted first, then the currency's column, then credit and debit become one
 * amount, accounts are shortened, texts are cut, and finally columns move below their row, but never the first one.
 * Undefined where not even that one and the amounts fit side by side.
 */
export function layOut(
  sheet: ShownRows,
  lineWidth: number,
  { mayCutAccounts = false }: LayoutOptions = {},
): RowLayout | undefined {
  const isCompact = lineWidth <= compactMaxWidth;
  let last: RowLayout = { line: [], below: [], leftOut: 0 };
  for (const form of formsOf(sheet.details, isCompact, mayCutAccounts)) {
    const line = sheet.columns(form).map((column) => ({ ...column, width: column.natural }));
    last = { line, below: [], leftOut: sheet.details - form.details };
    if (lengthOf(line) <= lineWidth) return last;
  }
  const wrapped = cut(last, lineWidth) ?? wrap(last, lineWidth);
  return wrapped === undefined || wrapped.below.length === 0 ? wrapped : withIds(wrapped, sheet, isCompact);
}

/** Where a row has a line below it anyway, omitted ids are added to that. */
function withIds({ line, below, leftOut }: RowLayout, sheet: ShownRows, isCompact: boolean): RowLayout {
  const [full] = formsOf(sheet.details, isCompact, false);
  const dropped = full === undefined ? [] : sheet.columns(full).filter((column) => sheet.isDetail(column.field));
  const ids = dropped.filter(({ field }) => field.shortens === "id");
  return { line, below: [...below, ...ids], leftOut: leftOut - ids.length };
}

/** Forms that need less and less room, widest first. */
function* formsOf(details: number, isCompact: boolean, mayCutAccounts: boolean): Generator<Form> {
  const form: Form = {
    details,
    shortTimes: isCompact,
    withUnits: false,
    signed: isCompact,
    accounts: "whole",
  };
  yield form;
  for (let left = details; left >= 0; left--) yield { ...form, shortTimes: true, details: left };
  const bare = { ...form, shortTimes: true, details: 0, withUnits: true };
  yield bare;
  yield { ...bare, signed: true };
  yield { ...bare, signed: true, accounts: "both ends" };
  if (mayCutAccounts) yield { ...bare, signed: true, accounts: "end" };
}

/** Cuts texts, the widest first; undefined where that isn't enough. */
function cut(layout: RowLayout, lineWidth: number): RowLayout | undefined {
  const line = layout.line.map((column) => ({ ...column, width: column.natural }));
  const texts = line.filter(({ field }) => field.kind === "text" || field.whole === true);
  const floors = new Map(texts.map((column) => [column, floorOf(column, column === line.at(-1))]));
  for (let excess = lengthOf(line) - lineWidth; excess > 0; excess--) {
    const spare = texts.filter((column) => column.width > (floors.get(column) ?? 0));
    const widest = spare.reduce<(typeof line)[number] | undefined>(
      (a, b) => (a && a.width >= b.width ? a : b),
      undefined,
    );
    if (widest === undefined) return undefined;
    widest.width--;
  }
  return { ...layout, line };
}

/** Moves columns below the row, from the right, until the others fit. */
function wrap(layout: RowLayout, lineWidth: number): RowLayout | undefined {
  let { line, below } = layout;
  for (;;) {
    const going =
      line.findLast((column, at) => at > 0 && mayWrap(column)) ?? line.findLast(saysWhen) ?? line.findLast(saysState);
    if (going === undefined || line.length === 1) return undefined;
    line = line.filter((column) => column !== going);
    below = [going, ...below];
    const fitting = cut({ ...layout, line, below }, lineWidth);
    if (fitting !== undefined) return fitting;
  }
}

/** Words of a wrapped text are never broken; in the last column, a longer word may stick out. */
function floorOf({ field, natural, heading, cells }: Drawn, isLast: boolean): number {
  if (field.whole !== true) return Math.min(natural, Math.max(textMinWidth, widthOf(heading)));
  if (isLast) return Math.min(natural, wholeMinWidth);
  const words = cells.flatMap((cell) => cell.split(" "));
  return Math.min(
    natural,
    words.reduce((widest, word) => Math.max(widest, widthOf(word)), wholeMinWidth),
  );
}

function mayWrap({ field }: Drawn): boolean {
  const role = roleOf(field);
  return role === "what" || role === "who" || role === "detail";
}

/** A time that isn't in the first column may move below like a detail. */
function saysWhen({ field }: Drawn, at: number): boolean {
  return at > 0 && roleOf(field) === "when";
}

/** A state may move below the row, but only after what and who. */
function saysState({ field }: Drawn, at: number): boolean {
  return at > 0 && roleOf(field) === "state";
}

function lengthOf(line: readonly PlacedColumn[]): number {
  return line.reduce((sum, { width }) => sum + width, gap.length * (line.length - 1));
}
