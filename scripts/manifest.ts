import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@oclif/core/command";
import { Plugin } from "@oclif/core/config";
import { catalog } from "../src/catalog.ts";

const root = join(import.meta.dirname, "..");

/**
 * The text of `oclif.manifest.json`: what help and start-up know of the commands without loading them. Made by oclif's
 * own plugin, with the commands taken from the catalog instead of a folder. The same commands give the same bytes on
 * every machine.
 */
export async function makeManifest(): Promise<string> {
  const plugin = new Plugin({
    errorOnManifestCreate: true,
    ignoreManifest: true,
    isRoot: true,
    pjson: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    respectNoCacheDefault: true,
    root,
  });
  const fromCatalog = { getCommandIDs: async () => Object.keys(catalog).toSorted(), findCommand: findInCatalog };
  Object.assign(plugin, fromCatalog);
  await plugin.load();
  return `${JSON.stringify(plugin.manifest, undefined, 1)}\n`;
}

async function findInCatalog(id: string): Promise<Command.Class> {
  const load = catalog[id];
  if (load === undefined) throw new Error(`The catalog has no command ${id}.`);
  const command: Command.Class = (await load()).default;
  // A computed default would be computed here and now, and its outcome, a secret perhaps, written down.
  for (const input of [...Object.values(command.flags), ...Object.values(command.args)]) input.noCacheDefault = true;
  command.id = id;
  return command;
}

if (import.meta.main) writeFileSync(join(root, "oclif.manifest.json"), await makeManifest());
