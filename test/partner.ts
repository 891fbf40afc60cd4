import { readFileSync } from "node:fs";
import { join } from "node:path";
import { application } from "../src/application.ts";
import { main } from "../src/cli/main.ts";
import type { Manifest, Package } from "../src/cli/plugin.ts";
import type { MemoryHost, World as MemoryWorld } from "./memory-host.ts";
import { memoryHost, temporaryFolder } from "./memory-host.ts";
import { schemaOf, schemaViolations } from "./schemas.ts";

const root = join(import.meta.dirname, "..");
let manifest: Manifest | undefined;
const ours: Package = {
  root,
  pjson: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  manifest: async () => (manifest ??= JSON.parse(readFileSync(join(root, "oclif.manifest.json"), "utf8"))),
  schema: async (id) => JSON.stringify(schemaOf(id)),
};

/** How a run of the program ended, byte by byte. */
export interface Run {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line through the front door, in this process and in a world of its own. */
export async function run(argv: readonly string[], world: MemoryWorld = {}): Promise<Run & { host: MemoryHost }> {
  const folder = world.environment?.["PARTNER_CONFIG_DIR"] ?? temporaryFolder();
  const folders = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: `${folder}/state` };
  const host = memoryHost({ ...world, environment: { ...folders, ...world.environment } });
  const exit = await main(argv, host, ours, application);
  const [stdout, stderr] = [host.stdout.text(), host.stderr.text()];
  const violations = schemaViolations(argv, host, stdout, { isStrange: world.hasStrangeService });
  if (violations.length > 0) throw new Error(`Not as its schema has it: ${violations.join("\n")}\n${stdout}`);
  return { exit, stdout, stderr, host };
}

/** A command line as typed: words, and quotes around words with blanks. */
export function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
