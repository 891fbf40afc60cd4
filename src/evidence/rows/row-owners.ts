import type { FormerAttempt } from "../../journal/former-attempts.ts";
import type { Movement } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import type { StatementRow } from "./statement-row.ts";
import { fits, hasItsAmount, mayFit, tieOf, violationsOf } from "../tie.ts";
import type { ExpectedRow } from "../expected-row.ts";

/** What the journal knows about other orders. */
export interface KnownOrders {
  /** Other orders of the account with this text as their reference or as an id of the service. */
  readonly knownAs: (id: string) => readonly Rival[];
  /** The id of the order that this row proves already. */
  readonly provedBy: (row: StatementRow) => string | undefined;
  /** Other orders of the account that could have a row without an id. */
  readonly rivals: readonly Rival[];
}

/** Another order, with the form of its row. */
export interface Rival extends ExpectedRow {
  readonly order: Movement;
  /** Its earlier attempts that were called refused by word alone. */
  readonly former: readonly FormerAttempt[];
}

/** Tells which other orders the rows of an order in question belong to, or may belong to. */
export class RowOwners {
  readonly #expected: ExpectedRow;
  readonly #rows: readonly StatementRow[];
  readonly #known: KnownOrders;

  constructor(expected: ExpectedRow, rows: readonly StatementRow[], known: KnownOrders) {
    this.#expected = expected;
    this.#rows = rows;
    this.#known = known;
  }

  /** True for the row that proves this order already. */
  isProvedHere(row: StatementRow): boolean {
    return this.#expected.order.id !== undefined && this.#known.provedBy(row) === this.#expected.order.id;
  }

  /** True for a row that has another order's id, has proved another order, or is that of an accepted one. */
  isOthers(row: StatementRow): boolean {
    return this.#isStrangers(row) || this.#othersOf(row).length > 0 || this.#provesAnother(row) || this.#isUsed(row);
  }

  /** True for a row whose fee names another reference. */
  #isStrangers({ tranRefNo }: StatementRow): boolean {
    return this.#expected.strangers?.has(tranRefNo) === true;
  }

  /** True for a row under this order's reference that belongs to an accepted order with the same reference. */
  #isUsed(row: StatementRow): boolean {
    if (tieOf(this.#expected, row) !== "id" || this.isProvedHere(row)) return false;
    return this.#sharing(row.tranRefNo, row).some((other) => other.order.state === "accepted" && fits(other, row));
  }

  /** True for a row that another order of about the same days owns by its id, or by a narration with its reference. */
  isNarratedAs(row: StatementRow): boolean {
    return this.#known.rivals.some((other) => ["id", "named"].includes(tieOf(other, row) ?? ""));
  }

  #provesAnother(row: StatementRow): boolean {
    const proved = this.#known.provedBy(row);
    return proved !== undefined && proved !== this.#expected.order.id;
  }

  /** The other owner that the row has or may have, in words; undefined where it can only be this order's. */
  ownerOf(row: StatementRow): string | undefined {
    if (this.isProvedHere(row)) return undefined;
    if (this.#provesAnother(row)) return "proves another order already";
    if (this.#isStrangers(row)) return "has a fee that names another reference";
    const [other] = this.#othersOf(row);
    if (other !== undefined) return `is that of ${nameOrder(other.order)}`;
    const [sharer] = tieOf(this.#expected, row) === "id" ? this.#sharing(row.tranRefNo, row) : this.#contesting(row);
    return sharer === undefined ? undefined : `may as well be that of ${nameOrder(sharer.order)}`;
  }

  /** Orders with the row's id as their reference or service id, unless the id is this order's. */
  #othersOf({ tranRefNo }: StatementRow): readonly Rival[] {
    return tranRefNo === "" || this.#expected.ids.has(tranRefNo) ? [] : this.#known.knownAs(tranRefNo);
  }

  /** Other orders with that service id or reference that a row like this one could belong to. */
  #sharing(id: string, row: StatementRow): readonly Rival[] {
    return this.#known
      .knownAs(id)
      .filter(
        (other) =>
          mayBePaid(other) &&
          (other.order.reference !== id || (violationsOf(other, row).length === 0 && !this.hasItsOwn(other, row))),
      );
  }

  /**
   * True where a reversal that names this id may belong to another order: one that was paid from the same wallet with
   * the same amount, whether its own row is known or not.
   */
  mayHaveComeBack(id: string, own: StatementRow): boolean {
    return this.#known
      .knownAs(id)
      .some((other) => mayBePaid(other) && (other.order.reference !== id || hasItsAmount(other, own)));
  }

  /** Other orders without an outcome that this row without an id could belong to. */
  #contesting(row: StatementRow): readonly Rival[] {
    return this.#known.rivals.filter((other) => isUndecided(other) && mayFit(other, row));
  }

  /** True where a row is known to belong to that order: by an id, or because it proved it. */
  hasItsOwn(other: Rival, except?: StatementRow): boolean {
    return this.#rows.some(
      (row) =>
        row !== except &&
        (this.#known.provedBy(row) === other.order.id || (tieOf(other, row) === "id" && fits(other, row))),
    );
  }
}

/** False where the service itself said of each attempt that nothing moved, or nothing left. */
export function mayBePaid({ order: { state, evidence }, former }: Rival): boolean {
  if (former.length > 0) return true;
  return state !== "unsent" && (state !== "refused" || (evidence !== "answer" && evidence !== null));
}

/** True where a row could still belong to the order: a person's or a callback's word about it proves nothing. */
function isUndecided(rival: Rival): boolean {
  return rival.order.state !== "accepted" && mayBePaid(rival);
}

function nameOrder({ kind, reference, state }: Movement): string {
  return `the ${movementNouns[kind]} ${reference} (${state})`;
}
