import type { Field } from "../../values/field.ts";
import { visible } from "../../values/text/text.ts";
import { valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Renderer } from "../renderer.ts";
import type { Row } from "../report.ts";
import { currencyOf, namesCurrency, shownText } from "./table-cell.ts";
import type { Column } from "./table-columns.ts";
import { drawLines, fit, ruleUnder, stay, widen } from "./table-columns.ts";

export interface TableOptions {
  readonly header: boolean;
  readonly colour: boolean;
  /** The currency of amounts whose row names none. */
  readonly currency: string | undefined;
  readonly terminal: boolean;
  /** Characters that a line of the terminal holds; undefined where nothing is to be cut. */
  readonly width: number | undefined;
  /** Lines under the last row. */
  readonly footer: (() => readonly string[]) | undefined;
}

/** Room for 999,999,999.99: rows that come later seldom have wider amounts than that. */
const streamedAmountWidth = 14;

/**
 * Aligned columns without a frame. Rows that are foreseen decide the widths; otherwise the first slice does, and a
 * later cell that is wider widens its column from that slice on. Where that leaves columns out, the headings of those
 * that stay are written again.
 */
export class TableRenderer implements Renderer {
  readonly #fields: readonly Field[];
  readonly #options: TableOptions;
  readonly #currencyIsShown: boolean;
  readonly #columns: readonly Column[];
  #foreseen = false;
  /** Columns that stood in the last line of headings. */
  #headed: number | undefined;

  constructor(fields: readonly Field[], options: TableOptions) {
    this.#fields = fields.filter((field) => field.machineOnly !== true);
    this.#options = options;
    this.#currencyIsShown = this.#fields.some(namesCurrency);
    this.#columns = this.#fields.map((field, place) => this.#columnFor(field, place));
  }

  async foresee(rows: readonly Row[]): Promise<void> {
    this.#foreseen = true;
    for (const column of this.#columns) column.room = 0;
    await this.#measure(rows.map((row) => this.#cells(row)));
  }

  head(): string {
    return "";
  }

  async body(rows: readonly Row[]): Promise<string> {
    const lines = rows.map((row) => this.#cells(row));
    if (!this.#foreseen) await this.#measure(lines);
    const shown = this.#columns.filter((column) => !column.leftOut).length;
    const top = this.#headed === shown ? "" : await this.#top();
    this.#headed = shown;
    return top + (await drawLines(this.#columns, lines));
  }

  foot(): string {
    if (this.#headed === undefined || this.#options.footer === undefined) return "";
    return this.#options
      .footer()
      .map((line) => `${visible(line)}\n`)
      .join("");
  }

  notes(): readonly string[] {
    const count = this.#columns.filter((column) => column.leftOut).length;
    if (count === 0) return [];
    const are = count === 1 ? "1 column is" : `${count} columns are`;
    return [`${are} left out; --columns or a wider terminal shows ${count === 1 ? "it" : "them"}.`];
  }

  #columnFor(field: Field, place: number): Column {
    const { header, currency } = this.#options;
    const isNumber = field.kind === "amount" || field.kind === "count";
    const unit = field.kind === "amount" && currency !== undefined && !this.#currencyIsShown ? ` (${currency})` : "";
    return {
      align: isNumber ? "right" : "left",
      mayCut: field.kind === "text" && this.#options.width !== undefined,
      stay: stayOf(field, place),
      heading: header ? headingOf(field) + unit : "",
      room: field.kind === "amount" ? streamedAmountWidth : 0,
      leftOut: false,
      natural: 0,
      width: 0,
    };
  }

  #cells(row: Row): string[] {
    const own = currencyOf(row);
    const suffix = this.#currencyIsShown || own === this.#options.currency ? undefined : own;
    const currency = own ?? this.#options.currency;
    return this.#fields.map((field) => shownText(valueIn(row, field.name), field, currency, suffix));
  }

  async #measure(lines: readonly (readonly string[])[]): Promise<void> {
    const headings = this.#columns.map((column) => column.heading);
    await widen(this.#columns, [headings, ...lines]);
    if (this.#options.width !== undefined) await fit(this.#columns, this.#options.width);
  }

  async #top(): Promise<string> {
    if (!this.#options.header) return "";
    const line = await drawLines(this.#columns, [this.#columns.map((column) => column.heading)]);
    const shown = this.#options.colour ? `\u001b[1m${line.trimEnd()}\u001b[22m\n` : line;
    return this.#options.terminal ? shown + ruleUnder(this.#columns, this.#options.width) : shown;
  }
}

/**
 * The first column says what a row is: nothing else makes sense without it, but for amounts where it yields to them.
 */
function stayOf(field: Field, place: number): number {
  if (field.whole === true) return stay.always;
  if (field.yields === true) return stay.yielding;
  if (place === 0) return stay.always;
  if (field.kind === "amount") return stay.amount;
  return namesCurrency(field) ? stay.currency : stay.usual;
}
