import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "rolldown";
import type { BundledPackage } from "./bundled-packages.ts";
import { bundledPackages, packageFolder } from "./bundled-packages.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Writes `dist/sbom.cdx.json`: what is in the bundle, in CycloneDX, for whoever looks for known holes in it. Made from
 * the modules that really went in, so that no tool of ours and nothing that was left out stands in it; without a serial
 * number and a time, so that the same sources give the same bytes.
 */
export function sbom(): Plugin {
  return {
    name: "sbom",
    generateBundle(_options, bundle) {
      const packages = bundledPackages(bundle);
      const taken = new Set(packages.map(({ folder }) => folder));
      const importsOf = (id: string) => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        return [...importedIds, ...dynamicallyImportedIds];
      };
      const edges = Object.values(bundle).flatMap((file) =>
        file.type === "chunk" ? file.moduleIds.flatMap((id) => edgesOf(id, importsOf, taken)) : [],
      );
      const source = `${JSON.stringify(describe(packages, edges), undefined, 1)}\n`;
      this.emitFile({ type: "asset", fileName: "sbom.cdx.json", source });
    },
  };
}

/** One package's module imports another's; undefined stands for our own sources. */
type Edge = readonly [from: string | undefined, to: string | undefined];

/** What a module leads to. A package of which nothing was taken, because it only passes on, is looked through. */
function edgesOf(id: string, importsOf: (id: string) => readonly string[], taken: ReadonlySet<string>): Edge[] {
  const from = packageFolder(id);
  const seen = new Set<string>();
  const follow = (next: string): Edge[] => {
    if (seen.has(next)) return [];
    seen.add(next);
    const to = packageFolder(next);
    return to === undefined || taken.has(to) ? [[from, to]] : importsOf(next).flatMap(follow);
  };
  return importsOf(id).flatMap(follow);
}

function describe(packages: readonly BundledPackage[], edges: readonly Edge[]): object {
  const own = readJson("package.json");
  const locked = readJson("package-lock.json")["packages"];
  const reference = `partner@${String(own["version"])}`;
  const dependsOn = (folder: string | undefined) =>
    packages
      .filter((to) => to.folder !== folder && edges.some(([from, target]) => from === folder && target === to.folder))
      .map(purl);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": reference,
        name: "partner",
        version: own["version"],
        description: own["description"],
        licenses: [{ license: { id: own["license"] } }],
        purl: `pkg:npm/${reference}`,
      },
    },
    components: packages.map((found) => component(found, locked)),
    dependencies: [
      { ref: reference, dependsOn: dependsOn(undefined) },
      ...packages.map((found) => ({ ref: purl(found), dependsOn: dependsOn(found.folder) })),
    ],
  };
}

function component(found: BundledPackage, locked: unknown): object {
  const { name, version, licence } = found;
  const scoped = /^(@[^/]+)\/(.+)$/.exec(name);
  return {
    type: "library",
    "bom-ref": purl(found),
    ...(scoped === null ? { name } : { group: scoped[1], name: scoped[2] }),
    version,
    licenses: [/^[\w.-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }],
    purl: purl(found),
    hashes: [{ alg: "SHA-512", content: hashOf(found, locked) }],
  };
}

/** Of the package as the registry has it: what the lock file holds npm to. */
function hashOf({ name, folder }: BundledPackage, locked: unknown): string {
  const path = relative(root, folder).replaceAll("\\", "/");
  const place = path.slice(path.indexOf("node_modules/"));
  const entry: unknown = isRecord(locked) ? locked[place] : undefined;
  const integrity = isRecord(entry) ? entry["integrity"] : undefined;
  const [, hash] = /^sha512-(\S+)$/.exec(String(integrity)) ?? [];
  if (hash === undefined) throw new Error(`The lock file has no hash of ${name} in ${place}.`);
  return Buffer.from(hash, "base64").toString("hex");
}

function purl({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(readFileSync(join(root, file), "utf8"));
  return isRecord(content) ? content : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
