import { defineConfig } from "vitest/config";

// Tests run on Node's own module loader: a second loader would give oclif's import() a second copy of every module.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    experimental: { viteModuleRunner: false },
    pool: "forks",
    testTimeout: 30_000,
  },
});
