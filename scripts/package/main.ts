import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { noMoment, releaseDay } from "../build/release-day.ts";
import { gzip, tar } from "./archive.ts";
import type { DebianPackage } from "./debian.ts";
import { debianPackage } from "./debian.ts";
import { buildExecutable } from "./executable.ts";
import { executableInventory } from "./inventory.ts";
import { fetchNode, nodeLicences } from "./node-binary.ts";
import type { Platform } from "./platforms.ts";
import { platforms, thisPlatform } from "./platforms.ts";
import { shareFiles } from "./share.ts";
import { shrinkwrap } from "./shrinkwrap.ts";

/**
 * `npm run package [PLATFORM…]`: all that is published, into artifacts/. An executable for each platform, or for the
 * ones that are named; Debian packages of those for Linux; the npm package; manual and completions; what is in all of
 * it; and the sums of all files. Made from dist/ as it stands; the same sources give the same bytes.
 */
const root = join(import.meta.dirname, "../..");
const artifacts = join(root, "artifacts");
const nodes = join(artifacts, ".node");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const { version, description }: { version: string; description: string } = JSON.parse(read("package.json"));
const moment = momentOf(process.env["SOURCE_DATE_EPOCH"]);
const share = shareFiles(root);
const builder = fetchNode(thisPlatform(), nodes);
const copyright = [read("LICENSE"), read("dist/NOTICES.txt"), nodeLicences(nodes)].join(`\n${"=".repeat(80)}\n\n`);

const wanted = wantedPlatforms(process.argv.slice(2));
for (const platform of wanted) fetchNode(platform, nodes);
clear();
for (const platform of wanted) packagePlatform(platform);
write(`partner-${version}-share.tar.gz`, gzip(tar(share, moment)));
write("THIRD-PARTY-NOTICES.txt", copyright);
packForNpm();
write("SHA256SUMS", sums());

function packagePlatform(platform: Platform): void {
  const name = `partner-${version}-${platform.name}`;
  const output = join(artifacts, `${name}${platform.nodeFile.endsWith(".exe") ? ".exe" : ""}`);
  buildExecutable({ packageFolder: root, node: fetchNode(platform, nodes), builder, output });
  console.log(basename(output));
  const sbom = executableInventory(read("dist/sbom.cdx.json"), platform, builder);
  write(`${name}.cdx.json`, sbom);
  if (platform.debianName === undefined) return;
  const debianVersion = version.replace("-", "~");
  const contents: DebianPackage = {
    version: debianVersion,
    architecture: platform.debianName,
    description,
    moment,
    executable: readFileSync(output),
    share,
    copyright,
    changelog: read("CHANGELOG.md"),
    sbom,
  };
  write(`partner_${debianVersion}_${platform.debianName}.deb`, debianPackage(contents));
}

/** As `npm pack` alone would do it, without building a second time. */
function packForNpm(): void {
  const file = join(root, "npm-shrinkwrap.json");
  writeFileSync(file, shrinkwrap(read("package.json"), read("package-lock.json")));
  try {
    const words = ["pack", "--silent", "--ignore-scripts", "--pack-destination", artifacts];
    const said = execFileSync("npm", words, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
    console.log(said.trim());
  } finally {
    rmSync(file, { force: true });
  }
}

/** In the form that `sha256sum --check` reads. */
function sums(): string {
  const names = readdirSync(artifacts).filter((name) => !name.startsWith("."));
  const lines = names.toSorted().map((name) => {
    const hash = createHash("sha256").update(readFileSync(join(artifacts, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  return lines.join("");
}

/** What an earlier run made goes, so that the sums speak of one run; what it fetched stays. */
function clear(): void {
  mkdirSync(artifacts, { recursive: true });
  for (const old of globSync("*", { cwd: artifacts })) {
    if (!old.startsWith(".")) rmSync(join(artifacts, old), { recursive: true });
  }
}

function wantedPlatforms(names: readonly string[]): readonly Platform[] {
  const unknown = names.find((name) => !platforms.some((platform) => platform.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no ${unknown}: ${platforms.map(({ name }) => name).join(", ")}.`);
  return names.length === 0 ? platforms : platforms.filter(({ name }) => names.includes(name));
}

/** How old the files in packages are: as old as the release, or as whoever packages it again says. */
function momentOf(epochSeconds: string | undefined): Date {
  if (epochSeconds !== undefined && epochSeconds !== "") return new Date(Number(epochSeconds) * 1_000);
  const day = releaseDay(version, read("CHANGELOG.md"));
  return day === undefined ? noMoment : new Date(`${day}T00:00:00Z`);
}

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(artifacts, name), content);
  if (name !== "SHA256SUMS") console.log(name);
}
