import { DatabaseAway } from "../host/databases/sqlite.ts";
import { codeOf as systemCode, reasonOfCode } from "../host/system-error.ts";

/** Stored data is damaged. The message follows a colon. */
export class DamageError extends Error {
  override readonly name = "Damage";
}

/** A later version of this program wrote it, in a way that this one does not know. */
export class NewerSchemaError extends Error {
  override readonly name = "Newer";

  constructor() {
    super("it was written by a later version of partner");
  }
}

/** What to do about a newer database. */
export const newerHint = "Update partner, then run it again.";

/** SQLite's primary result codes, in words for people. */
const problems: ReadonlyMap<number, string> = new Map([
  [3, "permission denied"],
  [8, "it is read-only"],
  [10, "the disk reports an error"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
  [22, "the file system lacks what it needs"],
  [23, "permission denied"],
]);
/** Codes for an unexpected schema, a malformed page, another format, or a file that isn't a database. */
const damageCodes: ReadonlySet<unknown> = new Set([1, 11, 24, 26]);
/** The code of a change that a constraint or trigger refuses. */
const refusedCode = 19;
const busyCodes: ReadonlySet<unknown> = new Set([5, 6]);
/** SQLITE_READONLY_DBMOVED: without a log, SQLite itself notices that the file was moved. */
const awayCode = 1032;

/**
 * Why a database can't be used: another process has it, it is damaged, is from a later version, refuses a change, is no
 * longer in its place, or is unusable.
 */
export interface StorageError {
  readonly kind: "away" | "busy" | "damaged" | "newer" | "refused" | "unusable";
  /** In words that follow a colon. */
  readonly reason: string;
}

/** Classifies an error of the disk, of SQLite or of the data; undefined for every other error. */
export function storageErrorOf(error: unknown): StorageError | undefined {
  if (error instanceof DamageError) return { kind: "damaged", reason: error.message };
  if (error instanceof NewerSchemaError) return { kind: "newer", reason: error.message };
  if (isAway(error)) return { kind: "away", reason: "another program has removed, moved or replaced it" };
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  if (isBusy(error)) return { kind: "busy", reason };
  return { kind: kindOf(storageCode(error)), reason };
}

function isAway(error: unknown): boolean {
  return error instanceof DatabaseAway || (error instanceof Error && Reflect.get(error, "errcode") === awayCode);
}

function kindOf(code: number | string | undefined): StorageError["kind"] {
  if (code === refusedCode) return "refused";
  return damageCodes.has(code) ? "damaged" : "unusable";
}

/**
 * What to do where a constraint or trigger refuses a change: the data was altered, or the change itself is wrong.
 * @param check the command that checks whether the data was altered
 */
export function refusedHint(check: string): string {
  return `Nothing of it was stored. See whether something else has changed what is there: ${check}. If not, the mistake is in partner itself: report this message.`;
}

/** True where another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return busyCodes.has(storageCode(error));
}

/** Why SQLite or the file system refused; undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  const code = storageCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  return (typeof code === "number" ? problems.get(code) : reasonOfCode(code)) ?? error.message;
}

/** SQLite's primary result code, or the file system's code in Node; undefined for other errors. */
export function storageCode(error: unknown): number | string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  const code = systemCode(error) ?? "";
  // A number that none of our columns can have: Node refuses to read it.
  if (code === "ERR_OUT_OF_RANGE") return 11;
  return /^E[A-Z]+$/.test(code) ? code : undefined;
}
