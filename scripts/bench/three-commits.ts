import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInstalled } from "./bench.ts";

const seconds = 5;
const clients = 32;

/** How often a second a server commits three times for 32 clients: what its log allows; undefined without pgbench. */
export function threeCommits(address: string, folder: string): number | undefined {
  if (!isInstalled("pgbench")) return undefined;
  const script = join(folder, "three-commits.sql");
  writeFileSync(script, "INSERT INTO three_commits VALUES (1);\n".repeat(3));
  execFileSync("psql", ["-q", "-d", address, "-c", "CREATE TABLE IF NOT EXISTS three_commits (one integer)"]);
  const words = ["-n", "-c", String(clients), "-j", "2", "-T", String(seconds), "-f", script, address];
  const printed = execFileSync("pgbench", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1] ?? Number.NaN);
}
