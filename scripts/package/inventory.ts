import { execFileSync } from "node:child_process";
import type { Platform } from "./platforms.ts";
import { nodeVersion } from "./platforms.ts";

/** Numbers of interfaces, not of something that is in Node. */
const noLibrary = new Set(["node", "modules", "napi"]);

/**
 * What is in an executable, in CycloneDX: all that is in the bundle, and Node with the libraries that it says it has.
 * `bundle` is the bundle's own list; `builder` is a Node of the same version that this machine can run.
 */
export function executableInventory(bundle: string, platform: Platform, builder: string): string {
  const list = JSON.parse(bundle);
  const node = nodeComponent(platform, librariesOf(builder));
  const [own, ...others] = list.dependencies;
  const content = {
    ...list,
    components: [...list.components, node],
    dependencies: [
      { ...own, dependsOn: [...own.dependsOn, node["bom-ref"]] },
      ...others,
      { ref: node["bom-ref"], dependsOn: [] },
    ],
  };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

function nodeComponent({ nodePackage, integrity }: Platform, libraries: Readonly<Record<string, string>>) {
  const purl = `pkg:npm/${nodePackage}@${nodeVersion}`;
  return {
    type: "platform",
    "bom-ref": purl,
    name: "node",
    version: nodeVersion,
    licenses: [{ license: { id: "MIT" } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
    purl,
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") }],
    components: Object.entries(libraries)
      .filter(([name]) => !noLibrary.has(name))
      .map(([name, version]) => ({ type: "library", "bom-ref": `${purl}#${name}`, name, version })),
  };
}

function librariesOf(node: string): Readonly<Record<string, string>> {
  return JSON.parse(execFileSync(node, ["--print", "JSON.stringify(process.versions)"], { encoding: "utf8" }));
}
