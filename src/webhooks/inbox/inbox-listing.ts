import type { Database } from "../../storage/sqlite/database.ts";
import type { EventState, Kept } from "./inbox.ts";
import { eventColumns, keptOf, numberIn } from "./inbox-row.ts";

/** Few enough for the memory, even if each is as large as a body may be. */
const pageMaxRows = 50;
/** A page is searched in at most this many rows, since writers wait meanwhile. */
const windowRows = 5_000;
const rareStates: ReadonlySet<EventState> = new Set(["failed", "quarantined"]);

/** The events in those states, in order of arrival. */
export function* readEvents(database: Database, states: readonly EventState[] | undefined): Generator<Kept> {
  const isRare = states?.every((state) => rareStates.has(state)) === true;
  const last = numberIn(database.get("SELECT max(number) FROM events")) ?? 0;
  // The states are the program's own words, never typed by a person.
  const condition = states === undefined ? "" : `AND state IN (${states.map((state) => `'${state}'`).join(", ")})`;
  const window = isRare ? "" : "AND number <= :after + :window";
  const sql = `SELECT ${eventColumns} FROM events WHERE number > :after ${window} ${condition} ORDER BY number LIMIT ${pageMaxRows}`;
  for (let after = 0; after < last;) {
    const records = database.all(sql, isRare ? { after } : { after, window: windowRows });
    const page = database.attempt(() => records.map((record) => keptOf(record)));
    yield* page;
    const isFull = page.length === pageMaxRows;
    after = isFull ? (page.at(-1)?.number ?? last) : isRare ? last : after + windowRows;
  }
}
