import { ownCodes, PostgresError } from "../../host/databases/postgres.ts";

/** SQLSTATEs of others' locks, and of deadlocks. */
const busyStates = /^(55P03|40P01|40001)$/;
/** SQLSTATE of a lock that was waited for in vain: another attempt would wait as long again. */
export const lockedState = "55P03";
/** SQLSTATE of a change in a transaction that only reads. */
export const readOnlyState = "25006";
const givenUpState = "57014";
/** The code of an error that names who holds a lock. */
export const heldCode = "LOCK_HELD";

/** True where another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof PostgresError) || error.code === lockedState) return false;
  return error.kind === "lost" || isGivenUp(error) || isBusyState(error);
}

/** True where others hold the lock. */
export function isBusyState(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "refused" && busyStates.test(error.code ?? "");
}

/** True where the server cancelled a statement, usually after a timeout. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "refused" && error.code === givenUpState;
}

/** True where an answer did not come in time. */
export function isSilent(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "lost" && error.code === "ETIMEDOUT";
}

/** The error of a commit that no synchronous standby has confirmed. */
export function noStandby(cause: unknown): PostgresError {
  return new PostgresError("refused", "no synchronous standby has it", ownCodes.noStandby, cause);
}

/** True where the connection was lost. */
export function isLost(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "lost";
}
