import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { size } from "./long.ts";
import { collect, newPlace, openPlace } from "./orders.ts";

const racers = 8;
/** At each of four steps. */
const deathChance = size(0.1, 0.03);
const racer = join(import.meta.dirname, "fixtures/racer-process.ts");

interface Race {
  readonly place: ReturnType<typeof newPlace>;
  readonly service: string;
  readonly references: number;
}

test("of eight processes that order the same references, exactly one sends each", async () => {
  const race = newRace(size(20, 1000));
  const endings = await Promise.all(Array.from({ length: racers }, () => finish(start(race, 0))));
  expect(endings).toEqual(Array.from({ length: racers }, () => 0));
  expect(await outcomesOf(race)).toEqual({ accepted: race.references });
  expect(sentBy(race)).toHaveLength(race.references);
}, 3_600_000);

test("processes killed at any moment send nothing twice and lose no order", async () => {
  const race = newRace(size(20, 1000));
  let deaths = 0;
  const run = async (): Promise<void> => {
    for (let ending: unknown = null; ending !== 0;) {
      const child = start(race, deathChance);
      // In the short test they die between steps only; in the long one within them too.
      const killer = setTimeout(() => child.kill("SIGKILL"), size(600_000, 1000 + Math.random() * 20_000));
      ending = await finish(child);
      clearTimeout(killer);
      if (ending === null) deaths += 1;
    }
  };
  await Promise.all(Array.from({ length: racers }, run));
  expect(deaths).toBeGreaterThan(0);
  const sent = sentBy(race);
  expect(new Set(sent).size).toBe(sent.length);
  const journal = await openPlace(race.place);
  const movements = await collect(journal.list());
  expect(movements).toHaveLength(race.references);
  expect(movements.filter(({ state }) => state !== "accepted" && state !== "unknown")).toEqual([]);
  expect(movements.filter(({ reference, state }) => state === "accepted" && !sent.includes(reference))).toEqual([]);
  expect(sent.filter((reference) => !movements.some((movement) => movement.reference === reference))).toEqual([]);
  await journal.verify();
  await journal.close();
}, 3_600_000);

function newRace(references: number): Race {
  return { place: newPlace(), service: join(temporaryFolder(), "service"), references };
}

function start({ place, service, references }: Race, chanceOfDeath: number): ChildProcess {
  const words = [racer, place.stateFolder, place.configFolder, service, String(references), String(chanceOfDeath)];
  return spawn(process.execPath, words, {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Its exit code, or null after a kill. */
async function finish(child: ChildProcess): Promise<unknown> {
  const [code]: unknown[] = await once(child, "close");
  return code;
}

function sentBy({ service }: Race): string[] {
  return existsSync(service) ? readFileSync(service, "utf8").trim().split("\n") : [];
}

async function outcomesOf({ place }: Race): Promise<Record<string, number>> {
  const journal = await openPlace(place);
  const counts: Record<string, number> = {};
  for await (const { state } of journal.list()) counts[state] = (counts[state] ?? 0) + 1;
  await journal.close();
  return counts;
}
