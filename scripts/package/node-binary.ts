import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./platforms.ts";
import { nodeVersion, platforms, thisPlatform } from "./platforms.ts";

/** The licences of Node and of all that is in it; the package for Windows is the one that leaves them out. */
const licenceFile = "LICENSE";
const hasLicences = ({ machine }: Platform) => !machine.startsWith("win32");

/**
 * The file of Node's binary for a platform, from the npm registry, kept in `folder` for the next time. No script of the
 * package is run, and what came is only used when it is, byte for byte, what stands in `platforms.ts`.
 * @throws {Error} when the registry does not give it, or gives something else
 */
export function fetchNode(platform: Platform, folder: string): string {
  const kept = join(folder, `${platform.nodePackage}-${nodeVersion}`);
  if (existsSync(kept)) return join(kept, platform.nodeFile);
  mkdirSync(folder, { recursive: true });
  const fresh = mkdtempSync(join(folder, "fresh-"));
  try {
    const tarball = packFromRegistry(`${platform.nodePackage}@${nodeVersion}`, fresh);
    checkIntegrity(tarball, platform);
    const wanted = [platform.nodeFile, ...(hasLicences(platform) ? [licenceFile] : [])];
    execFileSync("tar", ["-xzf", tarball, "-C", fresh, ...wanted.map((name) => `package/${name}`)]);
    renameSync(join(fresh, "package"), kept);
    return join(kept, platform.nodeFile);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The texts of Node's licences, which are the same on every platform. */
export function nodeLicences(folder: string): string {
  const platform = [thisPlatform(), ...platforms].find(hasLicences);
  if (platform === undefined) throw new Error("No platform's Node brings its licences.");
  return readFileSync(join(fetchNode(platform, folder), "../..", licenceFile), "utf8");
}

/** By npm itself, so that its proxies, mirrors and certificates count. */
function packFromRegistry(spec: string, folder: string): string {
  const words = ["pack", "--silent", "--pack-destination", folder, spec];
  const npmScript = process.env["npm_execpath"];
  const [command, args] = npmScript === undefined ? ["npm", words] : [process.execPath, [npmScript, ...words]];
  const said = execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return join(folder, said.trim().split("\n").at(-1) ?? "");
}

function checkIntegrity(tarball: string, { nodePackage, integrity }: Platform): void {
  const actual = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (actual !== integrity) throw new Error(`${nodePackage} ${nodeVersion} hashes to ${actual}, not to ${integrity}.`);
}
