import type { Bounds } from "../places.ts";
import { isWithin, placeStep } from "../places.ts";

/**
 * Gives places within the bounds to rows that have none: evenly between those that have one there, and after the last.
 * @param fixed each row's place, in ascending order; undefined where it has none yet
 * @param taken places that are occupied
 * @returns undefined where there is no room
 */
export function placesBetween(
  fixed: readonly (number | undefined)[],
  bounds: Bounds,
  taken: ReadonlySet<number>,
): number[] | undefined {
  const places: number[] = [];
  let last = bounds.before;
  for (let at = 0; at < fixed.length;) {
    const own = fixed[at];
    if (own !== undefined) {
      places.push(own);
      if (isWithin(bounds, own)) last = own;
      at += 1;
      continue;
    }
    let end = at;
    while (end < fixed.length && fixed[end] === undefined) end += 1;
    let next = end;
    while (next < fixed.length && !isWithin(bounds, fixed[next] ?? Number.NaN)) next += 1;
    const run = runBetween(last, fixed[next] ?? bounds.after, {
      count: end - at,
      origin: bounds.origin,
      taken,
    });
    if (run === undefined) return undefined;
    for (const place of run) places.push(place);
    last = run.at(-1) ?? last;
    at = end;
  }
  return places;
}

interface Run {
  readonly count: number;
  readonly origin: number;
  readonly taken: ReadonlySet<number>;
}

function runBetween(
  before: number | undefined,
  after: number | undefined,
  { count, origin, taken }: Run,
): number[] | undefined {
  const start = before ?? (after === undefined ? origin : after - placeStep * (count + 1));
  const step = after === undefined ? placeStep : Math.min(placeStep, Math.floor((after - start) / (count + 1)));
  if (step < 1) return undefined;
  const run: number[] = [];
  let last = start;
  for (let index = 1; index <= count; index += 1) {
    let place = Math.max(last + 1, start + step * index);
    while (taken.has(place)) place += 1;
    run.push(place);
    last = place;
  }
  return after !== undefined && last >= after ? undefined : run;
}
