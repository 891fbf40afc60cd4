import type { Clock } from "../host/host.ts";
import type { Journal } from "./journal.ts";
import type { Movement } from "./movement.ts";
import { isInFlight } from "./movement.ts";

const shortestPollMs = 10;
const longestPollMs = 250;

/**
 * Waits while another process is at the order, `waitMs` at most: what comes back has its outcome, or is still in flight.
 * One that comes back `unsent` may be opened again. Reads only, so that the one who is at it is not held up.
 * @throws {unknown} the signal's reason when it aborts | {Failure} setup | unavailable
 */
export async function awaitOutcome(
  journal: Journal,
  movement: Movement,
  { clock, signal, waitMs }: { readonly clock: Clock; readonly signal: AbortSignal; readonly waitMs: number },
): Promise<Movement> {
  const started = clock.elapsed();
  let latest = movement;
  let pollMs = shortestPollMs;
  while (isInFlight(latest) && clock.elapsed() - started < waitMs) {
    await clock.sleep(pollMs, signal);
    pollMs = Math.min(pollMs * 2, longestPollMs);
    latest = (await journal.read(movement.id)) ?? latest;
  }
  return latest;
}
