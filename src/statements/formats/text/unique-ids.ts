import { RowSet } from "../../row-set.ts";

/**
 * Makes the ids of a file's rows unique: the first row keeps its id, a repeat gets `#2`, `#3` in the order of the file.
 * This rule must never change, since programs recognize imported rows by their ids.
 */
export class UniqueIds {
  readonly #seen = new RowSet();
  readonly #counts = new Map<string, number>();

  next(id: string): string {
    if (!this.#seen.add(id)) return id;
    for (let count = (this.#counts.get(id) ?? 1) + 1; ; count += 1) {
      this.#counts.set(id, count);
      const numbered = `${id}#${count}`;
      if (!this.#seen.add(numbered)) return numbered;
    }
  }
}
