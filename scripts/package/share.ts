import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ArchiveFile } from "./archive.ts";
import { gzip } from "./archive.ts";

/** Where each shell looks for what a package brings, below `share`. */
const completionFiles = {
  bash: "bash-completion/completions/partner",
  zsh: "zsh/vendor-completions/_partner",
  fish: "fish/vendor_completions.d/partner.fish",
} as const;

/** The manual and the completions where a system looks for them, below `share`: from the built program itself. */
export function shareFiles(packageFolder: string): ArchiveFile[] {
  const pages = globSync("dist/man/*.1", { cwd: packageFolder });
  const manual = pages.map((page) => ({
    path: `share/man/man1/${basename(page)}.gz`,
    content: gzip(readFileSync(join(packageFolder, page))),
  }));
  const completions = Object.entries(completionFiles).map(([shell, path]) => ({
    path: `share/${path}`,
    content: execFileSync(process.execPath, [join(packageFolder, "bin/partner.js"), "completion", shell]),
  }));
  return [...manual, ...completions];
}
