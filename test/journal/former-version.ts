import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createTransport } from "../../src/host/http/http-transport.ts";
import type { Transport, TransportSettings } from "../../src/host/http/transport.ts";
import type { Desk } from "../commands/journal-desk.ts";
import { hire } from "../commands/four-eyes.ts";
import type { PostgresServer } from "../postgres.ts";

// Made by partner 0.1.0 itself with its own simulator; the orders are those of the table. The shared one is a dump of
// its database, with four eyes in use.
export const fixture = (name: string) =>
  gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/0.1.0", `${name}.gz`)));
export const formerId = "0f6a0732-c245-4ea5-8a97-0d6fdc6fbfeb";

/** The processes of its last two orders have ended. */
export const gone = { world: { machine: { processFate: () => "ended" as const } } };

/** Puts the journal of 0.1.0 and its marks in their place, after the journal was moved once. */
export function layOut({ config, state, journal }: Desk): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(journal, fixture("journal.db"), { mode: 0o600 });
  const journals = [join(config, "first", "journal.db"), journal].map((path) => ({ path, id: formerId }));
  writeFileSync(join(config, "journals.json"), JSON.stringify({ version: 1, journals }), { mode: 0o600 });
}

/** The service's address when the batches were submitted. */
export const formerUrl = "http://127.0.0.1:45141/partner/v1";

/** Requests to that address go to this one. */
export async function transportTo(baseUrl: string, settings: TransportSettings): Promise<Transport> {
  const send = await createTransport(settings, {});
  return (request) => send({ ...request, url: request.url.replace(formerUrl, baseUrl) });
}

/** The database of 0.1.0 with its roles, restored from a dump. */
export async function restored(server: PostgresServer): Promise<string> {
  await hire(server);
  const groups = ["maker", "checker", "runner", "auditor"].map((group) => `CREATE ROLE partner_${group} NOLOGIN;`);
  await server.sql("postgres", groups.join("\n"));
  await server.sql(
    "postgres",
    "GRANT partner_maker TO amina; GRANT partner_checker TO baraka; GRANT partner_runner TO runner",
  );
  const address = await server.newDatabase();
  await server.sql(address, fixture("shared.sql").toString());
  return address;
}

/** Removes from a SQLite journal the mark by which it keeps out writers without keys and sums. */
export const withoutWriters = "DROP TRIGGER events_writers_know; ALTER TABLE events DROP COLUMN writer";
