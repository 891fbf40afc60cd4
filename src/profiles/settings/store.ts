import { dirname } from "node:path";
import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { pathWord } from "../../values/text/path-name.ts";
import { fileFailure } from "./file-failures.ts";
import { configFolder, makeFolder } from "../folders.ts";
import type { Settings } from "../profile.ts";
import { readSettings, settingsPath } from "./settings.ts";

const settingsMode = 0o600;
/** The longest edit calls a keyring twice, three seconds each. */
const lockWaitMs = 20_000;
const lockStaleMs = 30_000;

/** One edit of the profiles: the current settings, and how to write new ones. */
export interface Edit {
  readonly settings: Settings;
  readonly save: (settings: Settings) => Promise<void>;
}

/**
 * Changes profiles and secrets under a lock. The file is read once the lock is acquired, so that no other process's
 * change is lost.
 * @throws {Failure} setup when the folder or the file cannot be used, or another process keeps the lock
 */
export async function editProfiles<T>(host: Host, change: (edit: Edit) => Promise<T>): Promise<T> {
  const folder = configFolder(host);
  await makeFolder(host, folder);
  const release = await takeLock(host, `${settingsPath(host)}.lock`);
  try {
    return await change({ settings: await readSettings(host), save: (settings) => writeSettings(host, settings) });
  } finally {
    await release();
  }
}

async function takeLock(host: Host, path: string): Promise<() => Promise<void>> {
  try {
    return await host.files.lock(path, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  } catch (error) {
    if (!(error instanceof Error) || "code" in error) throw fileFailure("write", path, error);
    throw new Failure("setup", `The profiles are being changed by another process: ${error.message}.`, {
      hint: `Run it again when that one has ended. If there is none: rm ${pathWord(path)}`,
      cause: error,
    });
  }
}

/** The only use of `conf`, which writes a temporary file and renames it. It re-reads only what was just checked. */
async function writeSettings(host: Host, settings: Settings): Promise<void> {
  const path = settingsPath(host);
  const { default: Conf } = await import("conf");
  try {
    const conf = new Conf<Settings>({
      cwd: dirname(path),
      configName: "config",
      configFileMode: settingsMode,
      accessPropertiesByDotNotation: false,
      deserialize: (text) => JSON.parse(text.replace(/^\uFEFF/, "")),
    });
    conf.store = settings;
  } catch (error) {
    throw fileFailure("write", path, error);
  }
}
