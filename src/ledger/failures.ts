import { newerHint, storageErrorOf } from "../storage/failures.ts";
import { Failure } from "../values/failure.ts";
import { namePath, pathWord } from "../values/text/path-name.ts";
import { visible } from "../values/text/text.ts";

/** The reason of what is the matter with the ledger itself, and not with one of its accounts. */
const ofLedger = "ledger";

export function isOfLedger({ reason }: Failure): boolean {
  return reason === ofLedger;
}

/**
 * What went wrong with the ledger at that path as the failure that a caller hears of; other errors come back as they
 * are.
 */
export function ledgerFailure(error: unknown, path: string): unknown {
  const trouble = storageErrorOf(error);
  if (trouble === undefined) return error;
  const ledger = `The ledger ${namePath(path)}`;
  if (trouble.kind === "busy")
    return new Failure("unavailable", `${ledger} is kept busy by another process.`, {
      hint: "Run it again when that one has ended.",
      reason: ofLedger,
      cause: error,
    });
  const { what, hint } = {
    damaged: { what: "is damaged", hint: beginAnew(path) },
    newer: { what: "is newer than this partner", hint: newerHint },
    unusable: {
      what: "cannot be used",
      hint: "Make room and make it writable for this user, or name another folder with PARTNER_STATE_DIR.",
    },
  }[trouble.kind];
  return new Failure("setup", `${ledger} ${what}: ${visible(trouble.reason)}.`, {
    hint,
    reason: ofLedger,
    cause: error,
  });
}

/** Rows can be read again from the service; what was seen when, and what was accepted, cannot. */
function beginAnew(path: string): string {
  const [from, to] = [path, `${path}.old`].map(pathWord);
  return `It is left as it is. Restore it from a backup, or begin a new one, which knows of no earlier changes: mv ${from} ${to}`;
}
