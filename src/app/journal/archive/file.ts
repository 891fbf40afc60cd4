import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Host } from "../../../host/host.ts";
import { explained, explainSave } from "../../../report/write-failures.ts";
import { Failure } from "../../../values/failure.ts";
import { namePath, pathWord } from "../../../values/text/path-name.ts";

/** Only this user may read it: it says who was paid. */
const fileMode = 0o600;
const lockWaitMs = 10_000;
const lockStaleMs = 30_000;

/**
 * Locks a file that an archive goes to. Without the lock, two runs at once could each take the other's file for their
 * own.
 * @returns the function that releases it
 * @throws {Failure} usage | unavailable
 */
export async function lockArchive({ files }: Host, path: string): Promise<() => Promise<void>> {
  // Not FILE.lock: in a folder of the user's, another program may have one.
  const lock = join(dirname(path), `.${basename(path)}.archive-lock`);
  try {
    return await files.lock(lock, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause) throw explainSave(path)(cause);
    throw new Failure("unavailable", `Another run is archiving to ${namePath(path)} right now.`, {
      hint: `Run it again when that one has ended. If there is none: rm ${pathWord(lock)}`,
      cause,
    });
  }
}

/**
 * Writes an archive to the disk. An existing file is never overwritten. One with the same bytes is from an interrupted
 * run, and is kept as the archive.
 * @throws {Failure} usage | unavailable
 */
export async function saveArchive(host: Host, path: string, lines: AsyncIterable<string>): Promise<void> {
  await explained(async () => {
    if ((await host.files.facts(path)) === undefined) await write(host, path, lines);
    else if (!(await hasSameBytes(host, path, lines))) throw occupied(path);
  }, explainSave(path));
}

/** The name by which the journal knows an archive's file: without its folder, which may change. */
export function archiveName(path: string): string {
  return basename(path);
}

async function write(host: Host, path: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = await host.files.draft(path, fileMode);
  try {
    for await (const line of lines) await draft.write(line);
    // Another program may have made a file there meanwhile.
    if ((await host.files.facts(path)) !== undefined) throw occupied(path);
    await draft.commit();
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}

async function hasSameBytes(host: Host, path: string, lines: AsyncIterable<string>): Promise<boolean> {
  const [there, meant] = [createHash("sha256"), createHash("sha256")];
  for await (const chunk of host.files.chunks(path)) there.update(chunk);
  for await (const line of lines) meant.update(line);
  return there.digest("hex") === meant.digest("hex");
}

function occupied(path: string): Failure {
  return new Failure("usage", `The file ${namePath(path)} exists already; nothing was archived.`, {
    hint: "Name another file: --save FILE",
  });
}
