import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import type { BundledPackage } from "./bundled-packages.ts";
import { bundledPackages } from "./bundled-packages.ts";

/** Writes `dist/NOTICES.txt`: name, version and licence of every package that the bundle carries parts of. */
export function notices(): Plugin {
  return {
    name: "notices",
    generateBundle(_options, bundle) {
      const source = bundledPackages(bundle)
        .map(noticeOf)
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
    },
  };
}

function noticeOf({ name, version, licence, folder }: BundledPackage): string {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text =
    file === undefined ? "(the package carries no licence file)\n" : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${licence})\n\n${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
}
