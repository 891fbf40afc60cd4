import { movementKinds, movementStates } from "../../journal/movement.ts";
import type { MovementFilter } from "../../journal/journal.ts";
import { parseDay, startOfDayInDarEsSalaam } from "../../values/day.ts";
import type { FlagValues } from "../input.ts";
import { anyText, oneOf, option, repeatedOption, wholeNumber } from "../input.ts";

const limitMax = 100_000_000;

/** Which movements are meant. */
export const journalFilterFlags = {
  state: repeatedOption({
    value: movementStates.join("|"),
    summary: "Only movements in this state; may be repeated.",
    read: oneOf(...movementStates),
  }),
  kind: repeatedOption({
    value: movementKinds.join("|"),
    summary: "Only movements of this kind; may be repeated.",
    read: oneOf(...movementKinds),
  }),
  since: option({ value: "YYYY-MM-DD", summary: "Only movements ordered on this day or later.", read: parseDay }),
  by: option({ value: "USER", summary: "Only movements that this user ordered.", read: anyText }),
  host: option({ value: "HOST", summary: "Only movements that were ordered on this machine.", read: anyText }),
  limit: option({ value: "N", summary: "The newest N of them, newest first.", read: wholeNumber(1, limitMax) }),
} as const;

export function journalFilter(flags: FlagValues<typeof journalFilterFlags>, scope: string | undefined): MovementFilter {
  const { state, kind, since, by, host, limit } = flags;
  return {
    scope,
    states: state,
    kinds: kind,
    since: since === undefined ? undefined : startOfDayInDarEsSalaam(since),
    user: by,
    host,
    limit,
    newestFirst: limit !== undefined,
  };
}
