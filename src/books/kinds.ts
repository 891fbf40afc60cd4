import type { Ledger } from "../ledger/ledger.ts";
import type { MovementKind } from "../journal/movement.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";

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

/** The kinds of orders by their references and the ids of their answers. */
export type OrderKinds = ReadonlyMap<string, MovementKind>;

/** Classifies rows: by the order that moved the money, by its fee, or by the other side of the transfer. */
export class Kinds {
  readonly #orders: OrderKinds;
  /** The kind of fee that belongs to each reference. */
  readonly #fees = new Map<string, FlowKind>();
  /** The accounts in which a reference occurs, each with its side. */
  readonly #sides = new Map<string, Map<number, -1 | 0 | 1>>();

  private constructor(orders: OrderKinds) {
    this.#orders = orders;
  }

  /** Reads the rows once. */
  static async of(ledger: Ledger, scope: Scope, orders: OrderKinds): Promise<Kinds> {
    const kinds = new Kinds(orders);
    for await (const row of rowsOf(ledger, scope)) kinds.#note(row);
    return kinds;
  }

  of(row: BookedRow): FlowKind {
    return row.facts.isFee ? "fee" : this.#parentKind(row);
  }

  /** What a fee was charged for. */
  ofFee(row: BookedRow): FlowKind {
    return this.#parentKind(row);
  }

  /** True for a row that has a fee. */
  hasFee({ ids }: BookedRow): boolean {
    return ids.some((id) => this.#fees.has(id));
  }

  #note({ account, facts, change, ids }: BookedRow): void {
    const [own = ""] = ids;
    if (facts.isFee) {
      const suffix = facts.reference.endsWith("-PAYOUT")
        ? "payout"
        : facts.reference.endsWith("-PAYIN")
          ? "collection"
          : "other";
      for (const id of suffix === "payout" ? ids : [own]) this.#fees.set(id, suffix);
      return;
    }
    for (const id of new Set(ids)) {
      const sides = this.#sides.get(id) ?? new Map<number, -1 | 0 | 1>();
      sides.set(account.number, change.sign);
      this.#sides.set(id, sides);
    }
  }

  #parentKind({ ids, account, change }: BookedRow): FlowKind {
    for (const id of ids) {
      const order = this.#orders.get(id);
      if (order !== undefined) return kindsOfOrders[order];
    }
    if (ids.some((id) => this.#isBetweenOwn(id, account.number, change.sign))) return "own transfer";
    for (const id of ids) {
      const fee = this.#fees.get(id);
      if (fee !== undefined && fee !== "other") return fee;
    }
    return account.kind === "merchant" && change.sign > 0 ? "collection" : "other";
  }

  /** True where another account of ours has the reference on the opposite side. */
  #isBetweenOwn(id: string, account: number, sign: -1 | 0 | 1): boolean {
    const sides = this.#sides.get(id);
    if (sides === undefined || sides.size < 2 || sign === 0) return false;
    return [...sides].some(([other, side]) => other !== account && side === -sign);
  }
}
