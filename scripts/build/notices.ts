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

/** @throws {Error} where the package has no text of its licence: it cannot be passed on without one */
export function noticeOf({ name, version, licence, folder }: BundledPackage): string {
  const text = textIn(folder, /^(licen[cs]e|copying)/i) ?? licenceIn(textIn(folder, /^readme/i) ?? "");
  if (text === undefined) throw new Error(`${name} has no text of its licence; it cannot be bundled.`);
  return `${name} ${version} (${licence})\n\n${text.trim()}\n`;
}

function textIn(folder: string, name: RegExp): string | undefined {
  const file = readdirSync(folder).find((entry) => name.test(entry));
  return file === undefined ? undefined : readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
}

/** Some packages have the text under a heading of their README, and nowhere else. */
function licenceIn(readme: string): string | undefined {
  const [, text = ""] = /^#+ licen[cs]e\s*\n([^#]*)/im.exec(readme) ?? [];
  return /copyright/i.test(text) ? text : undefined;
}
