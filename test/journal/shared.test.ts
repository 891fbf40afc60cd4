import { afterAll, beforeAll, describe } from "vitest";
import type { PostgresServer } from "../postgres.ts";
import { needsPostgres, startPostgres } from "../postgres.ts";
import { journalContract } from "./journal-contract.ts";
import { makeShared, openShared } from "./shared-places.ts";

describe.skipIf(needsPostgres !== "")(`a shared journal${needsPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.crash(), 60_000);

  journalContract("postgres", () => {
    let address: Promise<string> | undefined;
    return async (host) => openShared(await (address ??= newJournal()), { host });
  });

  async function newJournal(): Promise<string> {
    const address = await server.newDatabase();
    await makeShared(address);
    return address;
  }
});
