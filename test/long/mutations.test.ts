import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

// `npm run mutations:sample` at other places on every run, or at those of a PARTNER_SEED from an earlier failure.
// Takes hours.

const root = join(import.meta.dirname, "../..");
const seed = process.env["PARTNER_SEED"] ?? String(Date.now());
const count = process.env["PARTNER_MUTATIONS"] ?? "200";
const wholeMs = 72 * 3_600_000;

test(
  "tests notice 95 % of random slips, and all of them in movements, journal and profiles",
  async () => {
    const script = join(root, "scripts/mutations/sample/main.ts");
    expect(await ended([script, "--seed", seed, "--count", count])).toMatchObject({ seed, exit: 0 });
  },
  wholeMs,
);

/** How the tool ended, with its output; its own runs of vitest are separate from this one. */
function ended(args: readonly string[]): Promise<{ seed: string; exit: number | string; said: readonly string[] }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) =>
    execFile(process.execPath, args, options, (error, stdout) =>
      resolve({ seed, exit: error?.code ?? 0, said: stdout.trimEnd().split("\n") }),
    ),
  );
}
