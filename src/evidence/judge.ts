import type { Finding, WeakRow } from "./finding.ts";
import type { KnownOrders, Rival } from "./rows/row-owners.ts";
import { mayBePaid, RowOwners } from "./rows/row-owners.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { timesFound, withoutRepeats } from "./rows/statement-row.ts";
import { takenBack } from "./taken-back.ts";
import type { Tie } from "./tie.ts";
import { fits, hasItsAmount, mayFit, tieOf, violationsOf } from "./tie.ts";
import type { ExpectedRow } from "./expected-row.ts";
import { hasWord } from "./expected-row.ts";

/** How many rows are listed that have nothing but the right amount. */
const unnamedMaxRows = 3;

/**
 * What statement rows prove about an order. A row booked as ordered, with the order's reference, narration or id,
 * proves it if it was not reversed, is the only one, and can't belong to another order. Every other row is listed with
 * the reason why it decides nothing.
 * @param rows of all wallets that can show the order, from the first day that its row can have up to today
 */
export function judgeRows(expected: ExpectedRow, rows: readonly StatementRow[], known: KnownOrders): Finding {
  return new Case(expected, rows, known).decide();
}

class Case {
  readonly #expected: ExpectedRow;
  readonly #rows: readonly StatementRow[];
  /** The rows with their repeats, as the statement has them. */
  readonly #withRepeats: readonly StatementRow[];
  readonly #known: KnownOrders;
  readonly #owners: RowOwners;

  constructor(expected: ExpectedRow, rows: readonly StatementRow[], known: KnownOrders) {
    this.#expected = expected;
    this.#rows = withoutRepeats(rows);
    this.#withRepeats = rows;
    this.#known = known;
    this.#owners = new RowOwners(expected, this.#rows, known);
  }

  decide(): Finding {
    const free = this.#fitting().filter((row) => this.#owners.ownerOf(row) === undefined);
    const own = free.find((row) => this.#owners.isProvedHere(row)) ?? this.#onlyFit(free);
    if (own === undefined) return this.#weak(new Map(free.map((row) => [row, severalWords(free.length)])), free);
    const isOthers = (row: StatementRow) => this.#owners.isOthers(row) || this.#owners.isNarratedAs(row);
    const isShared = (id: string) => this.#owners.mayHaveComeBack(id, own);
    const { sure, doubtful } = takenBack(this.#expected, own, { rows: this.#rows, isOthers, isShared });
    const [back] = sure;
    if (back === undefined && doubtful.length === 0) return { kind: "proved", row: own };
    if (back !== undefined && sure.length === 1 && doubtful.length === 0 && !this.#cameAgain(own, back))
      return { kind: "reversed", row: own, back };
    const backs = [...sure, ...doubtful].map((row): [StatementRow, string] => [row, "may have reversed it"]);
    return this.#weak(new Map([[own, "fits, and may have been reversed"], ...backs]), [own, ...sure]);
  }

  /**
   * True where a row may have been booked, reversed and booked again: after the reversal the balance is what it was
   * before, so the third row can be equal in everything. A statement that repeats all of its rows repeats the reversal,
   * too.
   */
  #cameAgain(own: StatementRow, back: StatementRow): boolean {
    return timesFound(own, this.#withRepeats) > timesFound(back, this.#withRepeats);
  }

  /** Rows that fit the order; if some have its reference or an id of it, only those. */
  #fitting(): StatementRow[] {
    const fitting = this.#rows.filter((row) => this.#fits(row));
    const named = fitting.filter((row) => this.#tie(row) !== "narrated");
    return named.length > 0 ? named : fitting;
  }

  #fits(row: StatementRow): boolean {
    return fits(this.#expected, row) && !(this.#expected.isNew && this.#tie(row) === "narrated");
  }

  #tie(row: StatementRow): Tie | undefined {
    return tieOf(this.#expected, row);
  }

  /** The only row, or the only one left once each accepted order has its own. */
  #onlyFit(free: readonly StatementRow[]): StatementRow | undefined {
    const users = this.#known.rivals.filter((other) => this.#usesUp(other, free));
    if (users.length === 0) return free.length === 1 ? free[0] : undefined;
    return shareOut(free, [...users, this.#expected]).get(this.#expected);
  }

  /** True for an accepted order that must own one of these rows, as no other row is known to be its own. */
  #usesUp(other: Rival, free: readonly StatementRow[]): boolean {
    const isCandidate = free.some((row) => this.#tie(row) !== "id" && mayFit(other, row));
    return other.order.state === "accepted" && isCandidate && !this.#owners.hasItsOwn(other);
  }

  /** All rows that were found, each with the reason why it decides nothing. */
  #weak(reasons: ReadonlyMap<StatementRow, string>, several: readonly StatementRow[]): Finding {
    const named = this.#rows.filter((row) => this.#tie(row) !== undefined || reasons.has(row));
    const unnamed = this.#expected.isNew ? [] : this.#rows.filter((row) => !named.includes(row) && this.#isAlike(row));
    const seen = [...named, ...unnamed.slice(0, unnamedMaxRows)].map((row) => {
      const isOneOfSeveral = several.length > 1 && several.includes(row);
      return this.#weakRow(row, reasons.get(row), isOneOfSeveral);
    });
    return seen.length === 0 ? { kind: "nothing" } : { kind: "weak", seen };
  }

  /** True for a row that only lacks an id, and doesn't belong to another order. */
  #isAlike(row: StatementRow): boolean {
    return violationsOf(this.#expected, row).length === 0 && !this.#owners.isOthers(row);
  }

  #weakRow(row: StatementRow, reason: string | undefined, isOneOfSeveral: boolean): WeakRow {
    const violations = violationsOf(this.#expected, row);
    return {
      row,
      why:
        reason ??
        (violations.length > 0 ? violations.join(", ") : (this.#owners.ownerOf(row) ?? tieWords(this.#tie(row)))),
      reference: this.#owners.isOthers(row) ? "missing" : this.#referenceIn(row),
      hasItsAmount: hasItsAmount(this.#expected, row),
      isNamesake: this.#isNamesake(row) && !this.#isExplained(row),
      isOneOfSeveral,
      isContested: this.#fits(row) && !this.#owners.isOthers(row) && this.#owners.ownerOf(row) !== undefined,
    };
  }

  /** True where the row fits in everything but the reference. */
  #isNamesake(row: StatementRow): boolean {
    return (
      ["narrated", "alike"].includes(this.#tie(row) ?? "") &&
      violationsOf(this.#expected, row).length === 0 &&
      !this.#owners.isOthers(row)
    );
  }

  /** True where at least as many other orders could own such a row as there are such rows. */
  #isExplained(row: StatementRow): boolean {
    const owners = this.#known.rivals.filter(
      (other) => mayBePaid(other) && fits(other, row) && !this.#owners.hasItsOwn(other),
    );
    return this.#rows.filter((other) => this.#isNamesake(other)).length <= owners.length;
  }

  #referenceIn(row: StatementRow): WeakRow["reference"] {
    const tie = this.#tie(row);
    if (tie === "id" || tie === "named" || row.narration.endsWith(`[${this.#expected.order.reference}]`))
      return "carried";
    if (tie === "mentioned") return row.isFee ? "carried" : "named";
    return hasWord(row.narration, this.#expected.order.reference) ? "named" : "missing";
  }
}

function severalWords(count: number): string {
  return count === 1 ? "fits, and another order has used it up" : `is one of ${count} that fit`;
}

function tieWords(tie: Tie | undefined): string {
  if (tie === undefined) return "has the amount, and nothing in it names the order";
  if (tie === "mentioned") return "names it inside other text";
  if (tie === "alike") return "has its narration in other letters, without the reference";
  return "has its narration without the reference";
}

/**
 * Assigns rows without an id to orders that are alike: the first row to the first order, and so on.
 * @returns an empty map where there are more or fewer rows than orders, or a row does not fit its order
 */
function shareOut(rows: readonly StatementRow[], orders: readonly ExpectedRow[]): Map<ExpectedRow, StatementRow> {
  const inTurn = orders.toSorted((one, other) => one.order.openedAt - other.order.openedAt);
  const dated = rows.toSorted((one, other) => (one.valueDay?.serial ?? 0) - (other.valueDay?.serial ?? 0));
  const shares = new Map(inTurn.flatMap((order, index) => dated.slice(index, index + 1).map((row) => [order, row])));
  const isEven = rows.length === orders.length;
  return isEven && [...shares].every(([order, row]) => fits(order, row)) ? shares : new Map();
}
