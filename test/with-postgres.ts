import { afterAll, beforeAll, describe } from "vitest";
import type { PostgresServer } from "./postgres.ts";
import { needsPostgres, postgresServer } from "./postgres.ts";

const startTimeoutMs = 60_000;

/** Tests that share a server of PostgreSQL's own, and are skipped where there is none. */
export function withPostgres(name: string, tests: (server: PostgresServer) => void): void {
  describe.skipIf(needsPostgres !== "")(`${name}${needsPostgres}`, () => {
    const server = postgresServer();
    beforeAll(() => server.start(), startTimeoutMs);
    afterAll(() => server.crash(), startTimeoutMs);
    tests(server);
  });
}
