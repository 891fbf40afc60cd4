import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { readOwnFile } from "../../host/files/own-file.ts";
import type { Host } from "../../host/host.ts";
import { storageCode, newerHint, reasonOf } from "../../storage/failures.ts";
import { refuseOpenToAll } from "../../storage/place.ts";
import { Failure } from "../../values/failure.ts";
import { namePath, pathWord } from "../../values/text/path-name.ts";
import type { JournalPaths } from "../failures.ts";

/**
 * For how long a journal may not know everything that was sent, after it began, came from elsewhere or was recovered.
 */
export const unsureMs = 24 * 3_600_000;

const fileMaxBytes = 1024 * 1024;
const folderMode = 0o700;
const fileMode = 0o600;
const lockWaitMs = 10_000;
const lockStaleMs = 30_000;

const knownJournal = z.object({
  id: z.string(),
  /** The path of its file, or the database of a shared one as it may be shown. */
  place: z.string(),
  /** True where there is a mark of it. */
  isMarked: z.boolean(),
  /** A hash of the machine's own id when it was used last; null where the machine had none. */
  machine: z.nullable(z.string()),
  /**
   * Where it was last used: on a machine without an id a hash of the container's id, and the folder's id
   * (`Files.placeId`); on others the id of its file. Null where not known. Missing for a shared one, and in files of
   * earlier versions.
   */
  home: z.optional(z.nullable(z.object({ container: z.nullable(z.string()), folder: z.nullable(z.string()) }))),
  /** Which database of its server a shared one was last; missing for files, and where earlier versions used it. */
  database: z.optional(z.string()),
  /** The accounts whose orders went to it from here; null where they have not been read since version 1. */
  accounts: z.nullable(z.array(z.string())),
  /** Accounts whose statements have to be read before an order of theirs leaves. */
  unread: z.array(z.string()),
  /**
   * Wallets whose statements could not be read when those of all others were; missing where there are none. An order that
   * one of them may show has to wait.
   */
  unreadWallets: z.optional(z.array(z.object({ account: z.string(), accountNo: z.string() }))),
  /** From when on the statements of these have to be read; null where that isn't known, or there are none. */
  unreadFrom: z.nullable(z.number()),
  /** When it was first used from here; null where that was before such times were kept. */
  since: z.nullable(z.number()),
  /** When it came to another place, machine or server; null where it never did. */
  movedAt: z.nullable(z.number()),
  /**
   * The time of its last event when it came here: it doesn't know later orders. Null where it had none, or was here
   * before; missing in files of earlier versions.
   */
  endedAt: z.optional(z.nullable(z.number())),
  /** When `endedAt` was found; missing in files of earlier versions. */
  endedFoundAt: z.optional(z.number()),
  /** When statements were last read into it; null for never. */
  recoveredAt: z.nullable(z.number()),
});

/** A journal that may not know all that was sent. Times are milliseconds since 1970 UTC. */
export interface Unsure {
  /** When it began, was moved, was recovered or came to this machine or server: less than a day ago. */
  readonly since: number;
  /** The time of its last event when it came here; undefined where it had none, or didn't come from elsewhere. */
  readonly knownUntil: number | undefined;
}

/** A journal that was used with this config folder. Times are milliseconds since 1970 UTC. */
export type KnownJournal = Readonly<z.infer<typeof knownJournal>>;

/**
 * Where a journal ended when it came from elsewhere, if that was found less than a day ago. It may lack later orders,
 * even if others were sent with it since, or the statements of one of its accounts were read into it.
 */
export function stillLacking({ endedAt = null, endedFoundAt = 0 }: Partial<KnownJournal> = {}, now: number) {
  return endedAt === null || now - endedFoundAt >= unsureMs ? undefined : { endedAt, endedFoundAt };
}

const version1 = z.object({
  version: z.literal(1),
  journals: z.array(z.object({ path: z.string(), id: z.string() })),
});
const version2 = z.object({ version: z.literal(2), journals: z.array(knownJournal) });
const ownVersion = 2;

/** The path of the list of used journals: beside the profiles, so that the loss of one folder doesn't lose both. */
export function knownPath(configFolder: string): string {
  return join(configFolder, "journals.json");
}

/** A wallet of an account, whose statement could not be read. */
export type KeptUnreadWallet = NonNullable<KnownJournal["unreadWallets"]>[number];

/** A journal as version 1 knew it. */
export type FormerlyKnown = z.infer<typeof version1>["journals"][number];

/** Converts the entries of version 1. */
export type Adopt = (former: readonly FormerlyKnown[]) => Promise<readonly KnownJournal[]>;

/**
 * All journals that were ever used with this config folder.
 * @throws {Failure} setup when the file is damaged or can't be read: what it knew is then not known
 */
export async function recallJournals(host: Host, paths: JournalPaths, adopt: Adopt): Promise<readonly KnownJournal[]> {
  return (await readKnown(host, paths, adopt)).journals;
}

/**
 * Changes the list under a lock.
 * @param change gets the current list; the same list means that there is nothing to write
 * @throws {Failure} setup where it can't be written | unavailable where another process keeps the lock
 */
export async function changeJournals(
  host: Host,
  paths: JournalPaths,
  adopt: Adopt,
  change: (journals: readonly KnownJournal[]) => Promise<readonly KnownJournal[]> | readonly KnownJournal[],
): Promise<readonly KnownJournal[]> {
  const { known: path } = paths;
  const release = await takeLock(host, paths);
  try {
    const { journals, isOwn } = await readKnown(host, paths, adopt);
    const changed = await change(journals);
    if (changed !== journals || !isOwn) await writeKnown(host, path, changed);
    return changed;
  } catch (error) {
    throw unwritable(error, paths);
  } finally {
    await release();
  }
}

async function readKnown(
  host: Host,
  paths: JournalPaths,
  adopt: Adopt,
): Promise<{ readonly journals: readonly KnownJournal[]; readonly isOwn: boolean }> {
  const content = await readContent(host, paths);
  if (content === undefined) return { journals: [], isOwn: true };
  const former = version1.safeParse(content);
  if (former.success) return { journals: await adopt(former.data.journals), isOwn: false };
  const own = version2.safeParse(content);
  if (own.success) return { journals: own.data.journals, isOwn: true };
  throw versionOf(content) > ownVersion ? later(paths) : unreadable(paths, own.error);
}

async function readContent(host: Host, paths: JournalPaths): Promise<unknown> {
  try {
    refuseOpenToAll(host, paths, paths.known, await host.files.facts(paths.known), "600");
    const bytes = await readOwnFile(host.files, paths.known, fileMaxBytes);
    if (bytes === undefined) return undefined;
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return content;
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(paths, error);
  }
}

async function takeLock(host: Host, paths: JournalPaths): Promise<() => Promise<void>> {
  const lock = `${paths.known}.lock`;
  try {
    await host.files.makeFolder(dirname(paths.known), folderMode);
    return await host.files.lock(lock, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  } catch (error) {
    if (storageCode(error) !== undefined || !(error instanceof Error)) throw unwritable(error, paths);
    throw new Failure(
      "unavailable",
      `${namePath(paths.known)} is being changed by another process: ${error.message}.`,
      {
        hint: `Nothing was sent. Run it again when that one has ended. If there is none: rm ${pathWord(lock)}`,
        money: paths.money,
        cause: error,
      },
    );
  }
}

async function writeKnown(host: Host, path: string, journals: readonly KnownJournal[]): Promise<void> {
  const draft = await host.files.draft(path, fileMode);
  try {
    await draft.write(`${JSON.stringify({ version: ownVersion, journals }, undefined, 2)}\n`);
    await draft.commit();
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}

function versionOf(content: unknown): number {
  const version = typeof content === "object" && content !== null ? Reflect.get(content, "version") : undefined;
  return typeof version === "number" ? version : 0;
}

function unreadable({ known, money }: JournalPaths, cause: unknown): Failure {
  return new Failure("setup", `${namePath(known)}, which says what journals there are, cannot be read.`, {
    hint: `Make it readable for this user. If it is damaged and the journal is where it was, move it away; it is written again: mv ${pathWord(known)} ${pathWord(`${known}.old`)}`,
    money,
    cause,
  });
}

function later({ known, money }: JournalPaths): Failure {
  return new Failure("setup", `${namePath(known)} was written by a later version of partner.`, {
    hint: newerHint,
    money,
  });
}

/** An error of the file system as the caller's failure; other errors are unchanged. */
function unwritable(error: unknown, { known, money }: JournalPaths): unknown {
  const reason = error instanceof Failure ? undefined : reasonOf(error);
  if (reason === undefined) return error;
  return new Failure("setup", `${namePath(known)}, which says what journals there are, cannot be written: ${reason}.`, {
    hint: "Nothing was sent. Make its folder writable for this user, or name another one with PARTNER_CONFIG_DIR.",
    money,
    cause: error,
  });
}
