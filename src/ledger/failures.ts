import { databaseFailure } from "../storage/file-failure.ts";
import type { Failure } from "../values/failure.ts";

/** The `reason` of failures of the ledger itself, not of one of its accounts. */
const ofLedger = "ledger";

export function isOfLedger({ reason }: Failure): boolean {
  return reason === ofLedger;
}

/** Turns a database error of the ledger at `path` into a `Failure`; returns other errors unchanged. */
export function ledgerFailure(error: unknown, path: string): unknown {
  // Rows can be read again from the service; the times at which they were seen, and accepted gaps, can't.
  const newOne = "knows of no earlier changes";
  return databaseFailure(error, { name: "ledger", path, newOne, check: "partner ledger status", reason: ofLedger });
}
