import { globSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * What a process of its own runs: the build, which starts in half the time, or the sources where they are newer or
 * there is no build.
 */
export const program = join(root, "bin", isBuilt() ? "partner.js" : "dev.js");

/** Where such a process keeps what it compiles: not in the home of a test that looks at what is left there. */
export const compiled = {
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  XDG_CACHE_HOME: process.env["NODE_COMPILE_CACHE"],
};

function isBuilt(): boolean {
  const built = statSync(join(root, "dist/main.cjs"), { throwIfNoEntry: false });
  const sources = globSync(["src/**/*.ts", "oclif.manifest.json"], { cwd: root });
  return built !== undefined && sources.every((path) => statSync(join(root, path)).mtimeMs <= built.mtimeMs);
}
