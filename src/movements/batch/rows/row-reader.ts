import { Failure } from "../../../values/failure.ts";
import type { BatchColumn } from "../columns.ts";
import { artefactIn } from "./spreadsheet-artefacts.ts";

/** A violation in a row, or in the whole file where no line is given. */
export interface RowViolation {
  readonly line: number | undefined;
  readonly column: string | undefined;
  /** Follows the column's name. */
  readonly problem: string;
  /** True where the row only looks like a payment made before; a person may confirm that it is meant. */
  readonly isRepeat?: boolean;
  /** True where the row is right, and this machine's clock is not. */
  readonly isOfClock?: boolean;
}

/** One row, cell by cell, with its violations. A missing cell has the value for all rows. */
export class RowReader {
  readonly violations: RowViolation[] = [];
  /** Why it can't be sent today, though it may have been valid when it was sent before. */
  readonly expired: RowViolation[] = [];
  readonly line: number;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #columns: ReadonlyMap<string, BatchColumn>;

  constructor(line: number, texts: ReadonlyMap<string, string>, columns: readonly BatchColumn[]) {
    this.line = line;
    this.#texts = texts;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
  }

  /** The parsed value of a cell; undefined where it is empty or invalid. */
  read<T>(name: string, parse: (text: string, field: string) => T): T | undefined {
    const text = this.text(name);
    if (text === undefined) {
      if (this.#columns.get(name)?.optional !== true) this.violation(name, "is empty");
      return undefined;
    }
    try {
      return parse(text, name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.violation(name, withoutName(error.message, name));
      return undefined;
    }
  }

  /** The text of a cell; undefined where it is empty, or damaged, which is a violation. */
  text(name: string): string | undefined {
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    const damage = artefactIn(text, this.#columns.get(name)?.kind ?? "text");
    if (damage === undefined) return text;
    this.violation(name, damage);
    return undefined;
  }

  expire(column: string, problem: string): void {
    this.expired.push({ line: this.line, column, problem });
  }

  /** Adds one violation for each cell: later ones follow from the first. */
  violation(column: string | undefined, problem: string): void {
    const known = this.violations.some((violation) => violation.column === column && column !== undefined);
    if (!known) this.violations.push({ line: this.line, column, problem });
  }
}

function withoutName(message: string, name: string): string {
  const words = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return words.endsWith(".") ? words.slice(0, -1) : words;
}
