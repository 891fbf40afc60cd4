import type { Gap, Step } from "./chain.ts";
import { opening } from "./chain.ts";
import { amountKey } from "./matched-rows.ts";

/**
 * The same rows in an order in which each balance follows from the one before; undefined where there is none, or it was
 * not found. A service may put rows of one moment in any order, or sort by value date what it booked by another. Rows
 * that were exported keep their order; where none of them goes on from a balance, the first new one that does is next.
 */
export function rearranged(steps: readonly Step[], isAccepted: (gap: Gap) => boolean): Step[] | undefined {
  const [oldest] = inOrderOfExport(steps);
  const starts = new Set([steps[0], oldest]);
  for (const start of starts) {
    const order = start && orderFrom(start, steps, isAccepted);
    if (order !== undefined) return order;
  }
  return undefined;
}

function orderFrom(start: Step, steps: readonly Step[], isAccepted: (gap: Gap) => boolean): Step[] | undefined {
  const others = steps.filter((step) => step !== start);
  const known = inOrderOfExport(others).toReversed();
  const waiting = waitingByOpening(others.filter((step) => step.known === undefined));
  if (waiting === undefined) return undefined;
  const order = [start];
  for (let after = start; order.length < steps.length;) {
    const next = nextOf(after, known, waiting, isAccepted);
    if (next === undefined) return undefined;
    order.push(next);
    after = next;
  }
  return order;
}

function inOrderOfExport(steps: readonly Step[]): Step[] {
  return steps.filter((step) => step.known !== undefined).sort((one, other) => (one.known ?? 0) - (other.known ?? 0));
}

function nextOf(
  after: Step,
  known: Step[],
  waiting: ReadonlyMap<string, Step[]>,
  isAccepted: (gap: Gap) => boolean,
): Step | undefined {
  const left = after.row.balance;
  const before = known.at(-1);
  const found = before && opening(before.row);
  // Rows that say too little follow wherever they stand.
  if (before !== undefined && (left === undefined || found === undefined || found.equals(left))) return known.pop();
  const next = left && waiting.get(amountKey(left))?.pop();
  if (next !== undefined || before === undefined || left === undefined || found === undefined) return next;
  return isAccepted({ after, before, left, found }) ? known.pop() : undefined;
}

/** The first of each list last; undefined where a row does not say its balance. */
function waitingByOpening(steps: readonly Step[]): ReadonlyMap<string, Step[]> | undefined {
  const waiting = new Map<string, Step[]>();
  for (const step of steps.toReversed()) {
    const balance = opening(step.row);
    if (balance === undefined) return undefined;
    const same = waiting.get(amountKey(balance));
    if (same === undefined) waiting.set(amountKey(balance), [step]);
    else same.push(step);
  }
  return waiting;
}
