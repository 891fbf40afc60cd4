/**
 * What a journal is opened for. `write` is for orders. `move` and `recover` make it the known one, whatever stands in
 * the way of orders: `recover` with what the statements know, so that any journal will do, a new one too. `inspect` is
 * the same and changes nothing.
 */
export type Purpose = "read" | "write" | "move" | "recover" | "inspect";

/** True where a journal may be made, and what is known of it be changed. */
export function makesChanges(use: Purpose): boolean {
  return use === "write" || use === "move" || use === "recover";
}

/** True where the journal that was there has to be there still. */
export function wantsTheSame(use: Purpose): boolean {
  return use === "read" || use === "write" || use === "move";
}
