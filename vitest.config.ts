import { defineConfig } from "vitest/config";

// Tests run on Node's own module loader: a second loader would give oclif's import() a second copy of every module.
// `--mode long` runs the ones that take minutes.
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "long" ? ["test/long/**/*.test.ts"] : ["test/**/*.test.ts"],
    exclude: mode === "long" ? [] : ["test/long/**"],
    passWithNoTests: mode === "long",
    experimental: { viteModuleRunner: false },
    pool: "forks",
    // Most tests wait for other processes and for the disk: one worker leaves half of two cores idle.
    maxWorkers: 2,
    testTimeout: mode === "long" ? 600_000 : 30_000,
  },
}));
