import { globSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * The program for processes of their own: the build, which starts in half the time, or the sources if they are newer
 * or
 * there is no build.
 */
export const program = join(root, "bin", isBuilt() ? "partner.js" : "dev.js");

/** The place for the code that such a process compiles: not the home of a test that checks what is left there. */
export const compiled = {
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  XDG_CACHE_HOME: process.env["NODE_COMPILE_CACHE"],
};

function isBuilt(): boolean {
  const built = statSync(join(root, "dist/main.cjs"), { throwIfNoEntry: false });
  const sources = globSync(["src/**/*.ts", "oclif.manifest.json"], { cwd: root });
  return built !== undefined && sources.every((path) => statSync(join(root, path)).mtimeMs <= built.mtimeMs);
}
