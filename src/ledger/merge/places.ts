import { placeStep } from "../writer.ts";

/** The places of the rows next to a stretch of rows; undefined where it is the first or last of its account. */
export interface Bounds {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * Places for rows that have none, evenly between those that have one, and behind the last of all.
 * @param fixed each row's place, undefined where it has none yet; those that have one go up
 * @returns undefined where there is no room
 */
export function placesBetween(fixed: readonly (number | undefined)[], bounds: Bounds): number[] | undefined {
  const places: number[] = [];
  for (let at = 0; at < fixed.length;) {
    const own = fixed[at];
    if (own !== undefined) {
      places.push(own);
      at += 1;
      continue;
    }
    let end = at;
    while (end < fixed.length && fixed[end] === undefined) end += 1;
    const run = runBetween(places.at(-1) ?? bounds.before, fixed[end] ?? bounds.after, end - at);
    if (run === undefined) return undefined;
    for (const place of run) places.push(place);
    at = end;
  }
  return places;
}

/** Where rows begin and how far apart they are between two places. */
function runBetween(before: number | undefined, after: number | undefined, count: number): number[] | undefined {
  const start = before ?? (after === undefined ? 0 : after - placeStep * (count + 1));
  const step = after === undefined ? placeStep : Math.min(placeStep, Math.floor((after - start) / (count + 1)));
  return step < 1 ? undefined : Array.from({ length: count }, (_, index) => start + step * (index + 1));
}
