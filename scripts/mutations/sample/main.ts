import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { randomOf } from "../../../test/journal/random.ts";
import { runTests } from "../tests.ts";
import type { Candidate } from "./candidates.ts";
import { candidatesIn } from "./candidates.ts";
import type { TestFile } from "./coverage.ts";
import { coverTests, testsOf } from "./coverage.ts";

// Slips of the hand at random places of the sources, and whether the tests notice:
//
//     npm run mutations:sample -- [--count 200] [--seed 1] [--in src/journal] [--tests 'test/journal/*.test.ts']
//
// Every test file that runs the place is tried, the fastest first, until one is red; what none of them notices is shown
// to the types. Hours for the whole: the mutations that were chosen are `npm run mutations`.

const root = join(import.meta.dirname, "../../..");
const left = new Set([".git", "node_modules", "dist", "artifacts", "tour"]);
const { values: wish } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    in: { type: "string", default: "src" },
    tests: { type: "string", default: "test/**/*.test.ts" },
  },
});

interface Slip extends Candidate {
  readonly source: string;
  readonly code: string;
}

const copy = mkdtempSync(join(tmpdir(), "partner-mutations-"));
const counts = { "by a test": 0, "by the types": 0, "by none": 0 };
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const files = globSync(wish.tests, { cwd: copy }).filter((path) => !path.startsWith("test/long"));
  const tests = coverTests(copy, files.toSorted(), say);
  for (const slip of chosen()) tryOut(slip, tests);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const noticed = counts["by a test"] + counts["by the types"];
say(`${JSON.stringify(counts)}: ${((100 * noticed) / (noticed + counts["by none"])).toFixed(1)} % noticed`);

/** So many places, each as likely as any other. */
function chosen(): Slip[] {
  const all = globSync(`${wish.in}/**/*.ts`, { cwd: copy })
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

function tryOut(slip: Slip, tests: readonly TestFile[]): void {
  const { source, code, start, end, instead } = slip;
  const path = join(copy, source);
  writeFileSync(path, code.slice(0, start) + instead + code.slice(end));
  const by = noticedBy(testsOf(tests, source, start));
  writeFileSync(path, code);
  counts[by === undefined ? "by none" : by === "tsc" ? "by the types" : "by a test"] += 1;
  const line = code.slice(0, start).split("\n").length;
  say(`${by ?? "SURVIVED"}  ${source}:${line}: ${code.slice(start, end)} -> ${instead}`);
}

function noticedBy(tests: readonly TestFile[]): string | undefined {
  for (const { path } of tests) {
    const [verdict] = runTests({ tests: [path] }, copy);
    if (verdict?.ending !== "green") return path;
  }
  return spawnSync(join(copy, "node_modules/.bin/tsc"), { cwd: copy, stdio: "ignore" }).status === 0
    ? undefined
    : "tsc";
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
