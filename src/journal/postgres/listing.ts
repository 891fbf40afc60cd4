import type { PostgresRecord, PostgresValue } from "../../host/databases/postgres.ts";
import type { StoredFilter } from "../lookups/query.ts";
import { isMeant, readSharedPage, sharedPagesHolding } from "../lookups/query.ts";
import type { Movement } from "../movement.ts";
import type { MovementWriter } from "../movement-writer.ts";

/** Reads rows by a statement, within a transaction or outside of any. */
export type Read = (text: string, values: readonly PostgresValue[]) => Promise<readonly PostgresRecord[]>;

/**
 * The orders that a filter means, in its order, read page by page.
 * @throws {PostgresError | DamageError}
 */
export async function* listed(
  read: Read,
  writer: Pick<MovementWriter, "show">,
  filter: StoredFilter,
): AsyncGenerator<Movement> {
  const { limit = Infinity, holding, scopes } = filter;
  if (holding !== undefined && scopes !== undefined) {
    for await (const rows of sharedPagesHolding(read, scopes, holding))
      yield* rows.map((row) => writer.show(row)).filter((movement) => isMeant(movement, filter));
    return;
  }
  let after: number | undefined;
  let count = 0;
  for (;;) {
    const { rows, next } = await readSharedPage(read, filter, after);
    for (const row of rows) {
      const movement = writer.show(row);
      if (!isMeant(movement, filter)) continue;
      if (count >= limit) return;
      count += 1;
      yield movement;
    }
    if (next === undefined) return;
    after = next;
  }
}
