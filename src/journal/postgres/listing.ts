import type { PostgresRecord, PostgresValue } from "../../host/databases/postgres.ts";
import type { MovementRow } from "../history/row.ts";
import { listed } from "../lookups/listing.ts";
import type { StoredFilter } from "../lookups/query.ts";
import { isMeant, readSharedPage, sharedPagesHolding } from "../lookups/query.ts";
import type { Movement } from "../movement.ts";
import type { MovementWriter } from "../movement-writer.ts";

/** Reads rows by a statement, within a transaction or outside of any. */
export type ReadRows = (text: string, values: readonly PostgresValue[]) => Promise<readonly PostgresRecord[]>;

/**
 * The orders that a filter means. Those that hold a text come in ascending order, from an index.
 * @throws {PostgresError | DamageError}
 */
export async function* listedShared(
  read: ReadRows,
  writer: Pick<MovementWriter, "show">,
  filter: StoredFilter,
): AsyncGenerator<Movement> {
  const { holding, scopes } = filter;
  const show = (row: MovementRow) => writer.show(row);
  if (holding === undefined || scopes === undefined) {
    yield* listed((after) => readSharedPage(read, filter, after), show, filter);
    return;
  }
  for await (const rows of sharedPagesHolding(read, scopes, holding))
    yield* rows.map(show).filter((movement) => isMeant(movement, filter));
}
