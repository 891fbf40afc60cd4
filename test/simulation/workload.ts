import type { PlayEvent } from "./events.ts";
import { events } from "./events.ts";
import { Operator } from "./operator.ts";
import type { Awkwardness } from "./orders.ts";
import type { Town } from "./town.ts";
import { openTown } from "./town.ts";

/** What was played and what was wrong with it. If something is wrong in the end, the seed is worth keeping. */
export interface Story {
  readonly seed: number;
  readonly steps: readonly string[];
  readonly wrong: readonly string[];
}

const stepsMin = 4;
const stepsMax = 10;

/** Plays a seed: orders, repeats, accidents, look-ups, and an audit after every step. */
export async function play(seed: number, awkwardness: Awkwardness, open = openTown): Promise<Story> {
  const town = await open(seed);
  const operator = new Operator(town, awkwardness);
  const possible = events.filter(({ happensIn }) => happensIn?.(awkwardness) ?? true);
  try {
    const count = town.draw.integer(stepsMin, stepsMax);
    for (let step = 0; step < count && operator.wrong.length === 0; step += 1) {
      const now = possible.filter(({ needsOrders }) => operator.hasOrders || !needsOrders);
      await drawEvent(town, now).happen(operator);
    }
    if (operator.wrong.length === 0) await operator.settleAll();
  } finally {
    await town.close();
  }
  return { seed, steps: operator.steps, wrong: operator.wrong };
}

function drawEvent({ draw }: Town, possible: readonly PlayEvent[]): PlayEvent {
  let left = draw.integer(
    1,
    possible.reduce((sum, { weight }) => sum + weight, 0),
  );
  const event = possible.find(({ weight }) => (left -= weight) <= 0);
  if (event === undefined) throw new Error("Nothing can happen");
  return event;
}
