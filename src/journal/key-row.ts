import { movementOf } from "./movement-row.ts";
import type { OrderKeys, Standing } from "./order-keys.ts";
import { keysOf, standingOf } from "./order-keys.ts";
import type { MovementRow } from "./row.ts";

/** What is stored beside a movement, so that those that could be the same payment are found. */
export interface KeyRow extends OrderKeys {
  readonly standing: Standing;
  /** The id of its batch; empty where it is no row of one. */
  readonly batch: string;
}

export function keyRowOf(row: MovementRow): KeyRow {
  const { scope, kind, reference, state, request } = movementOf(row, false);
  return { ...keysOf({ scope, kind, reference }, request), standing: standingOf(state), batch: row.batch ?? "" };
}
