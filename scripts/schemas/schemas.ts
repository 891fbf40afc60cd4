import { catalog } from "../../src/catalog.ts";
import type { Schema } from "./form.ts";
import { dialect } from "./form.ts";
import { monthEndSchemas } from "./month-end.ts";
import { movingSchemas } from "./moving.ts";
import { readingSchemas } from "./reading.ts";
import { setupSchemas } from "./setup.ts";
import { webhookSchemas } from "./webhooks.ts";

const known: Readonly<Record<string, Schema>> = {
  ...readingSchemas,
  ...movingSchemas,
  ...monthEndSchemas,
  ...webhookSchemas,
  ...setupSchemas,
};

/** What each command prints with `--json`, by its id; those without a word in this folder are left out. */
export const outputs: ReadonlyMap<string, Schema> = new Map(
  Object.keys(catalog).flatMap((id): [string, Schema][] => {
    const schema = known[id];
    return schema === undefined ? [] : [[id, schema]];
  }),
);

/** The schema of a command as the file that is published, self-contained. */
export function published(id: string, schema: Schema): Schema {
  return { $schema: dialect, title: `partner ${id.replaceAll(":", " ")} --json`, ...schema };
}

/** The file's name, without its folder: `wallets-list.json`. */
export function fileOf(id: string): string {
  return `${id.replaceAll(":", "-")}.json`;
}
