import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { column, openDesk, payouts, transfers } from "../commands/batch-service.ts";
import { size } from "../journal/long.ts";
import type { Books } from "./books.ts";
import { openBooks } from "./books.ts";
import type { Step } from "./harmed-run.ts";
import { describeHarm, obstacle, openPlace, runHarmed, stepsOf } from "./harmed-run.ts";
import { kinds } from "./kinds.ts";

// A batch of three rows in the installed program, killed before a system call that changes the journal, stores the
// file or talks to the service. The long run tries every such call.

const why = obstacle();
const isLong = size(0, 1) === 1;
const patienceMs = 3_600_000;
const rowCount = 3;
const [transfer] = kinds;
const decisive: ReadonlySet<string> = new Set(["rename", "ftruncate", "writev"]);

/** Each case has references of its own. */
function batchOf(name: string) {
  const desk = openDesk();
  const file = desk.write(transfers(rowCount).replaceAll("R-", `${name}-`));
  return { desk, line: `batch run ${file} ${payouts} --yes --csv` };
}

test(
  `a batch killed at any point moves each row at most once, and the next run continues`,
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    const steps = await stepsOf(batchOf("T").line, openPlace(books.environment));
    const meant = isLong ? steps : steps.filter(({ call }) => decisive.has(call));
    const untruths: string[] = [];
    const words = new Set<string>();
    for (const [index, step] of meant.entries()) {
      const endured = await endure(step, `K${index}`, books);
      untruths.push(...endured.untruths);
      words.add(endured.word);
    }
    expect(untruths).toEqual([]);
    // Kills before the first row, in the middle of each, and after the last.
    expect([...words]).toEqual(expect.arrayContaining(["accepted", "unknown"]));
  },
  patienceMs,
);

async function endure(step: Step, name: string, books: Books): Promise<{ untruths: string[]; word: string }> {
  const place = openPlace(books.environment);
  const { desk, line } = batchOf(name);
  const moved = () => Promise.all([1, 2, 3].map((number) => books.moved(transfer, `${name}-${number}`)));
  const untruths: string[] = [];
  await runHarmed(line, place, { step, hit: "KILL" });
  const before = await moved();
  let states: string[] = [];
  for (const time of ["once", "twice"]) {
    const again = await place.run(line);
    states = column(again.stdout, "state");
    const isKnown = states.every((state) => state === "accepted");
    if (again.exit !== (isKnown ? 0 : 6)) untruths.push(`run ${time} more it ends with ${again.exit}: ${again.stderr}`);
  }
  const after = await moved();
  for (const [index, state] of states.entries()) {
    const [was = 0, is = 0] = [before[index], after[index]];
    if (is > 1) untruths.push(`row ${index + 1} moved money ${is} times`);
    if (state === "accepted" && is !== 1) untruths.push(`row ${index + 1} is accepted and moved money ${is} times`);
    if (state === "unknown" && was !== is) untruths.push(`row ${index + 1} is unknown and was sent again`);
    if (state !== "accepted" && state !== "unknown") untruths.push(`row ${index + 1} is ${state}`);
  }
  if (states.length !== rowCount) untruths.push(`${states.length} rows are told`);
  rmSync(join(desk.folder), { recursive: true });
  const word = states.find((state) => state !== "accepted") ?? "accepted";
  return { untruths: untruths.map((untruth) => `${describeHarm({ step, hit: "KILL" })}: ${untruth}`), word };
}
