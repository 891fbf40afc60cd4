import type { Movement } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import { formatDuration } from "../../values/time/duration.ts";
import { Failure, interruption } from "../../values/failure.ts";

/** What a wait was for, and how it ended. */
export interface EndedWait {
  /** Aborted where a person ended it. */
  readonly signal: AbortSignal;
  readonly forMs: number;
  /** True where a callback could come. */
  readonly listens: boolean;
  /** True where the statement was to show it, too. */
  readonly wantsStatement: boolean;
}

/**
 * How a run ends if its wait ended before the order was what it should be; undefined where the order's own state says
 * how the run ends.
 */
export function waitFailure(movement: Movement, wait: EndedWait): Failure | undefined {
  const missing = missingOf(movement, wait);
  if (missing === undefined) return undefined;
  const { id, reference, requestIds } = movement;
  const noun = movementNouns[movement.kind];
  const details = {
    reference,
    requestId: requestIds.at(-1),
    money: "unknown",
    hint: `Do not send it again. Look into it later: partner journal resolve ${id}`,
  } as const;
  const { signal, forMs } = wait;
  if (!signal.aborted) return new Failure("pending", `${missing} within ${formatDuration(forMs)}.`, details);
  const stop = interruption(signal);
  const message = `${stop.message} The ${noun} goes on: it is ${movement.state}.`;
  return new Failure("interrupted", message, { ...details, signal: stop.signal });
}

/** The beginning of a sentence; undefined where nothing is missing. */
function missingOf({ kind, state, evidence }: Movement, { wantsStatement, listens }: EndedWait): string | undefined {
  if (state === "pending")
    return `The service accepted the request, but ${listens ? "no callback" : "no status"} reported the outcome`;
  if (state !== "accepted" || !wantsStatement || evidence === "statement") return undefined;
  return `The ${movementNouns[kind]} is accepted by its ${evidence ?? "answer"}, but no statement showed it`;
}
