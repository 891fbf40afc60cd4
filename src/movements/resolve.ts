import type { Inquiry } from "../evidence/inquiry.ts";
import { sawWords } from "../evidence/words.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { isInFlight } from "../journal/movement.ts";
import { decideByStatement } from "./statement-decision.ts";

/** What was found out about a movement, and what it rests on in words. */
export interface Resolved {
  readonly movement: Movement;
  readonly saw: string;
}

/**
 * Looks a movement up in the statements. A row that proves it decides; anything less is shown and leaves it as it is.
 * That no row is there proves nothing: it may come tomorrow.
 * @throws {Failure} setup | unavailable | interrupted
 */
export async function resolveByStatement(movement: Movement, inquiry: Inquiry, journal: Journal): Promise<Resolved> {
  if (isAnswered(movement)) return { movement, saw: `It is ${movement.state} already.` };
  if (isInFlight(movement)) return { movement, saw: "A process is at it right now." };
  const { movement: now, insight } = await decideByStatement(movement, inquiry, journal);
  return { movement: now, saw: sawWords(insight) };
}

/** True where no statement can change what is known: nothing left, or it is known to have come back. */
export function isAnswered({ state }: Movement): boolean {
  return state === "unsent" || state === "reversed";
}
