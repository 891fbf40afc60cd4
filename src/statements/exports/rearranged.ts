import type { Decimal } from "../../values/money/decimal.ts";
import type { ChainStep } from "./chain.ts";
import { opening } from "./chain.ts";
import { WaitingRows } from "./waiting-rows.ts";

/**
 * The same rows in the order in which they were booked, as far as their balances show it: with as few breaks as
 * possible. A service may send rows of one moment in any order, or sort by value date what it booked by another date.
 * Exported rows keep their order. New ones go where one balance continues another, preferably at the latest such place.
 * @param openings what the account may have held before the first of them, where none was exported
 * @returns undefined where a new row has no balance
 */
export function rearranged(steps: readonly ChainStep[], openings: readonly Decimal[]): ChainStep[] | undefined {
  const waiting = WaitingRows.of(steps.filter((step) => step.known === undefined));
  if (waiting === undefined) return undefined;
  const exported = steps
    .filter((step) => step.known !== undefined)
    .sort((one, other) => (one.known ?? 0) - (other.known ?? 0));
  const order = begun(exported, openings, waiting);
  // The remaining rows continue no other row.
  while (waiting.count > 0) for (const step of trail([], waiting.startFrom([]), waiting)) order.push(step);
  return order;
}

function begun(exported: readonly ChainStep[], openings: readonly Decimal[], waiting: WaitingRows): ChainStep[] {
  const [first, last] = [exported[0], exported.at(-1)];
  if (first === undefined || last === undefined)
    return trail([], waiting.startFrom(openings.map((opening) => opening.trimmed())), waiting);
  const whole = joined(exported, waiting);
  return trail([...waiting.pathTo(openingKey(first), closingKey(last)), ...whole], openingKey(first), waiting);
}

/** Exported rows, with the new rows that lead from one to the next where these do not follow each other. */
function joined(exported: readonly ChainStep[], waiting: WaitingRows): ChainStep[] {
  return exported.flatMap((step, index) => {
    const next = exported[index + 1];
    const to = next && openingKey(next);
    return to === undefined ? [step] : [step, ...waiting.pathBetween(closingKey(step), to)];
  });
}

/** These rows, and all others that can be placed between or after them without a break (Hierholzer's algorithm). */
function trail(base: readonly ChainStep[], from: string | undefined, waiting: WaitingRows): ChainStep[] {
  const stack = [...base];
  const backwards: ChainStep[] = [];
  for (;;) {
    const top = stack.at(-1);
    const next = waiting.take(top === undefined ? from : closingKey(top));
    if (next !== undefined) stack.push(next);
    else if (top === undefined) return backwards.toReversed();
    else {
      backwards.push(top);
      stack.pop();
    }
  }
}

function openingKey({ row }: ChainStep): string | undefined {
  const found = opening(row);
  return found && found.trimmed();
}

function closingKey({ row: { balance } }: ChainStep): string | undefined {
  return balance && balance.trimmed();
}
