import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Mutation } from "./mutation.ts";

/** How a run of tests ended. A file that cannot even be loaded is `broken`: it has found nothing. */
export interface Verdict {
  readonly ending: "green" | "red" | "broken";
  /** The first test that failed, or what is broken. */
  readonly first: string;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs the tests that have to notice a mutation, in a copy of the sources. */
export function runTests({ tests, only }: Pick<Mutation, "tests" | "only">, copy: string): Verdict {
  const report = join(copy, "mutations-report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const chosen = only === undefined ? [] : ["--testNamePattern", only];
  const options = ["run", "--reporter=json", `--outputFile=${report}`, ...chosen];
  const { stderr } = spawnSync(process.execPath, [vitest, ...options, ...tests], { cwd: copy, encoding: "utf8" });
  return verdictOf(readReport(report), tests, stderr);
}

function verdictOf(report: VitestReport | undefined, tests: readonly string[], stderr: string): Verdict {
  if (report === undefined) return { ending: "broken", first: stderr.trim().split("\n").at(-1) ?? "" };
  const unnoticed: string[] = [];
  const failed: string[] = [];
  for (const test of tests) {
    const results = report.testResults.find(({ name }) => name.endsWith(test))?.assertionResults ?? [];
    const counted = results.filter(({ status }) => status === "passed" || status === "failed");
    if (counted.length === 0) return { ending: "broken", first: `no test of ${test} was run` };
    const failure = counted.find(({ status }) => status === "failed");
    if (failure === undefined) unnoticed.push(test);
    else failed.push(failure.fullName.trim());
  }
  return failed.length > 0 && unnoticed.length === 0
    ? { ending: "red", first: failed[0] ?? "" }
    : { ending: "green", first: unnoticed.join(", ") };
}

function readReport(path: string): VitestReport | undefined {
  try {
    const report: VitestReport = JSON.parse(readFileSync(path, "utf8"));
    return report;
  } catch {
    return undefined;
  }
}
