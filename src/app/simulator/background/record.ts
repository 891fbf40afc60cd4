import { isAbsolute, join } from "node:path";
import * as z from "zod/mini";
import type { Host } from "../../../host/host.ts";
import { fileFailure } from "../../../profiles/settings/file-failures.ts";
import { readJsonFile } from "../../../profiles/settings/json-file.ts";
import { extensionNames } from "../../../values/extension.ts";
import { makeFolder, stateFolder } from "../../../profiles/folders.ts";

/** Names the folder of the record for a shell that got `--env`, which works with the simulator's own folders. */
export const recordFolderVariable = "PARTNER_SIMULATOR_DIR";
const recordMode = 0o600;
const lockWaitMs = 60_000;
const lockStaleMs = 30_000;

const text = z.string();
const record = z.object({
  version: z.literal(1),
  /** What the control of this simulator answers, and no other does. */
  name: text,
  /** The address of its control, with the secret path. */
  control: text,
  processId: z.number(),
  /** Its command line, as words. */
  words: z.readonly(z.array(text)),
  /** The folder of its profiles and journal. */
  folder: text,
  access: z.object({
    baseUrl: text,
    accountBaseUrl: text,
    environment: z.enum(["live", "sandbox"]),
    accountId: text,
    secretKey: text,
    accessToken: text,
    webhookKey: text,
    wallets: z.readonly(z.array(text)),
    accounts: z.readonly(z.array(text)),
    extensions: z.optional(z.readonly(z.array(z.enum(extensionNames)))),
  }),
});

/** The record of a simulator in the background. */
export type BackgroundRecord = z.infer<typeof record>;

/**
 * The folder of the record: the state folder of the user who started the simulator.
 * @throws {Failure} setup
 */
export function recordFolder(host: Host): string {
  const named = host.environment[recordFolderVariable] ?? "";
  return isAbsolute(named) ? named : stateFolder(host);
}

/** The path of the record in that folder. */
export function recordPath(folder: string): string {
  return join(folder, "simulator.json");
}

/**
 * Undefined where none was started, or the last one was stopped.
 * @throws {Failure} setup where it can't be read, or others can
 */
export function readRecord(host: Host, path: string): Promise<BackgroundRecord | undefined> {
  return readJsonFile(host, path, record, { guard: "secret", variable: "PARTNER_STATE_DIR" });
}

/** @throws {Failure} setup */
export async function writeRecord(host: Host, path: string, content: BackgroundRecord): Promise<void> {
  try {
    const draft = await host.files.draft(path, recordMode);
    try {
      await draft.write(`${JSON.stringify(content)}\n`);
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  } catch (error) {
    throw fileFailure("write", path, error, "PARTNER_STATE_DIR");
  }
}

/** Removes the record, if it is of this simulator. */
export async function removeRecord(host: Host, path: string, name: string): Promise<void> {
  const found = await readRecord(host, path);
  if (found?.name === name) await host.files.remove(path);
}

/**
 * Calls `act` while no other command starts or stops a simulator with this folder.
 * @throws {Failure} setup
 */
export async function whileAlone<T>(host: Host, folder: string, act: () => Promise<T>): Promise<T> {
  await makeFolder(host, folder, "state");
  const path = `${recordPath(folder)}.lock`;
  const release = await host.files.lock(path, { waitMs: lockWaitMs, staleMs: lockStaleMs }).catch((error: unknown) => {
    throw fileFailure("write", path, error, "PARTNER_STATE_DIR");
  });
  try {
    return await act();
  } finally {
    await release();
  }
}
