import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { slowTests } from "./test/slow.ts";

// What the workers and the programs that they start compile, and the types that they strip, is kept for the next ones.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/tests");

// Tests run on Node's own module loader: a second loader would give oclif's import() a second copy of every module.
// `--mode quick` leaves out the slow ones, `--mode slow` runs those alone, and `--mode long` the ones that take minutes each.
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "long" ? ["test/long/**/*.test.ts"] : mode === "slow" ? [...slowTests] : ["test/**/*.test.ts"],
    exclude: mode === "long" ? [] : ["test/long/**", ...(mode === "quick" ? slowTests : [])],
    passWithNoTests: mode === "long",
    sequence: { sequencer: LongestFirst },
    globalSetup: "test/scratch.ts",
    setupFiles: ["test/resolve-once.ts", "test/seed.ts"],
    // Nothing is mocked, so nothing has to be rewritten.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: "forks",
    // A worker loads the program once for all of its files: tests leave nothing behind in it. Long ones are other tests by a variable.
    isolate: mode === "long",
    // Most tests wait for other processes and for the disk: two workers leave a part of two cores idle.
    maxWorkers: 3,
    // They end what hangs: on a busy machine all else can take ten times as long as usual.
    testTimeout: mode === "long" ? 600_000 : 300_000,
    hookTimeout: 300_000,
    // What a test waits for comes when a busy machine gets to it: the default of a second is too short.
    expect: { poll: { timeout: 240_000 } },
  },
}));
