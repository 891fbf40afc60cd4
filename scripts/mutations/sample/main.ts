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
import { runTests } from "../tests.ts";
import type { Candidate } from "./candidates.ts";
import { candidatesIn } from "./candidates.ts";
import type { TestFile } from "./coverage.ts";
import { coverTests, testsOf } from "./coverage.ts";
import { Likeness } from "./likeness.ts";

// Slips of the hand at random places of the sources, and whether the tests notice:
//
//     npm run mutations:sample -- [--count 200] [--seed 1] [--in src/journal,src/profiles] [--tests 'test/**/*.test.ts']
//                                 [--likely 8] [--quick] [--log FILE]
//
// First the tests whose words are most like those around the place are tried, one after the other, until one is red.
// Where none is, every other test that runs the place is: to find them out all of the tests are run once. What none of
// them notices is shown to the types. With --quick those others are left out, and what is LEFT is to be looked at by hand.
// With --log a run that was ended goes on where it was. Hours for the whole: the mutations that were chosen are
// `npm run mutations`.

const root = join(import.meta.dirname, "../../..");
const [survived, types, untried] = ["SURVIVED", "tsc", "LEFT"];
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
const counts = { "by a test": 0, "by the types": 0, "by none": 0, left: 0 };
const lines = wish.log !== undefined && existsSync(wish.log) ? readFileSync(wish.log, "utf8").split("\n") : [];
const greenFiles = new Map<string, boolean>();
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const files = globSync(wish.tests, { cwd: copy }).filter((path) => !path.startsWith("test/long"));
  const likeness = new Likeness(files.map((path) => ({ path, text: readFileSync(join(copy, path), "utf8") })));
  let covered: readonly TestFile[] | undefined;
  const cover = () => (covered ??= coverTests(copy, files.toSorted(), say));
  for (const slip of chosen()) settle(slip, likeness, cover);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const noticed = counts["by a test"] + counts["by the types"];
say(`${JSON.stringify(counts)}: ${((100 * noticed) / (noticed + counts["by none"])).toFixed(1)} % noticed`);

/** So many places, each as likely as any other. */
function chosen(): Slip[] {
  const all = globSync(
    wish.in.split(",").map((folder) => `${folder}/**/*.ts`),
    { cwd: copy },
  )
    .toSorted()
    .flatMap((source) => {
      const code = readFileSync(join(copy, source), "utf8");
      return candidatesIn(code).map((candidate): Slip => ({ ...candidate, source, code }));
    });
  const random = randomOf(Number(wish.seed));
  const slips: Slip[] = [];
  while (slips.length < Number(wish.count) && all.length > 0)
    slips.push(...all.splice(Math.floor(random() * all.length), 1));
  return slips;
}

/** Counts a slip, by the log where an earlier run tried it. */
function settle(slip: Slip, likeness: Likeness, cover: () => readonly TestFile[]): void {
  const name = nameOf(slip);
  const before = lines.find((line) => line.endsWith(`  ${name}`) && (wish.quick || !line.startsWith(untried)));
  const by = before === undefined ? tryOut(slip, likeness, cover) : before.slice(0, before.indexOf("  "));
  counts[kindOf(by)] += 1;
  if (before !== undefined) return;
  say(`${by}  ${name}`);
  if (wish.log !== undefined) appendFileSync(wish.log, `${by}  ${name}\n`);
}

function kindOf(by: string): keyof typeof counts {
  if (by === untried) return "left";
  return by === survived ? "by none" : by === types ? "by the types" : "by a test";
}

/** One line, unlike that of any other slip. */
function nameOf({ source, code, start, end, instead }: Slip): string {
  const before = code.slice(0, start).split("\n");
  const place = `${source}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  return `${place}: ${code.slice(start, end)} -> ${instead}`.replaceAll(/\s+/g, " ");
}

function tryOut(
  { source, code, start, end, instead }: Slip,
  likeness: Likeness,
  cover: () => readonly TestFile[],
): string {
  const path = join(copy, source);
  const notices = (use: () => boolean) => {
    writeFileSync(path, code.slice(0, start) + instead + code.slice(end));
    try {
      return use();
    } finally {
      writeFileSync(path, code);
    }
  };
  const isRed = (test: string) => notices(() => !isGreen(test)) && isGreenWithout(test);
  const likely = likeness.nearest(source, code, code.slice(0, start).split("\n").length).slice(0, Number(wish.likely));
  const first = likely.find(isRed);
  if (first !== undefined || wish.quick) return first ?? untried;
  const others = testsOf(cover(), source, start).filter((test) => !likely.includes(test.path));
  const other = others.find((test) => isRed(test.path));
  if (other !== undefined) return other.path;
  return notices(() => spawnSync(join(copy, "node_modules/.bin/tsc"), { cwd: copy, stdio: "ignore" }).status !== 0)
    ? types
    : survived;
}

function isGreen(test: string): boolean {
  return runTests({ tests: [test] }, copy).every(({ ending }) => ending === "green");
}

/** A test that is red anyway would notice everything. */
function isGreenWithout(test: string): boolean {
  const known = greenFiles.get(test) ?? isGreen(test);
  greenFiles.set(test, known);
  return known;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
