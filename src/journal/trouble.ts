import { Failure } from "../values/failure.ts";
import { visible } from "../values/text.ts";

/** What was read is not what was written. The message follows a colon. */
export class Damage extends Error {
  override readonly name = "Damage";
}

/** Where a journal is, where its id is remembered, and what of money when it can't be used. */
export interface JournalPaths {
  readonly journal: string;
  readonly memory: string;
  readonly money: "none" | "not moved";
}

/** SQLite's primary result codes that say something to a person, and Node's codes of the file system. */
const problems = new Map<number | string, string>([
  [3, "permission denied"],
  [8, "it is read-only"],
  [10, "the disk reports an error"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
  [22, "the file system lacks what it needs"],
  [23, "permission denied"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["EISDIR", "it is a folder"],
  ["EMFILE", "too many files are open"],
]);
/** An unexpected schema, a malformed page, a broken constraint, a format of another kind, no database at all. */
const damageCodes: ReadonlySet<number> = new Set([1, 11, 19, 24, 26]);
const busyCodes: ReadonlySet<unknown> = new Set([5, 6]);

/**
 * Anything that went wrong with the journal as the failure that a caller hears of; what is none of the journal's own
 * troubles comes back as it is.
 */
export function journalTrouble(error: unknown, paths: JournalPaths): unknown {
  if (error instanceof Damage) return damaged(paths, error.message, error);
  const code = codeOf(error);
  if (code === undefined) return error;
  if (isBusy(error)) {
    return new Failure("unavailable", `The journal ${namePath(paths.journal)} is kept busy by another process.`, {
      hint: "Nothing was sent. Run it again when that one has ended.",
      money: paths.money,
      cause: error,
    });
  }
  const reason = reasonOf(error) ?? "";
  if (typeof code === "number" && damageCodes.has(code)) return damaged(paths, reason, error);
  return unusable(paths, reason, error);
}

/** True where another process holds the lock that was wanted. */
export function isBusy(error: unknown): boolean {
  return busyCodes.has(codeOf(error));
}

/** Why SQLite or the file system said no; undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code === undefined || !(error instanceof Error) ? undefined : (problems.get(code) ?? error.message);
}

/** The failure of a journal that is there and can't be used as it is. */
export function damaged(paths: JournalPaths, reason: string, cause?: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} is damaged: ${visible(reason)}.`, {
    hint: `It is left as it is, and no money moves without it. ${beginAnew(paths)}`,
    money: paths.money,
    cause,
  });
}

/** The failure of a journal whose disk or folder says no. */
function unusable(paths: JournalPaths, reason: string, cause: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} cannot be used: ${visible(reason)}.`, {
    hint: "No journal, no money: make it writable for this user, or name another folder with PARTNER_STATE_DIR.",
    money: paths.money,
    cause,
  });
}

/** How to go on without a journal: what it remembered has to be looked up elsewhere first. */
export function beginAnew({ journal, memory }: JournalPaths): string {
  const [from, to, forgotten] = [journal, `${journal}.old`, memory].map(pathWord);
  return (
    "Restore it from a backup. If there is none, look into the statements for what was sent before you begin a new " +
    `one, which knows of none of it: mv ${from} ${to}; rm ${forgotten}`
  );
}

/** SQLite's primary code, Node's code of the file system, or undefined for what is neither. */
export function codeOf(error: unknown): number | string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  // A number that no column of ours holds: Node refuses to read it.
  if (error.code === "ERR_OUT_OF_RANGE") return 11;
  return /^E[A-Z]+$/.test(error.code) ? error.code : undefined;
}

/** A path as a sentence names it; quoted only where it holds something that would be misread. */
export function namePath(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${visible(path)}"`;
}

function pathWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
