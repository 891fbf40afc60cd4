import { expect, test } from "vitest";
import type { PostgresConnection, Statement } from "../../src/host/databases/postgres.ts";
import { PostgresError } from "../../src/host/databases/postgres.ts";
import { answerTimeoutMs, patienceMs, SharedDatabase } from "../../src/storage/postgres/database.ts";
import { memoryHost } from "../memory-host.ts";

/** A server that goes away silently while the first connection waits for it, and is back after some time. */
function serverAwayFor(awayMs: number) {
  const host = memoryHost();
  const committed: string[] = [];
  const { clock, signal } = host;
  const startedAt = clock.elapsed();
  const connect = async (): Promise<PostgresConnection> => ({
    async run(statements: readonly Statement[]) {
      if (clock.elapsed() - startedAt < awayMs) {
        clock.advance(answerTimeoutMs);
        throw new PostgresError("lost", "Query read timeout", "ETIMEDOUT", undefined);
      }
      committed.push(...statements.map(({ text }) => text).filter((text) => text.startsWith("INSERT")));
      return statements.map(() => []);
    },
    onEvent: () => undefined,
    table: async () => ({ columns: [], rows: [] }),
    close: async () => undefined,
  });
  const database = new SharedDatabase(
    { clock, signal, postgres: async () => ({ connect }) },
    {
      settings: {
        servers: [{ host: "h", port: 1, password: undefined, isEncrypted: false }],
        database: "d",
        user: "u",
        tls: { extraCertificates: undefined, own: undefined },
        session: "any",
        connectTimeoutMs: 1,
        answerTimeoutMs,
      },
      explain: (error) => error,
    },
  );
  const order = () =>
    database.write(async (transaction) => {
      await transaction.run({ text: "INSERT" });
    });
  return { order, committed };
}

test("a server that went away silently, and is back when that is noticed, takes the order", async () => {
  const { order, committed } = serverAwayFor(answerTimeoutMs);
  await order();
  expect(committed).toEqual(["INSERT"]);
});

test("the wait for a server that stays away is no longer than promised", async () => {
  const { order, committed } = serverAwayFor(Infinity);
  await expect(order()).rejects.toMatchObject({ kind: "lost" });
  expect(answerTimeoutMs).toBeGreaterThan(patienceMs);
  expect(committed).toEqual([]);
});
