import { databaseFailure } from "../storage/file-failure.ts";
import type { Failure } from "../values/failure.ts";

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
  // Rows can be read again from the service; what was seen when, and what was accepted, cannot.
  return databaseFailure(error, { name: "ledger", path, begunAnew: "knows of no earlier changes", reason: ofLedger });
}
