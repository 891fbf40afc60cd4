import { Failure } from "../values/failure.ts";
import { namePath, pathWord } from "../values/text/path-name.ts";
import { visible } from "../values/text/text.ts";
import { newerHint, refusedHint, storageErrorOf } from "./failures.ts";

/** A database of ours beside the journal, for messages. */
export interface NamedDatabase {
  /** Its name: `ledger`. */
  readonly name: string;
  readonly path: string;
  /** What a new one in its place knows nothing of: `treats events that come again as new`. */
  readonly begunAnew: string;
  /** The command that finds out whether what it holds was changed by something else. */
  readonly check: string;
  /** Of every failure of it. */
  readonly reason?: string | undefined;
}

/** Turns an error of a database into the caller's failure; other errors are unchanged. */
export function databaseFailure(error: unknown, { name, path, begunAnew, check, reason }: NamedDatabase): unknown {
  const trouble = storageErrorOf(error);
  if (trouble === undefined) return error;
  const named = `The ${name} ${namePath(path)}`;
  if (trouble.kind === "busy")
    return new Failure("unavailable", `${named} is kept busy by another process.`, {
      hint: "Run it again when that one has ended.",
      reason,
      cause: error,
    });
  const [from, to] = [path, `${path}.old`].map(pathWord);
  const { what, hint } = {
    damaged: {
      what: "is damaged",
      // It is never replaced silently: what it knew may not be had again.
      hint: `It is left as it is. Restore it from a backup, or begin a new one, which ${begunAnew}: mv ${from} ${to}`,
    },
    newer: { what: "is newer than this partner", hint: newerHint },
    refused: { what: "refuses a change", hint: refusedHint(check) },
    unusable: {
      what: "cannot be used",
      hint: "Make room and make it writable for this user, or name another folder with PARTNER_STATE_DIR.",
    },
  }[trouble.kind];
  return new Failure("setup", `${named} ${what}: ${visible(trouble.reason)}.`, { hint, reason, cause: error });
}
