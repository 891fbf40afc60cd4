import type { Field } from "../../values/field.ts";
import { roleOf } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { visible } from "../../values/text/text.ts";
import { textOf, valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Row } from "../report.ts";
import { namesCurrency, shownText, withName } from "../table/table-cell.ts";
import { signedText } from "./money-text.ts";
import { shortAccounts, shortIds } from "./short-names.ts";
import { widthOf } from "./text-width.ts";
import { allOf, timeText } from "./time-text.ts";

/** What a currency can stand behind. */
const isFigure = /\d$/;

/** What is given up for room. */
export interface Form {
  /** How many of the details stay, from the left. */
  readonly details: number;
  /** Times without their seconds, or without their time. */
  readonly shortTimes: boolean;
  /** The currency of all rows in the heading, or behind each amount, and no column of its own. */
  readonly withUnits: boolean;
  /** Credit and debit as one signed amount. */
  readonly signed: boolean;
  readonly shortAccounts: boolean;
}

/** A column as a terminal would show it, every cell of it safe to show. */
export interface Drawn {
  readonly field: Field;
  readonly heading: string;
  readonly cells: readonly string[];
  readonly align: "left" | "right";
  /** Of the widest cell or the heading, in columns of the terminal. */
  readonly natural: number;
}

export interface SheetOptions {
  readonly header: boolean;
  /** The currency of amounts whose row names none. */
  readonly currency: string | undefined;
  /** `YYYY-MM-DD`, where it goes without saying. */
  readonly today?: string | undefined;
  /** What people call accounts, by their numbers. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** True where a person named the columns: none of them is a detail then. */
  readonly chosen: boolean;
  /** Ids and account numbers to their last character. */
  readonly whole: boolean;
}

/** Rows that are shown together, and every form in which their columns can be drawn. */
export class Sheet {
  readonly rows: readonly Row[];
  readonly details: number;
  readonly #fields: readonly Field[];
  readonly #options: SheetOptions;
  readonly #currencyField: Field | undefined;
  readonly #accounts: ReadonlyMap<string, string>;
  readonly #made = new Map<string, Drawn>();

  constructor(fields: readonly Field[], rows: readonly Row[], options: SheetOptions) {
    this.rows = rows;
    this.#fields = options.chosen ? fields : fields.filter((field) => mustShow(field) || isUsed(field, rows));
    this.#options = options;
    this.#currencyField = this.#fields.some(({ kind }) => kind === "amount")
      ? this.#fields.find(namesCurrency)
      : undefined;
    this.details = this.#fields.filter((field) => this.isDetail(field)).length;
    const named = this.#fields.filter(({ shortens }) => shortens === "account" && !options.whole);
    this.#accounts = shortAccounts(
      rows.flatMap((row) =>
        named.flatMap((field) => [textOf(valueOf(row, field)), textOf(valueIn(row, field.arrowTo ?? ""))]),
      ),
    );
  }

  /** The columns in this form, in their order. */
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

  /** The two sides, where the rows have both. */
  #pair() {
    const credit = this.#fields.find(({ side }) => side === "credit");
    const debit = this.#fields.find(({ side }) => side === "debit");
    const first = this.#fields.find(({ side }) => side !== undefined);
    return credit && debit && first && { credit, debit, first };
  }

  /** A currency is no detail: an amount says nothing without it. */
  isDetail(field: Field): boolean {
    return !this.#options.chosen && roleOf(field) === "detail" && field !== this.#currencyField;
  }

  #drawn(field: Field, form: Form): Drawn {
    const key = `${field.name} ${form.shortTimes} ${form.withUnits} ${form.shortAccounts}`;
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

  /** What stands in the heading: the currency of every row, or the one that goes without saying. */
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
    const short = (text: string) => visible((form.shortAccounts ? this.#accounts.get(text) : undefined) ?? text);
    const name = (text: string) => withName(short(text), text, field, names);
    if (field.shortens === "account" && field.arrowTo === undefined) return texts.map(name);
    if (field.arrowTo === undefined)
      return this.rows.map((row, at) => withName(shownText(valueOf(row, field), field), texts[at] ?? "", field, names));
    const other = field.arrowTo;
    return this.rows.map((row, at) => arrow(name(texts[at] ?? ""), name(textOf(valueIn(row, other)))));
  }

  #times({ shortens }: Field, texts: readonly string[], { shortTimes }: Form): readonly string[] {
    const { today } = this.#options;
    const day = shortens === "minute" && today !== undefined && allOf(today, texts) ? today : undefined;
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

/** A column of amounts, times or states says something also where it is empty. */
function mustShow(field: Field): boolean {
  return ["money", "when", "state"].includes(roleOf(field));
}

/** True where any of the rows has something there. */
function isUsed(field: Field, rows: readonly Row[]): boolean {
  const others = field.arrowTo;
  return rows.some(
    (row) => textOf(valueOf(row, field)) !== "" || (others !== undefined && textOf(valueIn(row, others)) !== ""),
  );
}

/** What a row holds in a field, or in the first of those in its place that is not empty. */
function valueOf(row: Row, { name, orElse = [] }: Field): JsonValue | undefined {
  const value = valueIn(row, name);
  if (orElse.length === 0 || textOf(value) !== "") return value;
  return orElse.map((other) => valueIn(row, other)).find((found) => textOf(found) !== "");
}

function arrow(from: string, to: string): string {
  return from === "" && to === "" ? "" : `${from} → ${to}`.trim();
}
