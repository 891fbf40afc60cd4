import { visible } from "../../values/text/text.ts";
import type { Field } from "../../values/field.ts";
import type { Renderer } from "../renderer.ts";
import type { Row } from "../report.ts";
import { textOf, valueIn } from "../cell.ts";
import { namesCurrency } from "../table/table-cell.ts";
import { cardsOf } from "./cards.ts";
import { pad } from "./cut-text.ts";
import type { RowLayout } from "./layout.ts";
import { gap, layOut } from "./layout.ts";
import { narrowRows } from "./narrow-rows.ts";
import { belowIndent, rowText } from "./row-text.ts";
import { wrapProse } from "./prose.ts";
import type { ShownRowsOptions } from "./shown-rows.ts";
import { ShownRows } from "./shown-rows.ts";

export interface TerminalTableOptions extends ShownRowsOptions {
  readonly colour: boolean;
  /** Columns of the terminal; undefined where it doesn't say. */
  readonly width: number | undefined;
  /** Lines under the last row. */
  readonly footer: ((width?: number) => readonly string[]) | undefined;
  /** True to show them even without rows. */
  readonly hasFooterWhenEmpty?: boolean | undefined;
}

const usualColumns = 80;
/** On a terminal narrower than this, each row is a card. */
const tableMinWidth = 60;
/** For rows that don't fit otherwise. */
const closer = { mayCutAccounts: true };

/**
 * Rows in a layout that fits the terminal. Each slice decides its layout; where it differs from the last one, the
 * headings are repeated.
 */
export class TerminalTable implements Renderer {
  readonly #fields: readonly Field[];
  readonly #options: TerminalTableOptions;
  #top = "";
  #count = 0;
  #leftOut = 0;

  constructor(fields: readonly Field[], options: TerminalTableOptions) {
    this.#fields = fields.filter((field) => field.machineOnly !== true);
    this.#options = options;
  }

  head(): string {
    return "";
  }

  async body(rows: readonly Row[]): Promise<string> {
    const { width = usualColumns } = this.#options;
    const sheet = new ShownRows(this.#fields, rows, this.#options);
    const layout = width < tableMinWidth ? undefined : layOut(sheet, width);
    const apart = layout === undefined && width >= tableMinWidth ? await this.#apart(rows, width) : undefined;
    const isFirst = this.#count === 0;
    this.#count += rows.length;
    if (apart !== undefined) return (isFirst ? "" : "\n") + apart;
    if (layout === undefined) {
      this.#leftOut = Math.max(this.#leftOut, sheet.details);
      return (isFirst ? "" : "\n") + (await cardsOf(sheet, width)).join("\n");
    }
    this.#leftOut = Math.max(this.#leftOut, layout.leftOut);
    let text = this.#headings(layout);
    for (const at of rows.keys()) text += await rowText(layout, at, width);
    return text;
  }

  /**
   * Draws rows of which a few would turn all into cards: cards for these and a table of the others, or a table for each
   * currency.
   */
  async #apart(rows: readonly Row[], width: number): Promise<string | undefined> {
    const fit = (some: readonly Row[]) => layOut(new ShownRows(this.#fields, some, this.#options), width, closer);
    const narrow = narrowRows(this.#fields, rows, (some) => fit(some) !== undefined);
    const isClean = narrow !== undefined && fit(rows.filter((row) => narrow.has(row)))?.below.length === 0;
    if (isClean) return this.#beside(rows, narrow, width);
    const currency = this.#fields.find(namesCurrency);
    const groups =
      currency === undefined ? [] : [...Map.groupBy(rows, (row) => textOf(valueIn(row, currency.name))).values()];
    if (groups.length < 2 || groups.every((group) => fit(group) === undefined))
      return narrow && this.#beside(rows, narrow, width);
    const texts: string[] = [];
    for (const group of groups) {
      this.#top = "";
      const isWhole = fit(group) !== undefined;
      const own = isWhole ? new Set(group) : narrowRows(this.#fields, group, (some) => fit(some) !== undefined);
      texts.push(await this.#beside(group, own ?? new Set(), width));
    }
    return texts.join("\n");
  }

  /** Narrow rows as a table, and a card in place of each other row. */
  async #beside(rows: readonly Row[], narrow: ReadonlySet<Row>, width: number): Promise<string> {
    const sheetOf = (isNarrow: boolean) =>
      new ShownRows(
        this.#fields,
        rows.filter((row) => narrow.has(row) === isNarrow),
        this.#options,
      );
    const [beside, others] = [sheetOf(true), sheetOf(false)];
    const layout: RowLayout = layOut(beside, width, closer) ?? { line: [], below: [], leftOut: 0 };
    this.#leftOut = Math.max(this.#leftOut, layout.leftOut, others.rows.length > 0 ? others.details : 0);
    const cards = [...(await cardsOf(others, width))];
    let [text, at, isAfterCard] = ["", 0, false];
    for (const row of rows) {
      const isNarrow = narrow.has(row);
      if ((!isNarrow || isAfterCard) && text !== "") text += "\n";
      if (isNarrow) text += `${this.#headings(layout)}${await rowText(layout, at++, width)}`;
      else {
        text += cards.shift() ?? "";
        this.#top = "";
      }
      isAfterCard = !isNarrow;
    }
    return text;
  }

  foot(): string {
    const { footer, hasFooterWhenEmpty = false, width = usualColumns } = this.#options;
    if (footer === undefined || (this.#count === 0 && !hasFooterWhenEmpty)) return "";
    return footer(width)
      .map((line) => `${wrapProse(visible(line), width)}\n`)
      .join("");
  }

  notes(): readonly string[] {
    if (this.#leftOut === 0) return [];
    const are = this.#leftOut === 1 ? "1 column is" : `${this.#leftOut} columns are`;
    return [`${are} left out; --columns or a wider terminal shows ${this.#leftOut === 1 ? "it" : "them"}.`];
  }

  /** The line of headings and the rule below it; empty where they are the same as before. */
  #headings({ line, below }: RowLayout): string {
    const { header, colour } = this.#options;
    if (!header) return "";
    const headings = line
      .map(({ heading, width, align }) => pad(heading, width, align))
      .join(gap)
      .trimEnd();
    const rule = line.map(({ width }) => "─".repeat(width)).join(gap);
    const [lower, ...others] = below;
    const isNamed = lower !== undefined && lower.heading !== "" && others.length === 0;
    const under = !isNamed ? "" : `${belowIndent}${lower.heading}\n`;
    const top = `${colour ? `\u001b[1m${headings}\u001b[22m` : headings}\n${under}${rule}\n`;
    if (top === this.#top) return "";
    this.#top = top;
    return top;
  }
}
