import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A part of a source that a test file ran, or did not: offsets, as V8 counts them. */
interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** A test file, how long it takes, and what it runs of each source. */
export interface TestFile {
  readonly path: string;
  readonly tookMs: number;
  readonly ranges: ReadonlyMap<string, readonly Range[]>;
}

const fileTimeoutMs = 300_000;

/**
 * Runs every test file alone, and remembers what of the sources it runs, its child processes included. A file that is
 * not green by itself, as one that wants a build, would notice everything: it is left out, and said.
 */
export function coverTests(copy: string, files: readonly string[], say: (line: string) => void): TestFile[] {
  return files.flatMap((path, index) => {
    const folder = join(copy, "coverage");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const began = Date.now();
    const vitest = join(copy, "node_modules/vitest/vitest.mjs");
    const env = { ...process.env, NODE_V8_COVERAGE: folder };
    const run = { cwd: copy, env, stdio: "ignore", timeout: fileTimeoutMs } as const;
    const { status } = spawnSync(process.execPath, [vitest, "run", path], run);
    const tookMs = Date.now() - began;
    const ranges = readRanges(folder, copy);
    const isGreen = status === 0;
    say(`${index + 1}/${files.length} ${path}: ${isGreen ? `${ranges.size} sources, ${tookMs} ms` : "left out"}`);
    return isGreen ? [{ path, tookMs, ranges }] : [];
  });
}

/** The test files that run the place, the fastest first. */
export function testsOf(tests: readonly TestFile[], source: string, offset: number): readonly TestFile[] {
  return tests
    .filter(({ ranges }) => isRun(ranges.get(source) ?? [], offset))
    .toSorted((one, other) => one.tookMs - other.tookMs);
}

/** True where the smallest range around the place was run in one of the processes. */
function isRun(ranges: readonly Range[], offset: number): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
  const smallest = Math.min(...around.map(sizeOf));
  return around.some((range) => sizeOf(range) === smallest && range.count > 0);
}

function sizeOf({ startOffset, endOffset }: Range): number {
  return endOffset - startOffset;
}

function readRanges(folder: string, copy: string): Map<string, Range[]> {
  const ranges = new Map<string, Range[]>();
  const sources = pathToFileURL(join(copy, "src/")).href;
  for (const name of readdirSync(folder)) {
    const { result }: { result: readonly Script[] } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { url, functions } of result) {
      if (!url.startsWith(sources)) continue;
      const source = relative(copy, fileURLToPath(url));
      const known = ranges.get(source) ?? [];
      ranges.set(source, known);
      for (const each of functions) for (const range of each.ranges) known.push(range);
    }
  }
  return ranges;
}
