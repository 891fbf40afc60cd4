import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { memoryHost } from "../../test/memory-host.ts";
import { needsPostgres, postgresServer } from "../../test/postgres.ts";
import { migrateShared } from "../../src/journal/postgres/migration.ts";
import { readPostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import type { Bench } from "./bench.ts";
import { slowLine } from "./slow-line.ts";
import { threeCommits } from "./three-commits.ts";
import { median } from "./turns.ts";

const orders = Number(process.env["BENCH_SHARED_ORDERS"] ?? 160);
const roundTripMs = 10;
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** The server runs as a user of its own, which has to find its files in there. */
export const traversable = 0o711;
const program = join(import.meta.dirname, "shared-journal-process.ts");

/**
 * Orders a second through one PostgreSQL on this disk, by how many processes share it, and one order against SQLite's.
 */
export async function benchSharedJournal({ folder, figures }: Bench): Promise<void> {
  if (needsPostgres !== "") return console.log(`\nThe shared journal is not measured${needsPostgres}.`);
  chmodSync(folder, traversable);
  // On the disk, where a commit costs what it costs.
  const server = postgresServer(folder);
  try {
    await server.start();
    const address = await server.newDatabase();
    await makeShared(address);
    const local = join(folder, "shared-or-not");
    const [sqlite, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const [one, other] = [await rateOf(local, join(local, "config"), 1), await rateOf(address, join(folder, "c"), 1)];
      // The first round warms up.
      if (round > 0) [sqlite, alone].forEach((rates, index) => rates.push(index === 0 ? one : other));
    }
    const [fast = Number.NaN, own = Number.NaN] = [median(sqlite), median(alone)];
    console.log(
      `\nShared journal, ${orders} orders of 3 commits each, ${rounds} rounds (load ${loadavg()[0]?.toFixed(2)})`,
    );
    console.log(`SQLite, 1 process      ${fast.toFixed(0).padStart(6)} orders/s ${(1000 / fast).toFixed(1)} ms each`);
    console.log(`PostgreSQL, 1 process  ${own.toFixed(0).padStart(6)} orders/s ${(1000 / own).toFixed(1)} ms each`);
    for (const count of [8, 32]) {
      const rates: number[] = [];
      for (let round = 0; round < rounds; round += 1) rates.push(await rateOf(address, join(folder, "c"), count));
      const rate = median(rates) ?? Number.NaN;
      console.log(`PostgreSQL, ${String(count).padStart(2)} processes ${rate.toFixed(0).padStart(4)} orders/s`);
    }
    const allowed = threeCommits(address, folder);
    if (allowed !== undefined) console.log(`pgbench, 32 clients, 3 commits ${allowed.toFixed(0).padStart(4)} times/s`);
    const line = await slowLine(server.port, roundTripMs / 2);
    try {
      for (const together of [1, 8]) {
        const rate = await rateOf(
          address.replace(`:${server.port}/`, `:${line.port}/`),
          join(folder, "c"),
          1,
          together,
        );
        console.log(
          `PostgreSQL, ${roundTripMs} ms away, ${together} at a time ${rate.toFixed(1).padStart(6)} orders/s`,
        );
      }
    } finally {
      line.close();
    }
    figures.push({
      what: "shared journal, one order on this machine",
      value: `${(1000 / own).toFixed(1)} ms`,
      ratio: (fast / own).toFixed(2),
      against: "in time, the journal in SQLite",
    });
  } finally {
    await server.crash();
  }
}

/** Makes the tables of a shared journal in an empty database. */
export async function makeShared(address: string): Promise<void> {
  const url = readPostgresUrl(address);
  if (typeof url === "string") throw new Error(url);
  await migrateShared(memoryHost(), { url, certificates: undefined }, true);
}

/** Orders a second of so many processes, each with so many at a time, from the moment in which all of them are ready. */
async function rateOf(place: string, config: string, count: number, together = 1): Promise<number> {
  const words = [program, place, config, String(orders / count), String(together)];
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  const started = performance.now();
  const ended = children.map((child) => once(child, "exit"));
  const done = children.map(({ stdout }) => once(stdout, "data"));
  for (const { stdin } of children) stdin.end("go\n");
  await Promise.all(done);
  const ms = performance.now() - started;
  await Promise.all(ended);
  return (orders * 1000) / ms;
}
