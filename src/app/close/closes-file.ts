import { join } from "node:path";
import type { Closes } from "../../close/closes.ts";
import { closesSchema } from "../../close/closes.ts";
import type { Host } from "../../host/host.ts";
import { makeFolder, stateFolder } from "../../profiles/folders.ts";
import { readJsonFile } from "../../profiles/settings/json-file.ts";
import { fileFailure } from "../../profiles/settings/file-failures.ts";

/** Balances are private: only this user may read the file. */
const fileMode = 0o600;

/**
 * The closes that this user remembers; none where there is no file yet.
 * @throws {Failure} setup where it is damaged, newer, or not to be read
 */
export async function readCloses(host: Host): Promise<Closes> {
  return (await readJsonFile(host, closesPath(host), closesSchema)) ?? { version: 1, closes: [] };
}

/** @throws {Failure} setup | unavailable */
export async function writeCloses(host: Host, closes: Closes): Promise<void> {
  await makeFolder(host, stateFolder(host), "state");
  const path = closesPath(host);
  try {
    const draft = await host.files.draft(path, fileMode);
    try {
      await draft.write(`${JSON.stringify(closes, undefined, 2)}\n`);
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  } catch (error) {
    throw fileFailure("write", path, error, "PARTNER_STATE_DIR");
  }
}

function closesPath(host: Host): string {
  return join(stateFolder(host), "closes.json");
}
