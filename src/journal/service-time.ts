import type { ClockSpread } from "../values/time/service-clock.ts";
import { noSpread } from "../values/time/service-clock.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { MovementEvent } from "./movement.ts";

/**
 * The note in the history of an order that was placed while the clock differed from the service's; undefined where they
 * agree. Later searches for its row use it.
 */
export function serviceTimeNote(epochMs: number, { earliestMs, latestMs }: ClockSpread): string | undefined {
  const offMs = latestMs >= -earliestMs ? latestMs : earliestMs;
  return offMs === 0 ? undefined : `By the service's clock it was ${isoDarEsSalaam(epochMs + offMs)}`;
}

/** How far the service's clock was from this machine's when an order was last placed. */
export function spreadWhenPlaced(events: readonly MovementEvent[]): ClockSpread {
  const placed = events.findLast(({ step }) => step === "claim");
  return placed === undefined ? noSpread : spreadNoted(placed);
}

/** The same by the event that placed the order. */
function spreadNoted({ at, note }: Pick<MovementEvent, "at" | "note">): ClockSpread {
  const [, time = ""] = /^By the service's clock it was (\S+)$/.exec(note ?? "") ?? [];
  const offMs = Date.parse(time) - at;
  return Number.isNaN(offMs) ? noSpread : { earliestMs: Math.min(offMs, 0), latestMs: Math.max(offMs, 0) };
}

/** When an order was placed, by the event that placed it: by this machine's clock or the service's, whichever was behind. */
export function placedAtNoted(event: Pick<MovementEvent, "at" | "note">): number {
  return event.at + spreadNoted(event).earliestMs;
}
