import type { Movement } from "../journal/movement.ts";

/** What came of an order: the movement as it stands, and whether this run is the one that sent it. */
export interface Performed {
  readonly movement: Movement;
  /** False when the reference had an outcome already, or another process got one for it: nothing was sent here. */
  readonly sentNow: boolean;
  /** True where the statement shows that it was paid before, by a journal that is lost. */
  readonly wasPaid?: boolean | undefined;
}
