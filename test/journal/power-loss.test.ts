import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { Marks } from "../../src/journal/age/marks.ts";
import { Failure } from "../../src/values/failure.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { size } from "./long.ts";
import { collect, openPlace } from "./orders.ts";
import { loseThePower, record, whyUnwatched } from "./power/loss.ts";

const recorder = join(import.meta.dirname, "fixtures/recorder-process.ts");

test("after a power loss at any moment the disk has everything that a sender relied on", async ({ skip }) => {
  if (whyUnwatched !== undefined) skip(whyUnwatched);
  const { states, losses } = await tryOrders(size(5, 12), "careful", size(150, 2000));
  expect(losses).toEqual([]);
  expect(states).toBeGreaterThan(100);
}, 3_600_000);

test("the power-loss test finds the losses of SQLite's default rollback journal", async ({ skip }) => {
  if (whyUnwatched !== undefined) skip(whyUnwatched);
  const { losses } = await tryOrders(2, "careless", 60);
  expect(losses).not.toEqual([]);
}, 3_600_000);

/** Lets a process send so many orders, and the power fail so many times meanwhile. */
function tryOrders(orders: number, care: "careful" | "careless", count: number) {
  const folder = temporaryFolder();
  const [state, config] = [join(folder, "state"), join(folder, "config")];
  const deeds = record(folder, recorder, state, config, String(orders), care);
  return loseThePower(deeds, count, [state, config, join(config, "marks")], (said) => lookFor(said, state, config));
}

async function lookFor(said: readonly string[], state: string, config: string): Promise<string[]> {
  try {
    const marked = await markedIn(config);
    const journal = await openPlace({ stateFolder: state, configFolder: config });
    try {
      await journal.verify();
      const sendings = new Map<string, number>();
      for (const { reference, number, event } of await collect(journal.history()))
        if (event.step === "send") sendings.set(reference, number);
      const found = new Map((await collect(journal.list())).map((each) => [each.reference, each.state]));
      return said.flatMap((line) => {
        const [word = "", reference = ""] = line.split(" ");
        const now = found.get(reference);
        if (word === "sending" && (sendings.get(reference) ?? 0) > marked) return [`${line}, which the mark lacks`];
        const isKept = word === "sending" ? now !== undefined && now !== "unsent" : now === word;
        return isKept ? [] : [`${line}, but now ${now ?? "not there"}`];
      });
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message];
  }
}

/** The position of the journal in its mark; 0 without a mark. */
async function markedIn(config: string): Promise<number> {
  const names = await nodeFiles().names(join(config, "marks"));
  const paths = { known: join(config, "journals.json"), money: "none" } as const;
  const marks = names.map((name) => new Marks(memoryHost(), paths, name.split(".")[0] ?? "").read());
  return Math.max(0, ...(await Promise.all(marks)).map((mark) => mark?.number ?? 0));
}
