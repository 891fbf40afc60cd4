import type { MovementRow } from "../history/row.ts";
import type { Movement } from "../movement.ts";
import type { Page, StoredFilter } from "./query.ts";
import { isMeant } from "./query.ts";

/**
 * The orders that a filter means, in its order.
 * @param readPage reads the page after a number
 */
export async function* listed(
  readPage: (after: number | undefined) => Page | Promise<Page>,
  show: (row: MovementRow) => Movement,
  filter: StoredFilter,
): AsyncGenerator<Movement> {
  const { limit = Infinity } = filter;
  let after: number | undefined;
  let count = 0;
  for (;;) {
    const { rows, next } = await readPage(after);
    for (const row of rows) {
      const movement = show(row);
      if (!isMeant(movement, filter)) continue;
      if (count >= limit) return;
      count += 1;
      yield movement;
    }
    if (next === undefined) return;
    after = next;
  }
}
