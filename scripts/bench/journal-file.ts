import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { processHost } from "../../src/host/process/process-host.ts";
import { MovementWriter } from "../../src/journal/movement-writer.ts";
import type { EventRow, MovementRow } from "../../src/journal/history/row.ts";
import { eventColumns, movementColumns, openRow, sealRow } from "../../src/journal/history/row.ts";
import { writerVersion } from "../../src/journal/writers.ts";
import { SqliteRows } from "../../src/journal/sqlite/rows.ts";
import { openJournal, openLocal } from "../../src/journal/sqlite/open.ts";

const warn = (line: string) => console.log(line);

/**
 * Writes a journal of `count` orders that were sent and accepted. The first one goes through the ledger; the others are
 * its rows again, each with a name and a seal of its own, in one transaction that nothing waits for.
 */
export async function writeJournal(folder: string, count: number): Promise<void> {
  await writeFirst(folder);
  const database = new DatabaseSync(join(folder, "state", "journal.db"));
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -400000; BEGIN");
  const movement = openRow(movementColumns, database.prepare("SELECT * FROM movements").get());
  const events = database
    .prepare("SELECT * FROM events ORDER BY number")
    .all()
    .map((row) => openRow(eventColumns, row));
  const add = { movement: inserter(database, "movements"), event: inserter(database, "events") };
  for (let index = 1; index < count; index += 1) {
    add.movement(sealRow(movementColumns, movementAt(index, movement)));
    for (const event of events) add.event(sealRow(eventColumns, eventAt(index, event, events.length)));
  }
  database.exec("COMMIT");
  database.close();
}

async function writeFirst(folder: string): Promise<void> {
  const host = processHost();
  const place = { stateFolder: join(folder, "state"), configFolder: join(folder, "config"), version: "bench", warn };
  await (await openJournal(host, { ...place, use: "write" })).close();
  const { database } = await openLocal(host, { ...place, use: "write" });
  const writer = new MovementWriter(host, new SqliteRows(database), { user: "bench", host: "bench", version: "bench" });
  database.commitNow(() => {
    const row = writer.enter({
      scope: "simulator http://127.0.0.1:8080 bench",
      kind: "transfer",
      ...orderAt(0),
      deadlineMs: 60_000,
    });
    const sent = writer.advance(row, "send", "sending", {}, { requestId: "bench" });
    writer.advance(sent, "settle", "accepted", { response: '{"statusCode":"PAYMENT_ACCEPTED"}' });
  });
  database.close();
}

function orderAt(index: number): { readonly reference: string; readonly request: string } {
  const request = `{"amount":1000,"from":"9000112233","to":"9000112244","description":"order ${index}"}`;
  return { reference: `R${index}`, request };
}

function movementAt(index: number, movement: MovementRow): MovementRow {
  const { reference, request } = orderAt(index);
  const hashes = { key_hash: hashOf(reference), request_hash: hashOf(request) };
  return { ...movement, number: movement.number + index, id: randomUUID(), reference, request, ...hashes };
}

function eventAt(index: number, event: EventRow, eventsOfEach: number): EventRow {
  return { ...event, number: event.number + index * eventsOfEach, movement: event.movement + index };
}

/** The length of the real ones, which the list does not look at. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function inserter(database: DatabaseSync, table: "movements" | "events"): (row: MovementRow | EventRow) => void {
  const columns = table === "movements" ? Object.keys(movementColumns) : [...Object.keys(eventColumns), "writer"];
  const names = [...columns, "seal"];
  const values = names.map((name) => `:${name}`).join(", ");
  const statement = database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`);
  statement.setAllowUnknownNamedParameters(true);
  return (row) => void statement.run({ ...row, writer: writerVersion });
}
