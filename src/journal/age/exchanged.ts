import type { JournalPaths } from "../failures.ts";
import type { JournalEnd } from "./marks.ts";
import { lostEvent, otherDatabase, otherEvent, otherTimeline } from "./registration-words.ts";

/** Where a shared journal is: its database, and the timeline of its server; each undefined where that isn't known. */
export interface ServedBy {
  readonly database: string | undefined;
  readonly timeline: number | undefined;
}

/** The server of a file. */
export const nowhere: ServedBy = { database: undefined, timeline: undefined };

/**
 * Checks that an open journal was not exchanged for another state of it meanwhile.
 * @param last its last event that this process knows of
 * @param there the seal that this event has by now
 * @throws {Failure} setup
 */
export function refuseExchanged(
  { number, seal }: Pick<JournalEnd, "number" | "seal">,
  there: string | undefined,
  served: { readonly before: ServedBy; readonly now: ServedBy },
  money: JournalPaths["money"],
): void {
  if (seal !== "" && there !== seal) throw there === undefined ? lostEvent(number, money) : otherEvent(number, money);
  const { before, now } = served;
  if (now.database !== before.database) throw otherDatabase(money);
  // It has all that this process wrote, and may lack what others wrote.
  if (now.timeline !== before.timeline) throw otherTimeline(now.timeline, before.timeline, money);
}
