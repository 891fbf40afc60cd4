import { join } from "node:path";
import { application } from "./application.ts";
import { main } from "./cli/main.ts";
import type { Manifest, Package } from "./cli/plugin.ts";
import type { Host } from "./host/host.ts";
import { processHost } from "./host/process/process-host.ts";
import { exitIfBlocked } from "./host/process/stop-signals.ts";

/** The package's own files are one folder above this one, in the sources as in the build. */
const root = join(import.meta.dirname, "..");
/** Beside the built program. */
const threadFile = "thread.cjs";
const packageFileMaxBytes = 4 * 1_048_576;

/**
 * The real program: runs one command line on the real host. A standalone executable passes in what is otherwise in the
 * package's files. Resolves to the exit code.
 */
export async function start(argv: readonly string[], carried?: Omit<Package, "root">): Promise<number> {
  // An executable has its files inside, where no thread finds them.
  const host = processHost(carried === undefined ? join(import.meta.dirname, threadFile) : undefined);
  const exit = await main(
    argv,
    host,
    carried === undefined ? await packageOf(host) : { root, ...carried },
    application,
  );
  if (host.signal.aborted) exitIfBlocked(exit);
  return exit;
}

async function packageOf(host: Host): Promise<Package> {
  const pjson = await read(host, "package.json");
  if (!isPackageJson(pjson)) throw damaged();
  return { root, pjson, manifest: () => manifestOf(host), schema: (id) => schemaOf(host, id) };
}

async function manifestOf(host: Host): Promise<Manifest> {
  const manifest = await read(host, "oclif.manifest.json");
  if (!isManifest(manifest)) throw damaged();
  return manifest;
}

/** The id is one of the manifest's, so nothing that was typed is in the path. */
async function schemaOf(host: Host, id: string): Promise<string | undefined> {
  const path = join(root, "docs/schemas", `${id.replaceAll(":", "-")}.json`);
  if ((await host.files.facts(path)) === undefined) return undefined;
  return new TextDecoder().decode(await host.files.read(path, packageFileMaxBytes));
}

function isPackageJson(found: object): found is Package["pjson"] {
  return "oclif" in found;
}

function isManifest(found: object): found is Manifest {
  return "commands" in found;
}

function damaged(): Error {
  return new Error(`The installation in ${root} is damaged: install partner again.`);
}

async function read(host: Host, name: string): Promise<object> {
  const bytes = await host.files.read(join(root, name), packageFileMaxBytes);
  return JSON.parse(new TextDecoder().decode(bytes));
}
