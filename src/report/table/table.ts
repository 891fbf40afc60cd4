import type { Field } from "../../values/field.ts";
import { visible } from "../../values/text/text.ts";
import { valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Renderer } from "../renderer.ts";
import type { Row } from "../report.ts";
import { currencyOf, namesCurrency, shownText } from "./table-cell.ts";
import type { Column } from "./table-columns.ts";
import { drawLines, widen } from "./table-columns.ts";

export interface TableOptions {
  readonly header: boolean;
  readonly colour: boolean;
  /** The currency of amounts in rows without one. */
  readonly currency: string | undefined;
  /** Lines under the last row. */
  readonly footer: (() => readonly string[]) | undefined;
}

/** Room for 999,999,999.99: later rows seldom have wider amounts. */
const streamedAmountWidth = 14;

/**
 * A table for files and pipes: aligned columns without a frame, nothing cut or omitted. Foreseen rows decide the
 * widths; otherwise the first slice does, and a wider cell later widens its column from that slice on.
 */
export class TableRenderer implements Renderer {
  readonly #fields: readonly Field[];
  readonly #options: TableOptions;
  readonly #currencyIsShown: boolean;
  readonly #columns: readonly Column[];
  #foreseen = false;
  #isHeaded = false;

  constructor(fields: readonly Field[], options: TableOptions) {
    this.#fields = fields.filter((field) => field.machineOnly !== true);
    this.#options = options;
    this.#currencyIsShown = this.#fields.some(namesCurrency);
    this.#columns = this.#fields.map((field) => this.#columnFor(field));
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
    const top = this.#isHeaded ? "" : await this.#top();
    this.#isHeaded = true;
    return top + (await drawLines(this.#columns, lines));
  }

  foot(): string {
    if (!this.#isHeaded || this.#options.footer === undefined) return "";
    return this.#options
      .footer()
      .map((line) => `${visible(line)}\n`)
      .join("");
  }

  #columnFor(field: Field): Column {
    const { header, currency } = this.#options;
    const isNumber = field.kind === "amount" || field.kind === "count";
    const unit = field.kind === "amount" && currency !== undefined && !this.#currencyIsShown ? ` (${currency})` : "";
    return {
      align: isNumber ? "right" : "left",
      heading: header ? headingOf(field) + unit : "",
      room: field.kind === "amount" ? streamedAmountWidth : 0,
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
    await widen(this.#columns, [this.#columns.map((column) => column.heading), ...lines]);
  }

  async #top(): Promise<string> {
    if (!this.#options.header) return "";
    const line = await drawLines(this.#columns, [this.#columns.map((column) => column.heading)]);
    return this.#options.colour ? `\u001b[1m${line.trimEnd()}\u001b[22m\n` : line;
  }
}
