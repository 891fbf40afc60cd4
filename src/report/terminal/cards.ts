import { roleOf } from "../../values/field.ts";
import { cutText, pad, wrapText } from "./cut-text.ts";
import { gap, textMinWidth } from "./layout.ts";
import type { Drawn, ShownRows } from "./shown-rows.ts";
import { widthOf } from "./text-width.ts";

const indent = "  ";

/**
 * A small card for each row, for terminals too narrow for a line: when, what, who, the state, and each amount on a line
 * of its own. Details are omitted.
 */
export async function cardsOf(sheet: ShownRows, lineWidth: number): Promise<readonly string[]> {
  const columns = cardColumns(sheet, lineWidth - indent.length);
  const money = columns.filter(isMoney);
  const others = columns.filter((column) => !isMoney(column));
  const inOrder = [
    ...others.filter(({ field }) => roleOf(field) === "when"),
    ...others.filter(({ field }) => roleOf(field) !== "when"),
  ];
  const cards: string[] = [];
  for (const at of sheet.rows.keys()) {
    const lines = [...(await textLines(inOrder, at, lineWidth)), ...moneyLines(money, at, lineWidth - indent.length)];
    const [first = "", ...others] = lines.map((line) => line.trimEnd());
    cards.push([first, ...others.map((line) => indent + line)].map((line) => `${line}\n`).join(""));
  }
  return cards;
}

function isMoney({ field }: Drawn): boolean {
  return roleOf(field) === "money";
}

/** Accounts are shortened where they don't fit otherwise. */
function cardColumns(sheet: ShownRows, room: number): readonly Drawn[] {
  const form = { details: 0, shortTimes: true, withUnits: true, signed: true, accounts: "whole" } as const;
  const columns = sheet.columns(form);
  const isWide = columns.some(({ field, natural }) => field.shortens === "account" && natural > room);
  return isWide ? sheet.columns({ ...form, accounts: "both ends" }) : columns;
}

/** The cells one after the other, as many on a line as fit. */
async function textLines(columns: readonly Drawn[], at: number, lineWidth: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { field, cells } of columns) {
    const cell = cells[at] ?? "";
    if (cell === "") continue;
    const room = lineWidth - indent.length;
    const last = lines.at(-1);
    const joined = last === undefined ? cell : last + gap + cell;
    const width = lines.length === 1 ? lineWidth : room;
    if (last !== undefined && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else if (field.whole === true) lines.push(...wrapText(cell, room));
    else lines.push(field.kind === "text" ? await cutText(cell, Math.max(textMinWidth, room)) : cell);
  }
  return lines;
}

/**
 * `balance 4,500,000.00`: the amounts of a card below each other, with the name above where both don't fit on a line.
 */
function moneyLines(columns: readonly Drawn[], at: number, room: number): readonly string[] {
  const filled = columns.filter(({ cells }) => (cells[at] ?? "") !== "");
  const names = Math.max(0, ...filled.map(({ heading }) => widthOf(heading)));
  const amounts = Math.max(0, ...filled.map(({ cells }) => widthOf(cells[at] ?? "")));
  return filled.flatMap(({ heading, cells }) => {
    const cell = cells[at] ?? "";
    const line = (names === 0 ? "" : pad(heading, names, "left") + gap) + pad(cell, amounts, "right");
    return widthOf(line) <= room ? [line] : [heading, cell].filter((text) => text !== "");
  });
}
