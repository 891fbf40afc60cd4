import type { ClockSpread, ServiceClock } from "../values/time/service-clock.ts";
import { clockAgreesMs, noSpread } from "../values/time/service-clock.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { MovementEvent } from "./movement.ts";

/** How long ago an order may have left whose date is still to come. */
const reachMs = 180 * 86_400_000;

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

/**
 * The spread of an order that has left by now. Where what was noted does not explain a date that is still to come, the
 * clock was ahead when it left, and how far is not known.
 * @param clock the service's; until an answer shows it, this machine's may as well be behind now
 */
export function spreadByNow(
  { openedAt, spread }: { readonly openedAt: number; readonly spread: ClockSpread },
  nowMs: number,
  clock: Pick<ServiceClock, "spread" | "isObserved">,
): ClockSpread {
  const toNowMs = nowMs + clock.spread.earliestMs - openedAt;
  if (!clock.isObserved || toNowMs > spread.earliestMs - clockAgreesMs) return spread;
  return { ...spread, earliestMs: toNowMs - reachMs };
}

/** The spread by the event that placed the order. */
function spreadNoted({ at, note }: Pick<MovementEvent, "at" | "note">): ClockSpread {
  const [, time = ""] = /^By the service's clock it was (\S+)$/.exec(note ?? "") ?? [];
  const offMs = Date.parse(time) - at;
  return Number.isNaN(offMs) ? noSpread : { earliestMs: Math.min(offMs, 0), latestMs: Math.max(offMs, 0) };
}

/** When an order was placed, by the event that placed it: by this machine's clock or the service's, whichever was behind. */
export function placedAtNoted(event: Pick<MovementEvent, "at" | "note">): number {
  return event.at + spreadNoted(event).earliestMs;
}
