import type { Around, Claim, SeenRow, Settlement } from "../../journal/journal.ts";
import { ClaimLost, OutcomeUnrecorded, ProofTaken } from "../../journal/claim-errors.ts";
import { Failure } from "../../values/failure.ts";
import type { MoneyOrder } from "../order.ts";
import type { Performed } from "../performed.ts";

/** Knows payments that the journal may have lost. */
export interface Witness {
  /**
   * Checks an order that is about to be sent: returns its earlier payment, or undefined where it may be sent.
   * @param seen rows of statements with its reference, from when the journal was recovered
   * @throws {Failure} usage where a row is a reason not to send it | unavailable where the statement can't be read |
   * setup | interrupted
   */
  findPayment(order: MoneyOrder, seen?: readonly SeenRow[]): Promise<Settlement | undefined>;
  /**
   * Checks all orders of a batch before the first one is sent.
   * @param orders can be iterated several times
   * @throws {Failure} as `findPayment`; then no order of the batch is to be sent
   */
  prepare(orders: () => AsyncIterable<MoneyOrder>): Promise<void>;
}

/** Thrown where rows of statements have an order's reference, and the journal has no order for them. */
export class ReferenceSeen extends Error {
  override readonly name = "ReferenceSeen";
  readonly rows: readonly SeenRow[];

  constructor(rows: readonly SeenRow[]) {
    super("A statement has shown this reference");
    this.rows = rows;
  }

  /** The failure for callers without statements. */
  get failure(): Failure {
    const [row] = this.rows;
    return new Failure(
      "usage",
      `The statement of ${row?.accountNo} shows the reference ${row?.reference}; nothing was sent.`,
      {
        hint: "It was used before. Look at the statement, and use another reference for another payment.",
        money: "unknown",
        reference: row?.reference,
      },
    );
  }
}

/** The last check of an order against rows of statements, within the claim. Throws `ReferenceSeen`. */
export function seenUnder(reference: string): (around: Around) => void {
  return ({ seen }) => {
    const rows = rowsUnder(reference, seen);
    if (rows.length > 0) throw new ReferenceSeen(rows);
  };
}

/** Rows with exactly this reference: another spelling is a typing error. */
export function rowsUnder(reference: string, seen: readonly SeenRow[]): SeenRow[] {
  return seen.filter((row) => row.reference === reference);
}

/**
 * Records that an order was paid before, and sends nothing.
 * @throws {Failure} usage where the row proves another order by now | setup | unavailable
 */
export async function recordPaid(claim: Claim, paid: Settlement): Promise<Performed> {
  try {
    return { movement: await claim.settle(paid), sentNow: false, wasPaid: true };
  } catch (error) {
    if (error instanceof ClaimLost) return { movement: error.movement, sentNow: false };
    if (error instanceof OutcomeUnrecorded) throw error.cause;
    if (!(error instanceof ProofTaken)) throw error;
    const { reference } = claim.movement;
    await claim.settle({ state: "unsent", note: "The statement's row proves another order" }).catch(() => undefined);
    throw new Failure("usage", "The row that shows this payment proves another order by now; nothing was sent.", {
      hint: "Run the same command again: it looks again.",
      money: "not moved",
      reference,
    });
  }
}
