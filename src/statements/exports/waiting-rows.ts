import type { ChainStep } from "./chain.ts";
import { opening } from "./chain.ts";

/** A row to be placed, with the balances before and after it. */
interface Edge {
  readonly step: ChainStep;
  readonly from: string;
  readonly to: string;
}

/** New rows by the balance that each continues. A taken row has been placed. */
export class WaitingRows {
  /** Each list is in reverse order. */
  readonly #byOpening = new Map<string, Edge[]>();
  /** How many more rows start from a balance than lead to it, in the service's order. */
  readonly #excess = new Map<string, number>();
  #count = 0;

  /** @returns undefined where a row has no balance */
  static of(steps: readonly ChainStep[]): WaitingRows | undefined {
    const rows = new WaitingRows();
    const edges: Edge[] = [];
    for (const step of steps) {
      const [from, to] = [opening(step.row), step.row.balance];
      if (from === undefined || to === undefined) return undefined;
      edges.push({ step, from: from.trimmed(), to: to.trimmed() });
    }
    for (const { from, to } of edges) rows.#shift(from, to, 1);
    for (const edge of edges.toReversed()) rows.#add(edge);
    return rows;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the first row that starts from that balance. */
  take(from: string | undefined): ChainStep | undefined {
    return from === undefined ? undefined : this.#pop(from)?.step;
  }

  /** The balance to begin from: one of these, else one that more rows start from than lead to. */
  startFrom(openings: readonly string[]): string | undefined {
    const wanted = openings.find((balance) => this.#byOpening.has(balance));
    return wanted ?? this.#starts().next().value ?? this.#byOpening.keys().next().value;
  }

  /**
   * Takes rows that lead to a balance, from one that more rows start from than lead to.
   * @param closing the balance after the exported rows; a single surplus row from there belongs after them
   */
  pathTo(to: string | undefined, closing: string | undefined): ChainStep[] {
    if (to === undefined || (this.#excess.get(to) ?? 0) >= 0) return [];
    for (const from of this.#starts()) {
      if (from === closing && this.#excess.get(from) === 1) continue;
      const path = this.pathBetween(from, to);
      if (path.length > 0) return path;
    }
    return [];
  }

  /**
   * Takes the fewest rows that lead from one balance to another; none where the two are equal, or no rows lead there.
   */
  pathBetween(from: string | undefined, to: string): ChainStep[] {
    if (from === undefined || from === to || !this.#byOpening.has(from)) return [];
    const cameBy = new Map<string, Edge | undefined>([[from, undefined]]);
    for (const balance of cameBy.keys()) {
      for (const edge of this.#byOpening.get(balance) ?? []) {
        if (cameBy.has(edge.to)) continue;
        cameBy.set(edge.to, edge);
        if (edge.to === to) return this.#takeBack(cameBy, edge);
      }
    }
    return [];
  }

  #takeBack(cameBy: ReadonlyMap<string, Edge | undefined>, last: Edge): ChainStep[] {
    const path: ChainStep[] = [];
    for (let edge: Edge | undefined = last; edge !== undefined; edge = cameBy.get(edge.from)) {
      path.push(edge.step);
      this.#remove(edge);
    }
    return path.toReversed();
  }

  *#starts(): Generator<string, undefined> {
    for (const [balance, excess] of this.#excess) if (excess > 0) yield balance;
  }

  #pop(from: string): Edge | undefined {
    const edge = this.#byOpening.get(from)?.at(-1);
    if (edge !== undefined) this.#remove(edge);
    return edge;
  }

  #remove(edge: Edge): void {
    const { from, to } = edge;
    const edges = this.#byOpening.get(from) ?? [];
    edges.splice(edges.lastIndexOf(edge), 1);
    if (edges.length === 0) this.#byOpening.delete(from);
    this.#shift(from, to, -1);
    this.#count -= 1;
  }

  #add(edge: Edge): void {
    const same = this.#byOpening.get(edge.from);
    if (same === undefined) this.#byOpening.set(edge.from, [edge]);
    else same.push(edge);
    this.#count += 1;
  }

  #shift(from: string, to: string, by: number): void {
    this.#addExcess(from, by);
    this.#addExcess(to, -by);
  }

  #addExcess(balance: string, by: number): void {
    const excess = (this.#excess.get(balance) ?? 0) + by;
    if (excess === 0) this.#excess.delete(balance);
    else this.#excess.set(balance, excess);
  }
}
