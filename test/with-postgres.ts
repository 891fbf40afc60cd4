import { afterAll, beforeAll, describe } from "vitest";
import type { NpmVersion, PostgresServer } from "./postgres.ts";
import { needsPostgres, needsVersion, postgresServer } from "./postgres.ts";

/** Sets another default server for tests: the long run repeats the daily tests on it. */
let usual: NpmVersion | undefined;
export function useVersion(version: NpmVersion): void {
  usual = version;
}

/** Tests with a PostgreSQL server of their own, which are skipped where there is none. */
export function withPostgres(
  name: string,
  tests: (server: PostgresServer) => void,
  version: NpmVersion | undefined = usual,
): void {
  const missing = version === undefined ? needsPostgres : needsVersion(version);
  describe.skipIf(missing !== "")(`${name}${missing}`, () => {
    const server = postgresServer(undefined, version);
    beforeAll(() => server.start());
    afterAll(() => server.crash());
    tests(server);
  });
}
