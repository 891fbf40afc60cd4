import type { Host } from "../../src/host/host.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openSharedJournal } from "../../src/journal/postgres/open.ts";
import { migrateShared } from "../../src/journal/postgres/migration.ts";
import type { PostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import { readPostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import { inboxLayout } from "../../src/webhooks/inbox/postgres-schema.ts";
import { MadeDatabases } from "../made-databases.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { PostgresServer } from "../postgres.ts";

export function urlOf(text: string): PostgresUrl {
  const url = readPostgresUrl(text);
  if (typeof url === "string") throw new Error(`The address ${url}`);
  return url;
}

/** The address of a new database with a journal and an inbox. */
export async function newShared(server: PostgresServer): Promise<string> {
  const { address } = await made.next(server, async (address) => {
    await migrateShared(memoryHost(), { url: urlOf(address), certificates: undefined }, true, undefined, [inboxLayout]);
  });
  return address;
}

const made = new MadeDatabases<void>();

export interface SharedOptions {
  readonly host?: Host;
  readonly use?: "read" | "write";
  readonly configFolder?: string;
}

/** Opens the journal of a database, as a host of its own does, and collects the warnings for the person. */
export async function openShared(
  address: string,
  { host = memoryHost(), use = "write", configFolder = temporaryFolder() }: SharedOptions = {},
): Promise<Journal & { readonly warnings: readonly string[] }> {
  const warnings: string[] = [];
  const place = { url: urlOf(address), configFolder, version: "1.2.3", certificates: undefined };
  const journal = await openSharedJournal(host, { ...place, use, warn: (line) => void warnings.push(line) });
  return Object.assign(journal, { warnings });
}
