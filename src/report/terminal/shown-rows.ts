import type { Field } from "../../values/field.ts";
import { roleOf } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { visible } from "../../values/text/text.ts";
import { textOf, valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Row } from "../report.ts";
import { namesCurrency, shownText, withName } from "../table/table-cell.ts";
import { signedText } from "./money-text.ts";
import { accountEnds, shortAccounts, shortIds } from "./short-names.ts";
import { widthOf } from "./text-width.ts";
import { areAllOfDay, timeText } from "./time-text.ts";

/** Only a number is followed by its currency. */
const isFigure = /\d$/;

/** Ways to save room. */
export interface Form {
  /** How many details are shown, from the left. */
  readonly details: number;
  /** Times without seconds, or days without times. */
  readonly shortTimes: boolean;
  /** The currency is in the heading or after each amount, not in a column of its own. */
  readonly withUnits: boolean;
  /** Credit and debit as one signed amount. */
  readonly signed: boolean;
  readonly accounts: "whole" | "both ends" | "end";
}

/** A column as drawn on a terminal; control characters in cells are made visible. */
export interface Drawn {
  readonly field: Field;
  readonly heading: string;
  readonly cells: readonly string[];
  readonly align: "left" | "right";
  /** The width of the widest cell or the heading, in terminal columns. */
  readonly natural: number;
}

export interface ShownRowsOptions {
  readonly header: boolean;
  /** The currency of amounts in rows without one. */
  readonly currency: string | undefined;
  /** `YYYY-MM-DD`: times of this day are shown without it. */
  readonly today?: string | undefined;
  /** Names of accounts, by their numbers. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** True where the user chose the columns: then none of them is a detail. */
  readonly chosen: boolean;
  /** Ids and account numbers are not shortened. */
  readonly whole: boolean;
}

/** Rows that are shown together. It draws their columns in any form. */
export class ShownRows {
  readonly rows: readonly Row[];
  readonly details: number;
  readonly #fields: readonly Field[];
  readonly #options: ShownRowsOptions;
  readonly #currencyField: Field | undefined;
  readonly #accounts: Readonly<Record<Form["accounts"], ReadonlyMap<string, string>>>;
  readonly #made = new Map<string, Drawn>();

  constructor(fields: readonly Field[], rows: readonly Row[], options: ShownRowsOptions) {
    this.rows = rows;
    this.#fields = options.chosen ? fields : fields.filter((field) => mustShow(field) || isUsed(field, rows));
    this.#options = options;
    this.#currencyField = this.#fields.some(({ kind }) => kind === "amount")
      ? this.#fields.find(namesCurrency)
      : undefined;
    this.details = this.#fields.filter((field) => this.isDetail(field)).length;
    const named = this.#fields.filter(({ shortens }) => shortens === "account" && !options.whole);
    const numbers = rows.flatMap((row) =>
      named.flatMap((field) => [textOf(valueOf(row, field)), textOf(valueIn(row, field.arrowTo ?? ""))]),
    );
    this.#accounts = { whole: new Map(), "both ends": shortAccounts(numbers), end: accountEnds(numbers) };
  }

  /** The columns in this form, in order. */
  columns(form: Form): readonly Drawn[] {
    let details = form.details;
    const pair = form.signed ? this.#pair() : undefined;
    return this.#fields.flatMap((field) => {
      if (this.isDetail(field) && --details < 0) return [];
      if (form.withUnits && field === this.#currencyField) return [];
      if (pair === undefined || field.side === undefined) return [this.#drawn(field, form)];
      return field === pair.first ? [this.#signed(pair.credit, pair.debit, form)] : [];
    });
  }

  /** Credit and debit, where the rows have both. */
  #pair() {
    const credit = this.#fields.find(({ side }) => side === "credit");
    const debit = this.#fields.find(({ side }) => side === "debit");
    const first = this.#fields.find(({ side }) => side !== undefined);
    return credit && debit && first && { credit, debit, first };
  }

  /** A currency is never a detail: an amount means nothing without it. */
  isDetail(field: Field): boolean {
    return !this.#options.chosen && roleOf(field) === "detail" && field !== this.#currencyField;
  }

  #drawn(field: Field, form: Form): Drawn {
    const key = `${field.name} ${form.shortTimes} ${form.withUnits} ${form.accounts}`;
    return this.#once(key, () => {
      if (field.kind === "amount")
        return this.#money(field, headingOf(field), form, (row, currency) =>
          shownText(valueOf(row, field), field, currency),
        );
      const cells = this.#texts(field, form);
      return drawn(field, this.#head(headingOf(field)), cells, field.kind === "count" ? "right" : "left");
    });
  }

  #signed(credit: Field, debit: Field, form: Form): Drawn {
    const field: Field = { name: "amount", kind: "amount" };
    return this.#once(`signed ${form.withUnits}`, () =>
      this.#money(field, "amount", form, (row, currency) =>
        signedText(valueOf(row, credit), valueOf(row, debit), currency),
      ),
    );
  }

  #money(field: Field, heading: string, form: Form, say: (row: Row, currency: string | undefined) => string): Drawn {
    const common = this.#commonCurrency(form);
    const isBeside = this.#currencyField !== undefined && !form.withUnits;
    const cells = this.rows.map((row) => {
      const own = this.#currencyIn(row);
      const text = say(row, own);
      return isBeside || own === undefined || own === common || !isFigure.test(text) ? text : `${text} ${visible(own)}`;
    });
    const unit = isBeside || common === undefined || !this.#options.header ? "" : ` (${visible(common)})`;
    return drawn(field, this.#head(heading + unit), cells, "right");
  }

  /** The currency in the heading: that of every row, or the default of the report. */
  #commonCurrency({ withUnits }: Form): string | undefined {
    if (!this.#options.header) return undefined;
    if (this.#currencyField === undefined) return this.#options.currency;
    if (!withUnits) return undefined;
    const [first, ...others] = new Set(this.rows.map((row) => this.#currencyIn(row)));
    return others.length === 0 ? first : undefined;
  }

  #currencyIn(row: Row): string | undefined {
    const field = this.#currencyField ?? { name: "currency", kind: "id" };
    return textOf(valueOf(row, field)) || this.#options.currency;
  }

  #texts(field: Field, form: Form): readonly string[] {
    const texts = this.rows.map((row) => textOf(valueOf(row, field)));
    if (field.kind === "time") return this.#times(field, texts, form);
    if (field.shortens === "id" && !this.#options.whole) {
      const short = shortIds(texts);
      return texts.map((text) => visible(short.get(text) ?? text));
    }
    const { names } = this.#options;
    const short = (text: string) => visible(this.#accounts[form.accounts].get(text) ?? text);
    const name = (text: string) => withName(short(text), text, field, names);
    if (field.shortens === "account" && field.arrowTo === undefined) return texts.map(name);
    if (field.arrowTo === undefined)
      return this.rows.map((row, at) => withName(shownText(valueOf(row, field), field), texts[at] ?? "", field, names));
    const other = field.arrowTo;
    return this.rows.map((row, at) => arrow(name(texts[at] ?? ""), name(textOf(valueIn(row, other)))));
  }

  #times({ shortens }: Field, texts: readonly string[], { shortTimes }: Form): readonly string[] {
    const { today } = this.#options;
    const day = shortens === "minute" && today !== undefined && areAllOfDay(today, texts) ? today : undefined;
    const to = shortTimes && (shortens === "minute" || shortens === "day") ? shortens : "second";
    return texts.map((text) => visible(timeText(text, { to, day })));
  }

  #head(heading: string): string {
    return this.#options.header ? heading : "";
  }

  #once(key: string, make: () => Drawn): Drawn {
    const known = this.#made.get(key) ?? make();
    this.#made.set(key, known);
    return known;
  }
}

function drawn(field: Field, heading: string, cells: readonly string[], align: Drawn["align"]): Drawn {
  const natural = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), widthOf(heading));
  return { field, heading, cells, align, natural };
}

/** Columns of amounts, times and states are shown even where they are empty. */
function mustShow(field: Field): boolean {
  return ["money", "when", "state"].includes(roleOf(field));
}

/** True where any row has a value in this field. */
function isUsed(field: Field, rows: readonly Row[]): boolean {
  const others = field.arrowTo;
  return rows.some(
    (row) => textOf(valueOf(row, field)) !== "" || (others !== undefined && textOf(valueIn(row, others)) !== ""),
  );
}

/** The value of a field in a row, or else the first of its `orElse` fields that isn't empty. */
function valueOf(row: Row, { name, orElse = [] }: Field): JsonValue | undefined {
  const value = valueIn(row, name);
  if (orElse.length === 0 || textOf(value) !== "") return value;
  return orElse.map((other) => valueIn(row, other)).find((found) => textOf(found) !== "");
}

function arrow(from: string, to: string): string {
  return from === "" && to === "" ? "" : `${from} → ${to}`.trim();
}
