import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { openBooks } from "./books.ts";
import type { Place } from "./harmed-run.ts";
import { describeHarm, obstacle, openPlace, runHarmed, stepsOf } from "./harmed-run.ts";

// A process that takes people's texts out of a journal, and is killed on the way.

const why = obstacle();
const patienceMs = 3_600_000;
const decisive: ReadonlySet<string> = new Set(["fsync", "ftruncate", "rename", "unlink"]);
const redact = "journal redact --older-than 1ms --yes --json";
const personal = /Rent of Asha/;
/** After every order. */
const later = Date.UTC(2040, 0, 1);
const isLong = size(0, 1) === 1;

const row = (reference: string, amount: number) => `${reference},9000112233,9000112244,${amount},Rent of Asha\n`;

/** A place where a batch of two transfers was run; its file is elsewhere. */
async function openPaid(environment: Readonly<Record<string, string>>) {
  const place = openPlace(environment);
  const file = join(openPlace({}).folder, "rent.csv");
  writeFileSync(file, `reference,from,to,amount,description\n${row("R-1", 5)}${row("R-2", 6)}`);
  const batch = `batch run ${file} --kind transfer --yes --allow-repeats --check-statement never`;
  expect(await place.run(batch)).toMatchObject({ exit: 0 });
  const { stderr } = await place.run("journal export --events --output ndjson");
  const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1] ?? "";
  return { place, batch, head };
}

function textsIn({ stateFolder }: Place): string {
  const files = readdirSync(stateFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

test(
  "after a kill at any point the journal is whole, the next run redacts the rest, and nothing is sent again",
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    const trial = await openPaid(books.environment);
    const steps = (await stepsOf(redact, trial.place)).filter(({ call }) => isLong || decisive.has(call));
    expect(textsIn(trial.place)).not.toMatch(personal);
    expect(steps.length).toBeGreaterThan(5);
    const untruths: string[] = [];
    for (const step of steps) {
      const { place, batch, head } = await openPaid(books.environment);
      const harm = { step, hit: "KILL" } as const;
      const wrong = (what: string) => untruths.push(`${describeHarm(harm)}: ${what}`);
      const sent = books.arrived();
      await runHarmed(redact, place, harm);
      if ((await place.movements()).some(({ state }) => state !== "accepted")) wrong("an order has another state");
      const next = await place.run(redact, { now: later });
      if (next.exit !== 0) wrong(next.stderr);
      if (personal.test(textsIn(place))) wrong("a text is left");
      const verified = await place.run(`journal verify --head ${head}`);
      if (verified.exit !== 0) wrong(verified.stderr);
      const again = await place.run(batch);
      if (again.exit !== 0) wrong(again.stderr);
      if (books.arrived() !== sent) wrong("an order was sent again");
    }
    expect(untruths).toEqual([]);
  },
  patienceMs,
);
