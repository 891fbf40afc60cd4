import { expect, test } from "vitest";
import { growthFault } from "../../hostile/cost.ts";
import { runOf, runs } from "../../hostile/runs.ts";
import { readSources } from "../../tidy/source.ts";

const sizes = [1024, 8192, 65_536];
/** The end of a run: nothing, a text that never fits, or the text that the run may have been waiting for. */
const ends = ["", "\u0001", "x", "\\", "\n"];

const patterns = new Map(
  readSources().flatMap(({ path, patterns }) =>
    patterns.map((pattern) => [`${path} ${String(pattern)}`, pattern] as const),
  ),
);

/** Characters and words of the pattern itself: they cost it the most time. */
function ownRuns({ source }: RegExp): string[] {
  const words = source.match(/[\w:/ -]{2,}/g) ?? [];
  const signs = [...new Set(source.replaceAll(/\\[a-zA-Z]/g, "").replaceAll("\\", ""))];
  return [...words, ...signs, ...signs.flatMap((first) => signs.slice(0, 8).map((second) => first + second))];
}

/** The beginning of a run: at once, or after a possible beginning of the pattern. */
function startsOf(pattern: RegExp): string[] {
  const [word = ""] = pattern.source.replaceAll(/[\\^]/g, "").match(/[\w:/-]{2,}/) ?? [];
  const [sign = ""] = pattern.source.replaceAll(/\\[a-zA-Z]/g, "").replaceAll(/[\\^([]/g, "");
  return [...new Set(["", word, sign])];
}

function match(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) for (const _ of text.matchAll(pattern));
  else pattern.exec(text);
}

test.each([...patterns])("%s takes time that grows with the text", async (_, pattern) => {
  const faults: string[] = [];
  for (const run of new Set([...runs, ...ownRuns(pattern)])) {
    for (const start of startsOf(pattern)) {
      for (const end of ends) {
        const fault = await growthFault((size) => match(pattern, start + runOf(run, size) + end), sizes);
        if (fault !== undefined) faults.push(`${JSON.stringify([start, run, end])}: ${fault}`);
        if (faults.length > 0) break;
      }
    }
  }
  expect(faults).toEqual([]);
});
