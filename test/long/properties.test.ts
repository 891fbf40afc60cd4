import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Every property with other cases on each run, or with those of a PARTNER_SEED from an earlier failure.

const root = join(import.meta.dirname, "../..");
const first = Number(process.env["PARTNER_SEED"] ?? Date.now() % 2 ** 31);
const rounds = Number(process.env["PARTNER_ROUNDS"] ?? 30);
const roundMs = 900_000;

const files = globSync("test/**/*.test.ts", { cwd: root }).filter(
  (file) => !file.startsWith("test/long/") && readFileSync(join(root, file), "utf8").includes('from "fast-check"'),
);

test.each(Array.from({ length: rounds }, (_, round) => first + round))(
  "every property holds with PARTNER_SEED=%i",
  async (seed) => {
    expect(await run(seed)).toEqual({ exit: 0, failures: [] });
  },
  roundMs,
);

/** How a run of the properties ended, with its failures; it is separate from this one. */
function run(seed: number): Promise<{ exit: number | string; failures: readonly string[] }> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  const env = { ...Object.fromEntries(others), PARTNER_SEED: String(seed), NO_COLOR: "1" };
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return new Promise((resolve) =>
    execFile(process.execPath, [vitest, "run", ...files], options, (error, stdout, stderr) =>
      resolve({
        exit: error?.code ?? 0,
        failures: `${stdout}\n${stderr}`.split("\n").filter((line) => /^ *(FAIL|Counterexample:) /.test(line)),
      }),
    ),
  );
}
