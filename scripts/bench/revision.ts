import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./bench.ts";

const root = join(import.meta.dirname, "../..");

/** Builds another revision in a worktree of its own, with the packages that are installed here. */
export function buildRevision(revision: string, folder: string): Program & { remove(): void } {
  const worktree = join(folder, "revision");
  git("worktree", "add", "--quiet", "--detach", worktree, revision);
  const remove = () => git("worktree", "remove", "--force", worktree);
  try {
    symlinkSync(join(root, "node_modules"), join(worktree, "node_modules"));
    execFileSync(process.execPath, ["scripts/build/main.ts"], {
      cwd: worktree,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { name: `partner@${revision}`, script: join(worktree, "bin/partner.js"), remove };
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
