import type { Movement } from "../journal/movement.ts";
import { movementNouns } from "../journal/movement.ts";
import type { Finding, WeakRow } from "./finding.ts";
import { sharesOut } from "./sharing.ts";
import type { StatementRow } from "./statement-row.ts";
import { timesTold, withoutRepeats } from "./statement-row.ts";
import { takenBack } from "./taken-back.ts";
import type { Tie } from "./tie.ts";
import { violationsOf, fits, hasItsAmount, tieOf } from "./tie.ts";
import type { Trial } from "./trial.ts";
import { hasWord } from "./trial.ts";

/** What the journal knows of other orders. */
export interface Known {
  /** Orders of the account that have this text as their reference or as an id of the service; not the one on trial. */
  readonly knownAs: (id: string) => readonly Rival[];
  /** The id of the order that a row proves already. */
  readonly provedBy: (row: StatementRow) => string | undefined;
  /** Other orders of the account that rows without an id could be of. */
  readonly rivals: readonly Rival[];
}

/** Another order, and how a row of it looks. */
export interface Rival extends Trial {
  readonly order: Movement;
}

/** So many rows that have the amount, and nothing that names the order, are told. */
const unnamedMaxRows = 3;

/**
 * What rows of statements prove of an order. One that was booked as ordered and carries its reference, an id of it or
 * its narration proves it, where nothing took it back, it is the only one, and it can't be another order's. All else is
 * told with the reason and decides nothing.
 * @param rows of all wallets that can show it, from the first day on which a row of it can lie up to today
 */
export function judge(trial: Trial, rows: readonly StatementRow[], known: Known): Finding {
  return new Case(trial, rows, known).decide();
}

class Case {
  readonly #trial: Trial;
  readonly #rows: readonly StatementRow[];
  /** The same, with those that were told more than once. */
  readonly #told: readonly StatementRow[];
  readonly #known: Known;

  constructor(trial: Trial, told: readonly StatementRow[], known: Known) {
    this.#trial = trial;
    this.#rows = withoutRepeats(told);
    this.#told = told;
    this.#known = known;
  }

  decide(): Finding {
    const free = this.#fitting().filter((row) => this.#ownerOf(row) === undefined);
    const own = free.find((row) => this.#isProvedHere(row)) ?? this.#theOne(free);
    if (own === undefined) return this.#weak(new Map(free.map((row) => [row, severalWords(free.length)])), free);
    const isOthers = (row: StatementRow) => this.#isOthers(row) || this.#isNarratedAs(row);
    const isShared = (id: string) => this.#mayHaveComeBack(id, own);
    const { sure, doubtful } = takenBack(this.#trial, own, { rows: this.#rows, isOthers, isShared });
    const [back] = sure;
    if (back === undefined && doubtful.length === 0) return { kind: "proved", row: own };
    if (back !== undefined && sure.length === 1 && doubtful.length === 0 && !this.#cameAgain(own, back))
      return { kind: "reversed", row: own, back };
    const backs = [...sure, ...doubtful].map((row): [StatementRow, string] => [row, "may have taken it back"]);
    return this.#weak(new Map([[own, "fits, and may have been taken back"], ...backs]), [own, ...sure]);
  }

  /**
   * True where a row may have come, gone and come again: behind its return the balance is what it was before, so the
   * third row can be alike in everything. A statement that tells all of its rows twice tells the return twice, too.
   */
  #cameAgain(own: StatementRow, back: StatementRow): boolean {
    return timesTold(own, this.#told) > timesTold(back, this.#told);
  }

  /** Rows that are as they would be if the order was paid, the surer ones alone where there are some. */
  #fitting(): StatementRow[] {
    const fitting = this.#rows.filter((row) => this.#fits(row));
    const named = fitting.filter((row) => this.#tie(row) !== "narrated");
    return named.length > 0 ? named : fitting;
  }

  #fits(row: StatementRow): boolean {
    return fits(this.#trial, row) && !(this.#trial.isNew && this.#tie(row) === "narrated");
  }

  #tie(row: StatementRow): Tie | undefined {
    return tieOf(this.#trial, row);
  }

  #isProvedHere(row: StatementRow): boolean {
    return this.#trial.order.id !== undefined && this.#known.provedBy(row) === this.#trial.order.id;
  }

  /** True for a row that has another order's id, has proved another order, or is that of an accepted one. */
  #isOthers(row: StatementRow): boolean {
    return this.#isStrangers(row) || this.#othersOf(row).length > 0 || this.#provesAnother(row) || this.#isUsed(row);
  }

  /** True for a row that a fee names another reference for. */
  #isStrangers({ tranRefNo }: StatementRow): boolean {
    return this.#trial.strangers?.has(tranRefNo) === true;
  }

  /** True for a row under this order's reference that an accepted order of the same reference had. */
  #isUsed(row: StatementRow): boolean {
    if (this.#tie(row) !== "id" || this.#isProvedHere(row)) return false;
    return this.#sharing(row.tranRefNo, row).some((other) => other.order.state === "accepted" && fits(other, row));
  }

  /** True for a row that says what was sent for another order, the reference included. */
  #isNarratedAs(row: StatementRow): boolean {
    return this.#known.rivals.some((other) => ["id", "named"].includes(tieOf(other, row) ?? ""));
  }

  #provesAnother(row: StatementRow): boolean {
    const proved = this.#known.provedBy(row);
    return proved !== undefined && proved !== this.#trial.order.id;
  }

  /** Whose row it is or may be, in words; undefined where it can only be the order's. */
  #ownerOf(row: StatementRow): string | undefined {
    if (this.#isProvedHere(row)) return undefined;
    if (this.#provesAnother(row)) return "proves another order already";
    if (this.#isStrangers(row)) return "has a fee that names another reference";
    const [other] = this.#othersOf(row);
    if (other !== undefined) return `is that of ${nameOrder(other.order)}`;
    const [sharer] = this.#tie(row) === "id" ? this.#sharing(row.tranRefNo, row) : this.#contesting(row);
    return sharer === undefined ? undefined : `may as well be that of ${nameOrder(sharer.order)}`;
  }

  /** Orders that the row's id is the reference or an id of, where it is none of this order's. */
  #othersOf({ tranRefNo }: StatementRow): readonly Rival[] {
    return tranRefNo === "" || this.#trial.ids.has(tranRefNo) ? [] : this.#known.knownAs(tranRefNo);
  }

  /** Other orders with that id of the service, or with that reference, that a row like this one could be of. */
  #sharing(id: string, row: StatementRow): readonly Rival[] {
    return this.#known
      .knownAs(id)
      .filter(
        (other) =>
          mayBePaid(other) &&
          (other.order.reference !== id || (violationsOf(other, row).length === 0 && !this.#hasItsOwn(other, row))),
      );
  }

  /**
   * True where a return that names this id may be another order's: one that was paid from the same wallet with the same
   * amount, whether or not its own row is known.
   */
  #mayHaveComeBack(id: string, own: StatementRow): boolean {
    return this.#known
      .knownAs(id)
      .some((other) => mayBePaid(other) && (other.order.reference !== id || hasItsAmount(other, own)));
  }

  /** Other orders that have no outcome and could be what this row without an id shows. */
  #contesting(row: StatementRow): readonly Rival[] {
    return this.#known.rivals.filter((other) => isUndecided(other) && fits(other, row));
  }

  /** The only row, or the one that is left when orders that were accepted have used up theirs. */
  #theOne(free: readonly StatementRow[]): StatementRow | undefined {
    const users = this.#known.rivals.filter((other) => this.#usesUp(other, free));
    if (users.length === 0) return free.length === 1 ? free[0] : undefined;
    return sharesOut(free, [...users, this.#trial]).get(this.#trial);
  }

  /** True for an accepted order that one of these rows is for, since no other row is known to be its own. */
  #usesUp(other: Rival, free: readonly StatementRow[]): boolean {
    const isCandidate = free.some((row) => this.#tie(row) !== "id" && fits(other, row));
    return other.order.state === "accepted" && isCandidate && !this.#hasItsOwn(other);
  }

  /** True where a row is known to be that order's: by an id, or because it proved it. */
  #hasItsOwn(other: Rival, except?: StatementRow): boolean {
    return this.#rows.some(
      (row) =>
        row !== except &&
        (this.#known.provedBy(row) === other.order.id || (tieOf(other, row) === "id" && fits(other, row))),
    );
  }

  /** Everything that was seen, and why it decides nothing. */
  #weak(reasons: ReadonlyMap<StatementRow, string>, several: readonly StatementRow[]): Finding {
    const named = this.#rows.filter((row) => this.#tie(row) !== undefined || reasons.has(row));
    const unnamed = this.#trial.isNew ? [] : this.#rows.filter((row) => !named.includes(row) && this.#isAlike(row));
    const seen = [...named, ...unnamed.slice(0, unnamedMaxRows)].map((row) => {
      const isOneOfSeveral = several.length > 1 && several.includes(row);
      return this.#weakRow(row, reasons.get(row), isOneOfSeveral);
    });
    return seen.length === 0 ? { kind: "nothing" } : { kind: "weak", seen };
  }

  /** True for a row that only lacks a name, and isn't another order's. */
  #isAlike(row: StatementRow): boolean {
    return violationsOf(this.#trial, row).length === 0 && !this.#isOthers(row);
  }

  #weakRow(row: StatementRow, reason: string | undefined, isOneOfSeveral: boolean): WeakRow {
    const violations = violationsOf(this.#trial, row);
    return {
      row,
      why: reason ?? (violations.length > 0 ? violations.join(", ") : (this.#ownerOf(row) ?? tieWords(this.#tie(row)))),
      reference: this.#isOthers(row) ? "missing" : this.#referenceIn(row),
      hasItsAmount: hasItsAmount(this.#trial, row),
      isNamesake: this.#isNamesake(row) && !this.#isExplained(row),
      isOneOfSeveral,
      isContested: this.#fits(row) && !this.#isOthers(row) && this.#ownerOf(row) !== undefined,
    };
  }

  /** True where the row is as it would be, but for the reference. */
  #isNamesake(row: StatementRow): boolean {
    return (
      ["narrated", "alike"].includes(this.#tie(row) ?? "") &&
      violationsOf(this.#trial, row).length === 0 &&
      !this.#isOthers(row)
    );
  }

  /** True where there are as many other orders whose row this could be as there are such rows. */
  #isExplained(row: StatementRow): boolean {
    const owners = this.#known.rivals.filter(
      (other) => mayBePaid(other) && fits(other, row) && !this.#hasItsOwn(other),
    );
    return this.#rows.filter((other) => this.#isNamesake(other)).length <= owners.length;
  }

  #referenceIn(row: StatementRow): WeakRow["reference"] {
    const tie = this.#tie(row);
    if (tie === "id" || tie === "named" || row.narration.endsWith(`[${this.#trial.order.reference}]`)) return "carried";
    if (tie === "mentioned") return row.isFee ? "carried" : "named";
    return hasWord(row.narration, this.#trial.order.reference) ? "named" : "missing";
  }
}

/** False where the service itself said that nothing moved, or nothing left. */
function mayBePaid({ order: { state, evidence } }: Rival): boolean {
  return state !== "unsent" && (state !== "refused" || (evidence !== "answer" && evidence !== null));
}

/** True where a row could still be the order's: what a person or a callback said of it proves nothing. */
function isUndecided(rival: Rival): boolean {
  return rival.order.state !== "accepted" && mayBePaid(rival);
}

function nameOrder({ kind, reference, state }: Movement): string {
  return `the ${movementNouns[kind]} ${reference} (${state})`;
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
