import type { Direction } from "./balance-order.ts";

/** Follows the value dates of a statement's rows. */
export class DateOrder {
  #last = "";
  #rises = false;
  #falls = false;

  /** @param date as the row has it; rows without one are passed over */
  follow(date: string): void {
    if (date === "") return;
    if (this.#last !== "" && date > this.#last) this.#rises = true;
    if (this.#last !== "" && date < this.#last) this.#falls = true;
    this.#last = date;
  }

  /** The order of rows whose dates only rise, or only fall; undefined where they do both, or neither. */
  get direction(): Direction | undefined {
    if (this.#rises === this.#falls) return undefined;
    return this.#rises ? "oldestFirst" : "newestFirst";
  }
}
