import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../src/values/failure.ts";
import { size } from "../journal/long.ts";
import { loseThePower, record, recordFailing, whyUnwatched } from "../journal/power/loss.ts";
import { temporaryFolder } from "../memory-host.ts";
import { keptIn } from "./process.ts";

const recorder = join(import.meta.dirname, "fixtures/inbox-process.ts");
const retrier = join(import.meta.dirname, "fixtures/retry-process.ts");

test("an event that was answered with 200 is there after a power loss at any moment", async ({ skip }) => {
  if (whyUnwatched !== undefined) skip(whyUnwatched);
  const { states, losses } = await tryGroups(size(8, 24), "careful", size(120, 2000));
  expect(losses).toEqual([]);
  expect(states).toBeGreaterThan(100);
}, 3_600_000);

test("the power-loss test finds the losses of an inbox that does not wait for the disk", async ({ skip }) => {
  if (whyUnwatched !== undefined) skip(whyUnwatched);
  const { losses } = await tryGroups(4, "careless", 60);
  expect(losses).not.toEqual([]);
}, 3_600_000);

test("an event whose sync failed is on the disk before the next receiver reports that it has it", async ({ skip }) => {
  if (whyUnwatched !== undefined) skip(whyUnwatched);
  const folder = join(temporaryFolder(), "state");
  mkdirSync(folder, { mode: 0o700 });
  const killed = recordFailing(folder, retrier, folder);
  expect(killed.filter(({ does }) => does === "say")).toEqual([]);
  const next = record(folder, retrier, folder);
  expect(next.filter(({ does }) => does === "say")).toEqual([{ does: "say", text: "A\n" }]);
  const { losses } = await loseThePower([...killed, ...next], 200, [folder], (answered) => lookFor(answered, folder));
  expect(losses).toEqual([]);
}, 3_600_000);

/** Lets a process store so many groups of events, and the power fail so many times meanwhile. */
function tryGroups(groups: number, care: "careful" | "careless", count: number) {
  const folder = join(temporaryFolder(), "state");
  mkdirSync(folder, { mode: 0o700 });
  const deeds = record(folder, recorder, folder, String(groups), care);
  return loseThePower(deeds, count, [folder], (answered) => lookFor(answered, folder));
}

async function lookFor(answered: readonly string[], folder: string): Promise<string[]> {
  try {
    const found = new Set((await keptIn(folder)).map(({ id }) => id));
    return answered.filter((id) => !found.has(id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message];
  }
}
