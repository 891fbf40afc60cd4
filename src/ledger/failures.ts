import { databaseFailure } from "../storage/file-failure.ts";
import type { Failure } from "../values/failure.ts";

/** The failure reason for the ledger itself, not for one of its accounts. */
const ofLedger = "ledger";

export function isOfLedger({ reason }: Failure): boolean {
  return reason === ofLedger;
}

/**
 * Turns an error of the ledger at that path into the caller's failure; other errors are unchanged.
 */
export function ledgerFailure(error: unknown, path: string): unknown {
  // Rows can be read again from the service; the times at which they were seen, and accepted gaps, can't.
  const begunAnew = "knows of no earlier changes";
  return databaseFailure(error, { name: "ledger", path, begunAnew, check: "partner ledger status", reason: ofLedger });
}
