import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { randomOf } from "../../../test/journal/random.ts";
import { firstRedAmong, runTests } from "../tests.ts";
import type { Candidate } from "./candidates.ts";
import { candidatesIn } from "./candidates.ts";
import { isEquivalent } from "./equivalent.ts";
import { Likeness, testText } from "./likeness.ts";
import type { Ended, Outcome } from "./outcome.ts";
import { figures, shortfalls } from "./outcome.ts";

// Slips of the hand at random places of the sources, and whether the tests notice:
//
//     npm run mutations:sample -- [--count 200] [--seed 1] [--in src/journal,src/profiles] [--tests 'test/**/*.test.ts']
//                                 [--likely 8] [--quick] [--log FILE]
//
// First the tests whose words are most like those around the place are run, each alone, until one is red. Where none is,
// all the others are run together, again the most alike first, until one is red. What no test notices is shown to the
// types. Ends with 1 where less is noticed than `outcome.ts` asks for. With --quick those others are left out, and what is
// LEFT is to be looked at by hand. With --log a run that was ended goes on where it was, and looks into what was LEFT.
// Hours for the whole, which `npm run test:long` runs: the mutations that were chosen are `npm run mutations`.

const root = join(import.meta.dirname, "../../..");
const [survived, types, untried] = ["SURVIVED", "tsc", "LEFT"];
/** The first tests that are run together: most slips are noticed by one of them. */
const togetherCount = 64;
const left = new Set([".git", "node_modules", "dist", "artifacts", "tour"]);
const { values: wish } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    in: { type: "string", default: "src" },
    tests: { type: "string", default: "test/**/*.test.ts" },
    likely: { type: "string", default: "8" },
    log: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});

interface Slip extends Candidate {
  readonly source: string;
  readonly code: string;
}

const copy = mkdtempSync(join(tmpdir(), "partner-mutations-"));
const ended: Ended[] = [];
const lines = wish.log !== undefined && existsSync(wish.log) ? readFileSync(wish.log, "utf8").split("\n") : [];
const greenFiles = new Map<string, boolean>();
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const files = globSync(wish.tests, { cwd: copy }).filter((path) => !path.startsWith("test/long"));
  const likeness = new Likeness(files.map((path) => testText(copy, path)));
  for (const slip of chosen()) settle(slip, likeness);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
for (const line of figures(ended)) say(line);
if (!wish.quick) {
  const missed = shortfalls(ended);
  for (const line of missed) say(line);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** So many places, each as likely as any other. */
function chosen(): Slip[] {
  const all = globSync(
    wish.in.split(",").map((folder) => `${folder}/**/*.ts`),
    { cwd: copy },
  )
    .toSorted()
    .flatMap((source) => {
      const code = readFileSync(join(copy, source), "utf8");
      return candidatesIn(code)
        .filter((candidate) => !isEquivalent(source, code, candidate))
        .map((candidate): Slip => ({ ...candidate, source, code }));
    });
  const random = randomOf(Number(wish.seed));
  const slips: Slip[] = [];
  while (slips.length < Number(wish.count) && all.length > 0)
    slips.push(...all.splice(Math.floor(random() * all.length), 1));
  return slips;
}

/** Counts a slip, by the log where an earlier run tried it. */
function settle(slip: Slip, likeness: Likeness): void {
  const name = nameOf(slip);
  const before = lines.find((line) => line.endsWith(`  ${name}`) && (wish.quick || !line.startsWith(untried)));
  const by = before === undefined ? tryOut(slip, likeness) : before.slice(0, before.indexOf("  "));
  ended.push({ source: slip.source, outcome: outcomeOf(by) });
  if (before !== undefined) return;
  say(`${by}  ${name}`);
  if (wish.log !== undefined) appendFileSync(wish.log, `${by}  ${name}\n`);
}

function outcomeOf(by: string): Outcome {
  if (by === untried) return "left";
  return by === survived ? "survived" : "noticed";
}

/** One line, unlike that of any other slip. */
function nameOf({ source, code, start, end, instead }: Slip): string {
  const before = code.slice(0, start).split("\n");
  const place = `${source}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  return `${place}: ${code.slice(start, end)} -> ${instead}`.replaceAll(/\s+/g, " ");
}

function tryOut(slip: Slip, likeness: Likeness): string {
  const { source, code, start } = slip;
  const tests = likeness.nearest(source, code, code.slice(0, start).split("\n").length);
  const likelyCount = Number(wish.likely);
  const first = firstRed(slip, tests.slice(0, likelyCount));
  if (first !== undefined || wish.quick) return first ?? untried;
  const other =
    firstRedOf(slip, tests.slice(likelyCount, likelyCount + togetherCount)) ??
    firstRedOf(slip, tests.slice(likelyCount + togetherCount));
  if (other !== undefined) return other;
  const isTyped = withSlip(slip, () => runIn("node_modules/.bin/tsc"));
  return isTyped ? survived : types;
}

/** The first of these tests that notices, each run alone. One that is red anyway would notice everything. */
function firstRed(slip: Slip, tests: readonly string[]): string | undefined {
  let rest = tests.filter((test) => greenFiles.get(test) !== false);
  for (;;) {
    const red = withSlip(slip, () => {
      build();
      return rest.find((test) => !isGreen(test));
    });
    if (red === undefined || isGreenWithout(red)) return red;
    rest = rest.slice(rest.indexOf(red) + 1);
  }
}

/** One of these tests that notices, all run together. One that is red in company alone has noticed nothing. */
function firstRedOf(slip: Slip, tests: readonly string[]): string | undefined {
  const rest = new Set(tests.filter((test) => greenFiles.get(test) !== false));
  for (;;) {
    const red = withSlip(slip, () => {
      build();
      const found = firstRedAmong([...rest], copy);
      return found === undefined ? undefined : { path: found, isAlone: !isGreen(found) };
    });
    if (red === undefined) return undefined;
    if (red.isAlone && isGreenWithout(red.path)) return red.path;
    rest.delete(red.path);
  }
}

function withSlip<T>({ source, code, start, end, instead }: Slip, use: () => T): T {
  const path = join(copy, source);
  writeFileSync(path, code.slice(0, start) + instead + code.slice(end));
  try {
    return use();
  } finally {
    writeFileSync(path, code);
  }
}

/** Some commands start the built program. What cannot be built is noticed by the tests, which load the sources. */
function build(): void {
  runIn(process.execPath, "scripts/build/main.ts");
}

/** @returns whether it ended well */
function runIn(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { cwd: copy, stdio: "ignore" }).status === 0;
}

function isGreen(test: string): boolean {
  return runTests({ tests: [test] }, copy).every(({ ending }) => ending === "green");
}

function isGreenWithout(test: string): boolean {
  const known = greenFiles.get(test);
  if (known !== undefined) return known;
  build();
  const isGreenNow = isGreen(test);
  greenFiles.set(test, isGreenNow);
  return isGreenNow;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
