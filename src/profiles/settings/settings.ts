import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import { configFolder } from "../folders.ts";
import type { Protection } from "./permissions.ts";
import { readJsonFile } from "./json-file.ts";
import type { Settings } from "../profile.ts";
import { settingsSchema } from "../profile.ts";

/** @throws {Failure} setup when there is no configuration folder */
export function settingsPath(host: Host): string {
  return join(configFolder(host), "config.json");
}

/**
 * The profiles of this user; none where there is no file yet. Read without `conf`: most commands only read, and take
 * less time than loading that package.
 * @param guard what others must not be able to do with the file
 * @throws {Failure} setup when the file cannot be used
 */
export async function readSettings(host: Host, guard?: Protection): Promise<Settings> {
  return (await readJsonFile(host, settingsPath(host), settingsSchema, { guard })) ?? { version: 1, profiles: {} };
}
