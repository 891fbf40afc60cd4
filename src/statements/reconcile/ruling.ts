import type { Rules } from "../../rules/rule.ts";
import type { Fees } from "./matching/fees.ts";
import { joinRows } from "./matching/parts.ts";
import type { RowStores } from "./matching/sides.ts";
import { sumOf } from "./matching/sides.ts";
import type { Remarks } from "./remarks.ts";
import type { ResultRow } from "./result/result.ts";
import type { RowTexts } from "./rows/row-texts.ts";
import type { RowStore } from "./rows/row-store.ts";
import { roomFor, startRows } from "../packing/columns.ts";
import type { Decimal } from "../../values/money/decimal.ts";

/** What a rule looks at in a row. */
export interface RuledEntry {
  readonly reference: string;
  readonly amount: Decimal | undefined;
  readonly texts: RowTexts;
}

/** The number of the rule for each row of a side; 0 for none. */
class RuleNumbers {
  #numbers = new Uint16Array(startRows);

  set(row: number, rule: number): void {
    while (row >= this.#numbers.length) this.#numbers = roomFor(this.#numbers.length * 2, this.#numbers, Uint16Array);
    this.#numbers[row] = rule;
  }

  of(row: number): number {
    return this.#numbers[row] ?? 0;
  }
}

/** Applies rules to the rows of a reconciliation. */
export class Ruling {
  readonly #rules: Rules;
  readonly #account: string;
  readonly #numbers = { statement: new RuleNumbers(), book: new RuleNumbers() };

  constructor(rules: Rules, account: string) {
    this.#rules = rules;
    this.#account = account;
  }

  /**
   * Finds and records the rule of a row.
   * @returns whether it says that the row is a fee
   */
  isFee(side: "statement" | "book", row: number, { reference, amount, texts }: RuledEntry): boolean {
    const rule = this.#rules.ruleFor({ in: side, account: this.#account, reference, amount, ...texts });
    if (rule === undefined) return false;
    this.#numbers[side].set(row, rule.number);
    return rule.says.fee;
  }

  /** Whether a rule allows the book to have the row's amount after its fee. */
  allows({ class: name, row, entry }: ResultRow): boolean {
    if (name !== "net of fee" || row === undefined || entry === undefined) return false;
    const rules = [this.#ruleOf("statement", row), this.#ruleOf("book", entry)];
    return rules.some((rule) => rule?.says.netOfFee === true);
  }

  /** Marks open rows that rules accept as ignored, and matches the period's fees with the book's total of them. */
  apply(sides: RowStores, fees: Fees, remarks: Remarks): void {
    this.#ignore(sides.statement, "statement", (row, why) => remarks.onRow(row, why));
    this.#ignore(sides.book, "book", (entry, why) => remarks.onEntry(entry, why));
    this.#settleFees(sides, fees);
  }

  #ignore(side: RowStore, name: "statement" | "book", remark: (row: number, why: string) => void): void {
    for (let row = 0; row < side.count; row += 1) {
      const rule = this.#ruleOf(name, row);
      if (rule === undefined) continue;
      const verdict = side.verdictOf(row);
      const isOpen = verdict === undefined || (verdict === "duplicate" && side.partnerOf(row) === undefined);
      if (rule.says.ignore && isOpen) {
        side.decide(row, "ignored");
        remark(row, `rule ${rule.number}${rule.says.label === undefined ? "" : `: ${rule.says.label}`}`);
      } else if (rule.says.label !== undefined && verdict !== "matched") remark(row, rule.says.label);
    }
  }

  /** Matches all open fees of the period with the only entry that a rule calls a fee and that is their sum. */
  #settleFees(sides: RowStores, fees: Fees): void {
    const { statement, book } = sides;
    const totals = [...book.openRows()].filter(
      (entry) => book.isInPeriod(entry) && this.#ruleOf("book", entry)?.says.fee === true,
    );
    const open = fees.open().filter((fee) => statement.isInPeriod(fee) && statement.hasAmount(fee));
    const once = open.filter((fee) => !statement.flags.has(fee, "repeated"));
    for (const all of [open, once]) {
      const sum = sumOf(sides, statement, all);
      const fitting = totals.filter((entry) => book.amountOf(entry) === sum);
      const [entry] = fitting;
      if (all.length === 0 || entry === undefined || fitting.length > 1) continue;
      joinRows(sides, all, entry, "matched");
      return;
    }
  }

  #ruleOf(side: "statement" | "book", row: number) {
    const number = this.#numbers[side].of(row);
    return number === 0 ? undefined : this.#rules.all[number - 1];
  }
}
