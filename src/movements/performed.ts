import type { Movement } from "../journal/movement.ts";

/** The outcome of an order: its movement, and whether this run sent it. */
export interface Performed {
  readonly movement: Movement;
  /** False where the reference had an outcome already, or another process sent it. */
  readonly sentNow: boolean;
  /** True where the statement shows that it was paid before, by a journal that is lost. */
  readonly wasPaid?: boolean | undefined;
}
