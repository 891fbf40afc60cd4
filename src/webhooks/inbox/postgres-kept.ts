import type { PostgresRecord } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { Kept } from "./inbox.ts";
import { keptOf } from "./inbox-row.ts";

/** @throws {Failure} setup where a record is damaged */
export function keptRows(database: SharedDatabase, records: readonly PostgresRecord[]): readonly Kept[] {
  try {
    return records.map((record) => keptOf(record));
  } catch (error) {
    throw database.explain(error);
  }
}
