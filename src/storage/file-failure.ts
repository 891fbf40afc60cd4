import { Failure } from "../values/failure.ts";
import { namePath, pathWord } from "../values/text/path-name.ts";
import { visible } from "../values/text/text.ts";
import { newerHint, refusedHint, storageErrorOf } from "./failures.ts";

/** One of our databases besides the journal, for messages. */
export interface NamedDatabase {
  /** Its name: `ledger`. */
  readonly name: string;
  readonly path: string;
  /** What a new one in its place would do wrong: `treats events that come again as new`. */
  readonly newOne: string;
  /** The command that checks whether another program changed its data. */
  readonly check: string;
  /** The `reason` of its failures. */
  readonly reason?: string | undefined;
}

/** Turns a database error into a `Failure`; returns other errors unchanged. */
export function databaseFailure(error: unknown, { name, path, newOne, check, reason }: NamedDatabase): unknown {
  const storageError = storageErrorOf(error);
  if (storageError === undefined) return error;
  const named = `The ${name} ${namePath(path)}`;
  if (storageError.kind === "busy")
    return new Failure("unavailable", `${named} is kept busy by another process.`, {
      hint: "Run it again when that one has ended.",
      reason,
      cause: error,
    });
  const moves = ["", "-wal"].map((end) => `mv ${pathWord(path + end)} ${pathWord(`${path}.old${end}`)}`).join("; ");
  const { what, hint } = {
    damaged: {
      what: "is damaged",
      // It is never replaced silently: its data may not be recoverable. And a log that stays behind is read into whatever
      // takes its place.
      hint: `It is left as it is. Move it away first, with its log if there is one: ${moves}. Then restore it from a backup, or begin a new one, which ${newOne}.`,
    },
    newer: { what: "is newer than this partner", hint: newerHint },
    refused: { what: "refuses a change", hint: refusedHint(check) },
    away: {
      what: "is no longer in its place",
      hint: "Start this command again, which opens what is there now.",
    },
    unusable: {
      what: "cannot be used",
      hint: "Make room and make it writable for this user, or name another folder with PARTNER_STATE_DIR.",
    },
  }[storageError.kind];
  return new Failure("setup", `${named} ${what}: ${visible(storageError.reason)}.`, { hint, reason, cause: error });
}
