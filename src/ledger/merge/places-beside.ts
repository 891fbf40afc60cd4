import type { JsonObject } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { AccountKind } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { isWithin } from "../places.ts";
import type { RowEnds } from "../row-facts.ts";
import { endsOf, factsOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import type { HeldRow } from "../writer.ts";
import { placesBetween } from "./places-between.ts";

/** A reading, and the rows of the ledger that it goes between. */
interface Reading {
  readonly kind: AccountKind;
  /** Oldest first. */
  readonly incoming: readonly JsonObject[];
  /** Each row's place; undefined where it has none yet. */
  readonly fixed: readonly (number | undefined)[];
  /** Held rows without a value date that the reading leaves out, in order. */
  readonly leftOut: readonly HeldRow[];
  readonly bounds: Bounds;
  /** The row before the bounds. */
  readonly before: HeldRow | undefined;
}

/**
 * Gives places to rows that have none: within the bounds, between the rows that the reading shows before and after
 * them. Where a row without a value date stands there that the reading leaves out, the balances tell on which side of
 * it they go; where these don't tell, rows stay next to those of their own days.
 * @param taken places that are occupied
 * @returns undefined where there is no room
 */
export function placesBeside(reading: Reading, taken: ReadonlySet<number>): readonly number[] | undefined {
  const { kind, incoming, fixed, bounds, before } = reading;
  const leftOut = reading.leftOut.filter(({ number }) => isWithin(bounds, number));
  if (leftOut.length === 0) return placesBetween(fixed, bounds, taken);
  const isFirst = bounds.before === undefined && bounds.after !== undefined;
  const [order, indexes]: [(number | undefined)[], number[]] = [[], []];
  let passed = 0;
  const passTo = (count: number) => {
    for (; passed < count; passed += 1) order.push(leftOut[passed]?.number);
  };
  for (let at = 0; at <= incoming.length; at += 1) {
    const [start, first] = [at, passed];
    while (at < incoming.length && !isWithin(bounds, fixed[at] ?? Number.NaN)) at += 1;
    let end = passed;
    while ((leftOut[end]?.number ?? Infinity) < (fixed[at] ?? Infinity)) end += 1;
    const counts =
      start < at && first < end
        ? countsBefore({
            left: endsOf(start > 0 ? incoming[start - 1] : before && decodeRow(before.raw), kind),
            right: endsOf(incoming[at], kind),
            fresh: incoming.slice(start, at).map((row) => endsOf(row, kind)),
            changes: leftOut.slice(first, end).map(({ raw }) => factsOf(decodeRow(raw), kind).change),
            isBesideLeft: start > 0 || (isFirst && at === incoming.length),
          })
        : [];
    for (let index = start; index < at; index += 1) {
      passTo(first + (counts[index - start] ?? 0));
      indexes.push(order.length);
      order.push(fixed[index]);
    }
    passTo(end);
    if (at === incoming.length) break;
    indexes.push(order.length);
    order.push(fixed[at]);
  }
  const places = placesBetween(order, bounds, taken);
  return places && indexes.map((index) => places[index] ?? 0);
}

interface Gap {
  /** The rows around the gap. */
  readonly left: RowEnds;
  readonly right: RowEnds;
  readonly fresh: readonly RowEnds[];
  /** The amounts of the left-out rows in the gap. */
  readonly changes: readonly (Decimal | undefined)[];
  /** True: a new row stays next to the left one where the balances decide nothing. */
  readonly isBesideLeft: boolean;
}

/**
 * For each new row, how many of the left-out rows in the gap go before it: as many as make the balances follow, forward
 * from the row on the left, or back from the one on the right.
 */
function countsBefore({ left, right, fresh, changes, isBesideLeft }: Gap): readonly number[] {
  const forward = steps(left.closing, fresh, changes);
  const mirrored = fresh.map(({ opening, closing }) => ({ opening: closing, closing: opening })).toReversed();
  const back = steps(right.opening, mirrored, changes.map((change) => change?.negate()).toReversed()).toReversed();
  let last = 0;
  return forward.map((count, index) => {
    const after = back[index] ?? (isBesideLeft ? changes.length : 0);
    last = Math.max(last, count ?? changes.length - after);
    return last;
  });
}

/** For each row how many changes lead to its opening; undefined where none do. */
function steps(start: Decimal | undefined, rows: readonly RowEnds[], changes: readonly (Decimal | undefined)[]) {
  let [balance, passed] = [start, 0];
  return rows.map(({ opening, closing }) => {
    let [reached, count] = [balance, passed];
    while (reached !== undefined && opening?.equals(reached) === false && count < changes.length) {
      const change = changes[count];
      reached = change && reached.add(change);
      count += 1;
    }
    balance = closing;
    if (reached === undefined || opening?.equals(reached) !== true) return undefined;
    passed = count;
    return count;
  });
}
