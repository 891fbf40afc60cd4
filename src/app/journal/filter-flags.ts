import type { MovementFilter } from "../../journal/journal.ts";
import { movementKinds, movementStates } from "../../journal/movement.ts";
import { parseDay, startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, repeatedOption, toggle, wholeNumber } from "../../cli/line/input.ts";
import type { Session } from "../session.ts";

const listedMaxRows = 100_000_000;

/** Which movements are meant. */
export const journalFilterFlags = {
  state: repeatedOption({
    value: "STATE",
    words: movementStates,
    summary: `Only orders in this state, one of ${movementStates.join(", ")}; may be repeated.`,
    read: oneOf(...movementStates),
  }),
  kind: repeatedOption({
    value: "KIND",
    words: movementKinds,
    summary: `Only orders of this kind, one of ${movementKinds.join(", ")}; may be repeated.`,
    read: oneOf(...movementKinds),
  }),
  since: option({ value: "YYYY-MM-DD", summary: "Only orders placed on this day or later.", read: parseDay }),
  by: option({ value: "USER", summary: "Only orders that this user placed.", read: anyText }),
  host: option({
    value: "HOST",
    summary: "Only orders that were placed on the machine of this name.",
    read: anyText,
  }),
  limit: option({ value: "N", summary: "The newest N of them, newest first.", read: wholeNumber(1, listedMaxRows) }),
} as const;

/** Off a terminal, ids are always in full. */
export const fullIds = toggle({ summary: "Show ids and account numbers in full on a terminal." });

type Flags = FlagValues<typeof journalFilterFlags>;

/** True where not all of the journal is meant. */
export function isFiltered(flags: Flags, { profileFlag }: Session): boolean {
  return (
    profileFlag !== undefined || Object.keys(journalFilterFlags).some((key) => Reflect.get(flags, key) !== undefined)
  );
}

/**
 * The filter that the flags mean: with `--profile`, only the orders of that account.
 * @throws {Failure} usage | setup
 */
export async function journalFilter(flags: Flags, session: Session): Promise<MovementFilter> {
  const { state, kind, since, by, host, limit } = flags;
  return {
    scope: session.profileFlag === undefined ? undefined : await session.accountScope(),
    states: state,
    kinds: kind,
    since: since === undefined ? undefined : startOfDayInDarEsSalaam(since),
    user: by,
    host,
    limit,
    newestFirst: limit !== undefined,
  };
}
