import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import { size } from "./long.ts";
import { collect } from "./orders.ts";
import { newShared, openShared } from "./shared-places.ts";

const racers = size(4, 8);
const references = size(10, 1000);
/** At each of four steps. */
const deathChance = size(0.04, 0.01);
/** The server crashes with every so many processes. */
const deathsPerCrash = size(2, 10);
const racer = join(import.meta.dirname, "fixtures/racer-process.ts");

withPostgres("a race for a shared journal", (server) => {
  test("sends nothing twice and loses no outcome when processes and servers die at any moment", async () => {
    const address = await newShared(server);
    const service = join(temporaryFolder(), "service");
    let deaths = 0;
    let crashes = 0;
    let crashing: Promise<void> = Promise.resolve();
    const crash = () => {
      crashes += 1;
      crashing = crashing.then(() => server.crash()).then(() => server.start());
    };
    const firstDeath = Promise.withResolvers<void>();
    // The first one dies before the others begin and then again and again, so that every run has some crashes.
    const run = async (index: number): Promise<void> => {
      // Each is a host of its own, with its own memory of the journal.
      const folder = temporaryFolder();
      for (let ending: unknown = null; ending !== 0;) {
        const chance = index > 0 ? deathChance : deaths === 0 ? 1 : 0.5;
        const child = start([address, folder, service, String(references), String(chance)]);
        const [code]: unknown[] = await once(child, "close");
        ending = index === 0 && deaths > racers ? 0 : code;
        if (code === null) deaths += 1;
        if (code === null && deaths % deathsPerCrash === 1) crash();
        if (code === null) firstDeath.resolve();
        if (code !== null && code !== 0) throw new Error(`A process ended with ${JSON.stringify(code)}`);
      }
    };
    const first = run(0);
    await Promise.race([first, firstDeath.promise]);
    await Promise.all([first, ...Array.from({ length: racers - 1 }, (_, index) => run(index + 1))]);
    await crashing;
    expect(crashes).toBeGreaterThan(0);
    const [sent, told] = [linesOf(service), linesOf(`${service}.told`)];
    expect(new Set(sent).size).toBe(sent.length);
    const journal = await openShared(address);
    const movements = await collect(journal.list());
    const accepted = new Set(movements.filter(({ state }) => state === "accepted").map(({ reference }) => reference));
    expect(movements).toHaveLength(references);
    expect(movements.filter(({ state }) => state !== "accepted" && state !== "unknown")).toEqual([]);
    expect([...accepted].filter((reference) => !sent.includes(reference))).toEqual([]);
    expect(told.filter((reference) => !accepted.has(reference))).toEqual([]);
    await journal.verify();
    await journal.close();
  }, 3_600_000);
});

function start(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [racer, ...words], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}
