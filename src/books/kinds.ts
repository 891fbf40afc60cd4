import type { Ledger } from "../ledger/ledger.ts";
import type { MovementKind } from "../journal/movement.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf, withNeighbours } from "./booked-row.ts";
import { withoutReversal } from "../ledger/terms/names.ts";
import type { OrderKinds } from "./order-kinds.ts";
import type { Debit } from "./returns.ts";
import { Returns } from "./returns.ts";

/** What a row is for. */
export const flowKinds = ["own transfer", "withdrawal", "collection", "payout", "remittance", "fee", "other"] as const;
export type FlowKind = (typeof flowKinds)[number];

const kindsOfOrders: Readonly<Record<MovementKind, FlowKind>> = {
  transfer: "own transfer",
  withdraw: "withdrawal",
  collect: "collection",
  remit: "remittance",
  payout: "payout",
};

/**
 * Classifies rows: by the order that moved the money, by its fee, or by the other side of the transfer. Money that came
 * back is of the kind that left.
 */
export class Kinds {
  readonly #orders: OrderKinds;
  /** The kinds of fees that belong to each reference, by account. */
  readonly #fees = new Map<string, Set<FlowKind>>();
  /** How often an amount moved under a reference, by account. */
  readonly #moved = new Map<string, Map<number, number>>();
  readonly #returns = new Returns();

  private constructor(orders: OrderKinds) {
    this.#orders = orders;
  }

  /** Reads the rows and their neighbours once: a transfer's other half may be in the next month. */
  static async of(ledger: Ledger, scope: Scope, orders: OrderKinds): Promise<Kinds> {
    const kinds = new Kinds(orders);
    for await (const row of rowsOf(ledger, withNeighbours(scope))) kinds.#note(row);
    return kinds;
  }

  of(row: BookedRow): FlowKind {
    if (row.facts.isFee) return "fee";
    return this.#reversedKind(row) ?? this.#parentKind(this.#returns.of(row) ?? row);
  }

  /** The kind of what a reversal gives back, all or part of it: money that an order or a fee shows to have left. */
  #reversedKind({ account, change, facts: { reference } }: BookedRow): FlowKind | undefined {
    const reversed = withoutReversal(reference);
    if (change.sign <= 0 || reversed === reference) return undefined;
    const kind = this.#parentKind({ account, change, ids: [reversed] }, -1);
    return kind === "collection" || kind === "other" ? undefined : kind;
  }

  /** True for money that left before, and came back. */
  isReturned(row: BookedRow): boolean {
    return this.#returns.of(row) !== undefined;
  }

  /** What a fee was charged for. */
  ofFee(row: BookedRow): FlowKind {
    return this.#parentKind(row, suffixKind(row) === "collection" ? 1 : -1);
  }

  #note(row: BookedRow): void {
    const { account, facts, change, ids } = row;
    if (facts.isFee) {
      for (const id of feeIdsOf(row)) {
        const key = feeKeyOf(id, account);
        this.#fees.set(key, (this.#fees.get(key) ?? new Set()).add(suffixKind(row)));
      }
      return;
    }
    const order = this.#orders.of(row);
    this.#returns.note(
      { ...row, ids: [...ids, ...(order?.ids ?? [])] },
      (id) => this.#moved.get(keyOf(id, account, change.negate()))?.get(account.number) ?? 0,
    );
    for (const id of new Set(ids)) {
      const key = keyOf(id, account, change);
      const counts = this.#moved.get(key) ?? new Map<number, number>();
      counts.set(account.number, (counts.get(account.number) ?? 0) + 1);
      this.#moved.set(key, counts);
    }
  }

  /** @param sign 1 where the payment came into the account, -1 where it left */
  #parentKind(row: Debit, sign = row.change.sign): FlowKind {
    const { ids, account, change } = row;
    const order = this.#orders.of(row, sign);
    if (order !== undefined) return kindsOfOrders[order.kind];
    if (ids.some((id) => this.#isBetweenOwn(id, account, change))) return "own transfer";
    const likely = sign > 0 ? (["collection", "payout"] as const) : (["payout", "collection"] as const);
    for (const id of ids) {
      const fees = this.#fees.get(feeKeyOf(id, account));
      const fee = likely.find((kind) => fees?.has(kind) === true);
      if (fee !== undefined) return fee;
    }
    return account.kind === "merchant" && change.sign > 0 ? "collection" : "other";
  }

  /**
   * True where our other accounts have the reference with the opposite amount at least as often as this one has it. A
   * reference alone isn't enough: anyone can write one into a payment.
   */
  #isBetweenOwn(id: string, account: BookedRow["account"], change: Decimal): boolean {
    const opposite = this.#moved.get(keyOf(id, account, change.negate()));
    if (opposite === undefined || change.sign === 0) return false;
    const own = this.#moved.get(keyOf(id, account, change))?.get(account.number) ?? 0;
    let elsewhere = 0;
    for (const [other, count] of opposite) if (other !== account.number) elsewhere += count;
    return elsewhere > 0 && elsewhere >= own;
  }
}

/** The ids that a fee's payment may have. */
export function feeIdsOf(fee: BookedRow): readonly string[] {
  return suffixKind(fee) === "payout" ? fee.ids : fee.ids.slice(0, 1);
}

/** The kind of payment that a fee's own reference implies. */
export function suffixKind({ facts: { reference } }: BookedRow): FlowKind {
  return reference.endsWith("-PAYOUT") ? "payout" : reference.endsWith("-PAYIN") ? "collection" : "other";
}

/** A key of reference, currency and amount, whatever the amount's trailing zeros. */
function keyOf(id: string, { currency }: BookedRow["account"], change: Decimal): string {
  return `${id}\t${currency}\t${change.trimmed()}`;
}

function feeKeyOf(id: string, { number }: BookedRow["account"]): string {
  return `${number}\t${id}`;
}
