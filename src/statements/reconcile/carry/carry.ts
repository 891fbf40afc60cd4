import { Failure } from "../../../values/failure.ts";
import { Day } from "../../../values/time/day.ts";
import type { Period } from "../../../values/time/period.ts";
import type { Book } from "../book/book.ts";
import type { Remarks } from "../remarks.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";
import type { StatementIntake } from "../rows/statement-intake.ts";
import type { StringTable } from "../rows/string-table.ts";
import type { OpenItem, OpenMonths } from "./carry-file.ts";

/** What is open since earlier months, on its way into the comparison of this one. */
export class Carry {
  readonly month: string;
  readonly months: OpenMonths;
  /** In which month a row or an entry was open first. */
  readonly since = { statement: new Map<number, string>(), book: new Map<number, string>() };
  readonly #items: readonly OpenItem[];
  readonly #remarks: Remarks;

  /**
   * @param period a whole month
   * @throws {Failure} usage: no month; a month that does not follow the last one
   */
  constructor(months: OpenMonths, period: Period, remarks: Remarks) {
    this.month = monthOf(period);
    this.months = months;
    this.#items = itemsBefore(months, period, this.month);
    this.#remarks = remarks;
  }

  /** Adds what was open in the book, but for what the book still has. */
  addToBook(book: Book, tables: Tables): void {
    const rest = this.#bind(book.side, "book", tables);
    for (const { reference, amount, day, narration, counterparty, since } of rest) {
      const texts = { narration, counterparty };
      const entry = book.add({ reference, amount, day: day.serial, texts, isCarried: true });
      this.#note("book", entry, since);
    }
  }

  /** Adds what was open in the statement, but for what was read of it again. */
  addToStatement(intake: StatementIntake, tables: Tables): void {
    const rest = this.#bind(intake.side, "statement", tables);
    for (const { reference, amount, day, narration, counterparty, since, feeOf } of rest) {
      const texts = { narration, counterparty };
      const row = intake.addCarried({ reference, amount, day: day.serial, texts, feeOf });
      this.#note("statement", row, since);
    }
  }

  /** Marks rows that are there again. @returns the items that are not */
  #bind(side: RowStore, name: "statement" | "book", { texts, codes, period }: Tables): readonly OpenItem[] {
    const items = this.#items.filter((item) => item.side === name);
    const open = Map.groupBy(items, ({ reference, amount, day }) =>
      keyOf(texts.idOf(reference), codes.codeOf(amount), day.serial),
    );
    for (let row = 0; row < side.count; row += 1) {
      if (open.size === 0 || side.dayOf(row) >= period.startDate.serial) continue;
      const key = keyOf(side.referenceOf(row), side.amountOf(row), side.dayOf(row));
      const item = open.get(key)?.shift();
      if (item === undefined) continue;
      side.flags.set(row, "carried");
      this.#note(name, row, item.since);
    }
    return [...open.values()].flat();
  }

  #note(side: "statement" | "book", row: number, since: string): void {
    this.since[side].set(row, since);
    const remark = `carried from ${since}`;
    if (side === "statement") this.#remarks.onRow(row, remark);
    else this.#remarks.onEntry(row, remark);
  }
}

/** What rows are known by. */
export interface Tables {
  readonly texts: StringTable;
  readonly codes: AmountCodes;
  readonly period: Period;
}

function keyOf(reference: number, amount: number, day: number): string {
  return `${reference} ${amount} ${day}`;
}

/** What was open at the end of the month before. */
function itemsBefore(months: OpenMonths, { startDate }: Period, month: string): readonly OpenItem[] {
  const before = startDate.addDays(-1).toString().slice(0, "2026-09".length);
  const items = months.get(before);
  const [last] = [...months.keys()]
    .filter((name) => name < month)
    .toSorted()
    .toReversed();
  if (items !== undefined || last === undefined) return items ?? [];
  throw new Failure(
    "usage",
    `The open items of ${before} are not known: ${last} was carried last, and this is ${month}.`,
    {
      hint: `Reconcile the months between with the same --carry first: --month ${nextMonth(last)}`,
    },
  );
}

function nextMonth(name: string): string {
  const first = Day.parse(`${name}-01`);
  return first === undefined ? name : first.lastOfMonth().addDays(1).toString().slice(0, name.length);
}

function monthOf({ startDate, endDate }: Period): string {
  const isMonth = startDate.toString().endsWith("-01") && startDate.lastOfMonth().compare(endDate) === 0;
  if (isMonth) return startDate.toString().slice(0, "2026-09".length);
  throw new Failure("usage", "--carry keeps open items by month, and the period is not a whole month.", {
    hint: "Name one month, for example --month 2026-10 or --last-month.",
  });
}
