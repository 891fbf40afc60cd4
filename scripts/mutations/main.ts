import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Mutation } from "./mutation.ts";
import { mutate, staleness } from "./mutation.ts";
import { mutations } from "./mutations.ts";
import type { Verdict } from "./tests.ts";
import { runTests } from "./tests.ts";

// `npm run mutations`: are the tests tested? Makes one mistake after the other in a copy of the sources as they stand,
// and runs the tests that have to notice. Ends with 1 when one survives. `npm run mutations -- callback` tries only
// those whose name has the word.

const root = join(import.meta.dirname, "../..");
/** What is not copied: it is made anew, linked, or no business of tests. */
const left = new Set([".git", "node_modules", "dist", "artifacts", "tour"]);

const [word = ""] = process.argv.slice(2);
const chosen = mutations.filter(({ name }) => name.includes(word));
const stale = chosen.flatMap((mutation) => staleness(mutation, root));
const copy = mkdtempSync(join(tmpdir(), "partner-mutations-"));
const survivors: string[] = [];
const whole = new Map<string, readonly Verdict[]>();
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  if (stale.length === 0) for (const mutation of chosen) tryOut(mutation);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const wrong = [...stale, ...survivors];
say(wrong.length === 0 ? `All ${chosen.length} were noticed.` : `${wrong.length} of ${chosen.length} are wrong:`);
for (const line of wrong) say(`  ${line}`);
process.exitCode = wrong.length === 0 && chosen.length > 0 ? 0 : 1;

/** A test that is red anyway would notice everything. */
function tryOut(mutation: Mutation): void {
  const { name } = mutation;
  const ill = wholeOf(mutation).find(({ ending }) => ending !== "green");
  if (ill !== undefined) return survive(`${name}: its tests fail without it: ${ill.first}`);
  const takeBack = mutate(mutation, copy);
  const verdicts = runTests(mutation, copy);
  takeBack();
  const blind = verdicts.find(({ ending }) => ending !== "red");
  if (blind === undefined) return say(`red    ${name}: ${verdicts[0]?.first}`);
  return survive(`${name}: ${blind.ending === "green" ? `${blind.first} did not notice` : blind.first}`);
}

/** The tests without a mistake, once for all mutations that are noticed by the same ones. */
function wholeOf(mutation: Mutation): readonly Verdict[] {
  const key = JSON.stringify([mutation.tests, mutation.only]);
  const verdicts = whole.get(key) ?? runTests(mutation, copy);
  whole.set(key, verdicts);
  return verdicts;
}

function survive(line: string): void {
  survivors.push(line);
  say(`WRONG  ${line}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
