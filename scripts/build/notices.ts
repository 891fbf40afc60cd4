import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "rolldown";

/** Writes `dist/NOTICES.txt`: name, version and licence of every package that the bundle carries parts of. */
export function notices(): Plugin {
  return {
    name: "notices",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const source = [...folders]
        .map(noticeOf)
        .toSorted()
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
    },
  };
}

/** The nearest folder above the module that has a package.json with a name, below node_modules. */
function packageFolder(moduleId: string): string | undefined {
  if (!/[\\/]node_modules[\\/]/.test(moduleId) || moduleId.startsWith("\0")) return undefined;
  for (let folder = dirname(moduleId); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && readPackage(folder).name !== undefined) return folder;
  }
  return undefined;
}

function noticeOf(folder: string): string {
  const { name, version, license } = readPackage(folder);
  if (typeof license !== "string") throw new Error(`${String(name)} does not say its licence; it cannot be bundled.`);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text =
    file === undefined ? "(the package carries no licence file)\n" : readFileSync(join(folder, file), "utf8");
  return `${String(name)} ${String(version)} (${license})\n\n${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
}

function readPackage(folder: string): Record<string, unknown> {
  const facts: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return typeof facts === "object" && facts !== null ? { ...facts } : {};
}
