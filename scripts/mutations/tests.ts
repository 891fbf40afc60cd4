import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Mutation } from "./mutation.ts";

/** How a run of tests ended. A file that cannot even be loaded is `broken`: it has found nothing. */
export interface Verdict {
  readonly ending: "green" | "red" | "broken";
  /** The first test that failed, or what is broken. */
  readonly first: string;
}

/** A mutation can make a test wait for good. */
const fileTimeoutMs = 300_000;
const togetherTimeoutMs = 1_800_000;
/** A busy machine is no discovery: only what waits for good runs into it. */
const testTimeoutMs = 120_000;

interface VitestReport {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs the tests that have to notice a mutation, in a copy of the sources; each file to its first failure. */
export function runTests({ tests, only }: Pick<Mutation, "tests" | "only">, copy: string): readonly Verdict[] {
  return tests.map((test) => runFile(test, only, copy));
}

/** Runs test files together until one of them is red, or cannot be loaded. Its path; undefined where all are green. */
export function firstRedAmong(tests: readonly string[], copy: string): string | undefined {
  if (tests.length === 0) return undefined;
  const results = runVitest(tests, copy, togetherTimeoutMs)?.testResults ?? [];
  const failed = results.find(({ status }) => status === "failed");
  return failed === undefined ? undefined : relative(copy, failed.name);
}

function runFile(test: string, only: string | undefined, copy: string): Verdict {
  const chosen = only === undefined ? [] : ["--testNamePattern", only];
  return verdictOf(runVitest([...chosen, test], copy, fileTimeoutMs), test);
}

/** Runs vitest to the first failure. Undefined where it reports nothing. */
function runVitest(args: readonly string[], copy: string, timeoutMs: number): VitestReport | undefined {
  const report = join(copy, "mutations-report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const options = ["run", "--bail=1", `--testTimeout=${testTimeoutMs}`, "--reporter=json", `--outputFile=${report}`];
  spawnSync(process.execPath, [vitest, ...options, ...args], { cwd: copy, stdio: "ignore", timeout: timeoutMs });
  return readReport(report);
}

function verdictOf(report: VitestReport | undefined, test: string): Verdict {
  const results = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = results.find(({ status }) => status === "failed");
  if (failed !== undefined) return { ending: "red", first: failed.fullName.trim() };
  const isGreen = results.some(({ status }) => status === "passed");
  return isGreen ? { ending: "green", first: test } : { ending: "broken", first: `no test of ${test} was run` };
}

function readReport(path: string): VitestReport | undefined {
  try {
    const report: VitestReport = JSON.parse(readFileSync(path, "utf8"));
    return report;
  } catch {
    return undefined;
  }
}
