/**
 * The purpose of opening a journal. `write` is for orders. `move` and `recover` make it the known one, whatever blocks
 * orders: `recover` with the rows of statements, so that any journal will do, even a new one. `inspect` does the same
 * without changing anything.
 */
export type Purpose = "read" | "write" | "move" | "recover" | "inspect";

/** True where the journal may be created, and the list of known journals changed. */
export function makesChanges(use: Purpose): boolean {
  return use === "write" || use === "move" || use === "recover";
}

/** True where the journal has to be the one that was there before. */
export function wantsTheSame(use: Purpose): boolean {
  return use === "read" || use === "write" || use === "move";
}
