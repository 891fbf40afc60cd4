import type { Command } from "@oclif/core/command";
import type { Plugin } from "@oclif/core/interfaces";
import type { Catalog } from "./application.ts";

/** What the package says of itself. */
export interface Package {
  readonly root: string;
  /** package.json, as it was read. */
  readonly pjson: Plugin["pjson"];
  /** oclif.manifest.json: a third of a megabyte, needed only for help and completion. */
  readonly manifest: () => Promise<Manifest>;
  /** The JSON schema of a command's output, as text; undefined where there is none. */
  readonly schema: (id: string) => Promise<string | undefined>;
}

/** The descriptions of all commands, by id. */
export interface Manifest {
  readonly commands: Readonly<Record<string, Command.Cached>>;
}

/** What oclif needs to know of a command before it runs it; the command's code has the rest. */
export function toBeRun(id: string | undefined): Manifest {
  const bare = { aliases: [], hiddenAliases: [], args: {}, flags: {}, hidden: false };
  return { commands: id === undefined ? {} : { [id]: { ...bare, id } } };
}

/**
 * Commands in oclif's form: their descriptions come from the committed manifest, their code from the catalog when one
 * is run. So oclif never looks through folders, and a start loads exactly one command.
 */
export function pluginOf({ root, pjson }: Package, manifest: Manifest, catalog: Catalog): Plugin {
  const commands = Object.entries(manifest.commands).map(([id, description]): Command.Loadable => ({
    ...description,
    id,
    load: () => loadCommand(id, catalog),
  }));
  const plugin: Plugin = {
    _base: "",
    alias: pjson.name,
    name: pjson.name,
    version: pjson.version,
    pjson,
    root,
    type: "core",
    isRoot: true,
    valid: true,
    moduleType: "commonjs",
    hasManifest: true,
    hooks: {},
    options: { root },
    commandsDir: undefined,
    commands,
    commandIDs: commands.map(({ id }) => id),
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    load: () => Promise.resolve(),
    findCommand: (id: string) => loadCommand(id, catalog),
  };
  return plugin;
}

async function loadCommand(id: string, catalog: Catalog): Promise<Command.Class> {
  const load = catalog[id];
  if (load === undefined) throw new Error(`The manifest names a command that the catalog does not have: ${id}`);
  const { default: command } = await load();
  return Object.assign(command, { id });
}
