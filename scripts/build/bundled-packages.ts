import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OutputBundle } from "rolldown";

/** A package that the bundle carries parts of. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package says it: an SPDX expression. */
  readonly licence: string;
  readonly folder: string;
}

/**
 * The packages that the files of the bundle really come from, sorted: not those that somebody asked for.
 * @throws {Error} for a package that does not say its licence
 */
export function bundledPackages(bundle: OutputBundle): BundledPackage[] {
  const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
  const packages = [...folders].map(readPackage);
  return packages.toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The nearest folder above the module that has a package.json with a name, below node_modules. */
export function packageFolder(moduleId: string): string | undefined {
  if (!/[\\/]node_modules[\\/]/.test(moduleId) || moduleId.startsWith("\0")) return undefined;
  for (let folder = dirname(moduleId); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && factsOf(folder)["name"] !== undefined) return folder;
  }
  return undefined;
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = factsOf(folder);
  if (typeof license !== "string") throw new Error(`${String(name)} does not say its licence; it cannot be bundled.`);
  return { name: String(name), version: String(version), licence: license, folder };
}

function factsOf(folder: string): Record<string, unknown> {
  const facts: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return typeof facts === "object" && facts !== null ? { ...facts } : {};
}
