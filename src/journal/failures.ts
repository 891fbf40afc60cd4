import { namePath, pathWord } from "../values/text/path-name.ts";
import { DamageError, newerHint, refusedHint, storageErrorOf } from "../storage/failures.ts";
import type { MoneyFate } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { quote, visible } from "../values/text/text.ts";

/** Where a journal and the list of known journals are, and what happened to money when the journal can't be used. */
export interface JournalPaths {
  readonly journal: string;
  readonly known: string;
  readonly money: "none" | "not moved";
}

/** The fate of an order's money where the journal can't tell whether an earlier run has sent it. */
export function uncertainFate({ money }: Pick<JournalPaths, "money">): MoneyFate {
  return money === "not moved" ? "unknown" : money;
}

/**
 * Turns any error of the journal into the caller's failure; other errors are unchanged.
 */
export function journalFailure(error: unknown, paths: JournalPaths): unknown {
  const storageError = storageErrorOf(error);
  if (storageError === undefined) return error;
  if (storageError.kind === "damaged") return damaged(paths, storageError.reason, error);
  if (storageError.kind === "unusable") return unusable(paths, storageError.reason, error);
  if (storageError.kind === "away") return away(paths, storageError.reason, error);
  if (storageError.kind === "newer") return newer(paths, storageError.reason, error);
  if (storageError.kind === "refused") return refusedChange(paths, storageError.reason, error);
  return new Failure("unavailable", `The journal ${namePath(paths.journal)} is kept busy by another process.`, {
    hint: "Nothing was sent. Run it again when that one has ended.",
    money: paths.money,
    cause: error,
  });
}

/** True for a failure whose cause is damage. */
export function isDamaged(failure: Failure): boolean {
  return failure.cause instanceof DamageError;
}

/** The failure of a journal that exists, but can't be used as it is. */
export function damaged(paths: JournalPaths, reason: string, cause?: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} is damaged: ${visible(reason)}.`, {
    hint: `It is left as it is, and no money moves without it. ${restoreHint(paths, "stands there")}`,
    money: uncertainFate(paths),
    cause,
  });
}

/** The failure of a journal that is taken away while it is in use. */
function away(paths: JournalPaths, reason: string, cause: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} is no longer in its place: ${reason}.`, {
    hint: "No money moves without a journal. Run this command again: it opens what is there now.",
    money: paths.money,
    cause,
  });
}

/** The failure of a journal that only a later version of this program understands. */
function newer(paths: JournalPaths, reason: string, cause: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} is newer than this partner: ${reason}.`, {
    hint: newerHint,
    money: uncertainFate(paths),
    cause,
  });
}

/** The failure of a journal whose constraints or triggers refuse a change. */
function refusedChange(paths: JournalPaths, reason: string, cause: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} refuses a change: ${visible(reason)}.`, {
    hint: refusedHint("partner journal verify"),
    money: uncertainFate(paths),
    cause,
  });
}

/** The failure of a journal whose disk or folder can't be used. */
function unusable(paths: JournalPaths, reason: string, cause: unknown): Failure {
  return new Failure("setup", `The journal ${namePath(paths.journal)} cannot be used: ${visible(reason)}.`, {
    hint: "No money moves without a journal: make it writable for this user, or name another folder with PARTNER_STATE_DIR.",
    money: paths.money,
    cause,
  });
}

/** The failure of a journal that has to be upgraded while a run of an earlier version is sending an order. */
export function earlierVersionSends(reference: string, money: MoneyFate): Failure {
  return new Failure(
    "unavailable",
    `An earlier version of partner is sending the order ${quote(reference)} right now.`,
    {
      hint: "The journal has to be upgraded, and that run could not record its outcome then. Run this command again when it has ended.",
      money,
    },
  );
}

const noSuchMovement = "no such movement";

/** The failure for an id that the journal does not know. */
export function noMovement(id: string): Failure {
  return new Failure("usage", `The journal has no order ${quote(id)}.`, {
    hint: "See what it has: partner journal list",
    reason: noSuchMovement,
  });
}

/** True for the failure of `noMovement`. */
export function isNoMovement(error: unknown): boolean {
  return error instanceof Failure && error.reason === noSuchMovement;
}

/** How to go on without a journal: a backup or a new one first learns from the statements what it lacks. */
export function restoreHint({ journal }: JournalPaths, file: "stands there" | "is gone"): string {
  const [from, to] = [journal, `${journal}.old`].map(pathWord);
  const away = file === "is gone" ? "" : `mv ${from} ${to}; `;
  return `Put a backup in its place if there is one, then read the statements for what it does not know: ${away}partner journal recover`;
}
