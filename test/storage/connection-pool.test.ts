import { expect, test } from "vitest";
import type { PostgresConnection } from "../../src/host/databases/postgres.ts";
import { PostgresError } from "../../src/host/databases/postgres.ts";
import { ConnectionPool } from "../../src/storage/postgres/pool.ts";

/** A server with so many connections left, which notes how many are open. */
function serverWith(connections: number) {
  const seen = { open: 0, most: 0 };
  const connect = async (): Promise<PostgresConnection> => {
    if (seen.open >= connections) throw new PostgresError("lost", "too many clients already", "53300", undefined);
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    return {
      run: async () => [],
      table: async () => ({ columns: [], rows: [] }),
      onEvent: () => undefined,
      close: async () => void (seen.open -= 1),
    };
  };
  return { seen, connect };
}

const turns = async (pool: ConnectionPool, count: number, work: () => Promise<void> = async () => undefined) =>
  Promise.allSettled(Array.from({ length: count }, () => pool.use(work)));

test("only so many transactions run at a time, and all of them are done", async () => {
  const { seen, connect } = serverWith(100);
  const pool = new ConnectionPool(connect, 8);
  let [running, most] = [0, 0];
  const ended = await turns(pool, 40, async () => {
    most = Math.max(most, (running += 1));
    await Promise.resolve();
    running -= 1;
  });
  expect(ended.every(({ status }) => status === "fulfilled")).toBe(true);
  expect({ most, opened: seen.most }).toEqual({ most: 8, opened: 8 });
  await pool.close();
  expect(seen.open).toBe(0);
});

test("a server with fewer connections is used with those, and no work fails", async () => {
  const { seen, connect } = serverWith(3);
  const pool = new ConnectionPool(connect, 8);
  const ended = await turns(pool, 40, async () => Promise.resolve());
  expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(seen.most).toBe(3);
  await pool.close();
});

test("a server that has no connection at all is asked once, and its own error is reported", async () => {
  const tooMany = new PostgresError("lost", "too many clients already", "53300", undefined);
  let asked = 0;
  const connect = async (): Promise<PostgresConnection> => {
    asked += 1;
    throw asked === 1 ? tooMany : new Error("It was asked again");
  };
  const pool = new ConnectionPool(connect, 8);
  await expect(pool.use(async () => undefined)).rejects.toBe(tooMany);
  expect(asked).toBe(1);
  await pool.close();
});

test("a lost connection is not used again, and one with a refused statement is", async () => {
  const { seen, connect } = serverWith(100);
  const pool = new ConnectionPool(connect, 1);
  const lost = new PostgresError("lost", "Connection terminated unexpectedly", "ECONNRESET", undefined);
  await expect(pool.use(async () => Promise.reject(lost))).rejects.toBe(lost);
  expect(seen.open).toBe(0);
  expect(await pool.use(async () => "work goes on")).toBe("work goes on");
  const refused = new PostgresError("refused", "no", "42601", undefined);
  await expect(pool.use(async () => Promise.reject(refused))).rejects.toBe(refused);
  expect(seen.open).toBe(1);
  await pool.close();
});
