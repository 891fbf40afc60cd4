import type { Journal } from "../journal/journal.ts";
import type { Movement, MovementEvent } from "../journal/movement.ts";

/** So many histories are read at once. */
const batchOrders = 500;

/** The orders as the journal had them at that time. Those that were placed later are as they are now. */
export async function* ordersThen(journal: Journal, scope: string, time: number): AsyncGenerator<Movement> {
  let changed: Movement[] = [];
  for await (const movement of journal.list({ scope })) {
    if (movement.changedAt <= time) yield movement;
    else changed.push(movement);
    if (changed.length < batchOrders) continue;
    yield* asThen(journal, changed, time);
    changed = [];
  }
  yield* asThen(journal, changed, time);
}

async function* asThen(journal: Journal, movements: readonly Movement[], time: number): AsyncGenerator<Movement> {
  const histories = await journal.eventsOf(movements.map(({ id }) => id));
  for (const movement of movements) yield movementThen(movement, histories.get(movement.id) ?? [], time);
}

function movementThen(movement: Movement, history: readonly MovementEvent[], time: number): Movement {
  const before = history.filter(({ at }) => at <= time);
  const claim = before.findLast(({ step }) => step === "claim");
  const last = before.findLast(({ step }) => step !== "contradict");
  if (claim === undefined || last === undefined) return movement;
  // Its answer came later.
  const state = last.to === "sending" ? "unknown" : last.to;
  return { ...movement, state, note: last.note, openedAt: claim.at };
}
