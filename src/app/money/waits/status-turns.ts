import { join } from "node:path";
import * as z from "zod/mini";
import { codeOf } from "../../../host/system-error.ts";
import { readOwnFile } from "../../../host/files/own-file.ts";
import type { Host } from "../../../host/host.ts";
import { stateFolder } from "../../../profiles/folders.ts";

/** This machine never asks the service about one order twice within this time. */
const apartMs = 4_000;
const lockWaitMs = 10_000;
const lockStaleMs = 30_000;
const askedMaxBytes = 4 * 1_048_576;
const folderMode = 0o700;
const fileMode = 0o600;
const askedForm = z.record(z.string(), z.number());

/**
 * Asks for an order's status when its turn has come, whichever run of this machine asked last. The wait counts from the
 * answer, since a question may take long on its way. Where the time cannot be stored, the question is asked anyway.
 */
export async function inStatusTurn<T>(host: Host, order: string, ask: () => Promise<T>): Promise<T> {
  await noteQuestion(host, order, async (askedMs) => {
    const waitMs = askedMs + apartMs - host.clock.now();
    // A clock that was set back doesn't show how long ago that was.
    if (waitMs > 0 && waitMs <= apartMs) await host.clock.sleep(waitMs, host.signal);
  });
  try {
    return await ask();
  } finally {
    await noteQuestion(host, order, () => Promise.resolve());
  }
}

/** @param before called with the time of the last question about the order; -Infinity where none is known */
async function noteQuestion(host: Host, order: string, before: (askedMs: number) => Promise<void>): Promise<void> {
  const { clock, files } = host;
  const folder = stateFolder(host);
  const path = join(folder, "status-asked.json");
  let release: (() => Promise<void>) | undefined;
  try {
    await files.makeFolder(folder, folderMode);
    release = await files.lock(`${path}.lock`, { waitMs: lockWaitMs, staleMs: lockStaleMs });
    const asked = await readAsked(host, path);
    await before(asked[order] ?? -Infinity);
    const now = clock.now();
    const kept = Object.entries(asked).filter(([, at]) => at <= now && at > now - apartMs);
    const draft = await files.draft(path, fileMode);
    try {
      await draft.write(JSON.stringify({ ...Object.fromEntries(kept), [order]: now }));
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  } finally {
    await release?.();
  }
}

async function readAsked({ files }: Host, path: string): Promise<Readonly<Record<string, number>>> {
  try {
    const bytes = await readOwnFile(files, path, askedMaxBytes);
    return bytes === undefined ? {} : z.parse(askedForm, JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
