import type { Field } from "../../values/field.ts";
import { counted } from "../../values/text/counted.ts";
import { fieldsByName, noSuchColumn } from "../columns.ts";
import type { Batches, Findings, Row, RowsReport } from "../report.ts";
import type { Condition } from "./condition.ts";
import { comparedNames, parseCondition } from "./condition.ts";
import type { RowTest } from "./row-test.ts";
import { hasSignedAmount, rowTest, signedAmount } from "./row-test.ts";

/** Selects rows by a condition, and counts them. */
export class RowFilter {
  readonly #flag: string;
  readonly #fields: readonly Field[];
  readonly #test: RowTest;
  /** Undocumented names that no row has had yet. */
  readonly #missing: Set<string>;
  #seen = 0;
  #kept = 0;

  /**
   * @param columns the rows' columns, by their names in JSON
   * @throws {Failure} usage where an amount is compared with another kind of value
   */
  constructor(condition: Condition, columns: RowsReport["columns"], flag: string) {
    const fields = fieldsByName(columns);
    const isSigned = hasSignedAmount(fields);
    this.#flag = flag;
    this.#fields = [...fields.values(), ...(isSigned ? [{ name: signedAmount, kind: "amount" } as const] : [])];
    this.#test = rowTest(condition, fields, flag);
    const known = new Set(this.#fields.map(({ name }) => name));
    this.#missing = new Set(
      comparedNames(condition).filter((name) => !known.has(name) && !known.has(name.replace(/\..*$/s, ""))),
    );
  }

  keeps(row: Row): boolean {
    this.#seen += 1;
    for (const name of this.#missing)
      if (Object.hasOwn(row, name) || Object.hasOwn(row, name.replace(/\..*$/s, ""))) this.#missing.delete(name);
    const keeps = this.#test(row);
    if (keeps) this.#kept += 1;
    return keeps;
  }

  /** The report with a note that says how many of its rows match. */
  withMatchCount(report: RowsReport): RowsReport {
    return {
      ...report,
      whenEmpty: `No row matches ${this.#flag}.`,
      findings: () => this.#findings(report.findings?.()),
    };
  }

  /** A report of only the selected rows. */
  chosen(report: RowsReport): RowsReport {
    const { rows } = report;
    const isHeld = Array.isArray(rows);
    return this.withMatchCount({
      ...report,
      rows: isHeld ? rows.filter((row) => this.keeps(row)) : this.#chosenOf(rows),
    });
  }

  async *#chosenOf(rows: RowsReport["rows"]): Batches {
    for await (const batch of rows) {
      const some = [batch].flat().filter((row) => this.keeps(row));
      if (some.length > 0) yield some;
    }
  }

  #findings({ notes, failure, carried }: Findings = { notes: [] }): Findings {
    const [missing] = this.#missing;
    const isKnown = this.#fields.length > 0 || this.#seen > 0;
    const unknown = missing !== undefined && isKnown ? noSuchColumn(missing, this.#fields) : undefined;
    const count = `${this.#kept} of ${counted(this.#seen, "row")} ${this.#kept === 1 ? "matches" : "match"} ${this.#flag}.`;
    // No row has this name, so it means nothing that no row matches.
    return { notes: unknown === undefined ? [...notes, count] : notes, failure: failure ?? unknown, carried };
  }
}

/**
 * Parses a condition as it was typed.
 * @throws {Failure} usage
 */
export function readFilter(text: string, columns: RowsReport["columns"], flag: string): RowFilter {
  return new RowFilter(parseCondition(text, flag), columns, flag);
}
