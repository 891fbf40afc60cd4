import type { Movement } from "../../journal/movement.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { amountsIn, requestOf, requestText } from "../../journal/requests/movement-request.ts";
import { answerIds } from "../answer-ids.ts";
import { referencesIn, tagIn } from "../references.ts";
import type { StatementRow } from "./statement-row.ts";

/**
 * Which references in rows the journal explains: those of orders known to have moved money, if the row can be the
 * order's. An order has one row in each statement, so it doesn't explain a second one.
 */
export class ExplainedRows {
  readonly #orders = new Map<string, Movement[]>();
  /** Id and wallet of each order that has its row of that wallet. */
  readonly #used = new Set<string>();

  add(orders: readonly Movement[]): void {
    for (const order of orders) {
      if (order.state !== "accepted" && order.state !== "reversed") continue;
      for (const word of [order.reference, ...answerIds(order)]) {
        const known = this.#orders.get(word) ?? [];
        this.#orders.set(word, known);
        if (!known.some(({ id }) => id === order.id)) known.push(order);
      }
    }
  }

  /**
   * The row's references without an order in the journal. An order explains one row of a wallet: ask once for each row.
   * @param ofFees as for `referencesIn`
   */
  unexplainedIn(row: StatementRow, ofFees: ReadonlyMap<string, string>): readonly string[] {
    const references = referencesIn(row, ofFees);
    const booked = [row.tranRefNo, tagIn(row)].flatMap((word) => this.#ordersOf(word, row));
    const paid = this.#ordersOf(ofFees.get(row.tranRefNo) ?? "", row);
    const order = [...booked, ...paid].find(({ id }) => !this.#used.has(`${id} ${row.accountNo}`));
    if (order !== undefined) {
      this.#used.add(`${order.id} ${row.accountNo}`);
      return [];
    }
    return references.filter((word) => word === row.tranRefNo || this.#ordersOf(word, row).length === 0);
  }

  #ordersOf(word: string, row: StatementRow): readonly Movement[] {
    return (this.#orders.get(word) ?? []).filter((order) => canBe(order, row));
  }
}

/** True where wallet and amount are as the order's would be. */
function canBe(order: Movement, { accountNo, change }: StatementRow): boolean {
  const request = requestOf(order);
  const isItsWallet = movementForms[order.kind].bookings.some(
    (booking) => !("wallet" in booking) || requestText(request, booking.wallet) === accountNo,
  );
  return isItsWallet && amountsIn(order.kind, request).some(({ amount }) => change?.abs().equals(amount) === true);
}
