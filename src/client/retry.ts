import type { Clock, Ids } from "../host/host.ts";
import type { Failure } from "../values/failure.ts";
import { backoffFirstMs, backoffMaxMs, retryAfterMaxMs } from "./limits.ts";

/** A failed attempt after which another may succeed. */
export class Transient extends Error {
  override readonly name = "Transient";
  readonly failure: Failure;
  readonly retryAfterMs: number | undefined;

  constructor(failure: Failure, retryAfterMs?: number) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RetrySettings {
  /** Attempts after the first. */
  readonly retries: number;
  /** The longest wait before another attempt; `retryAfterMaxMs` when not set. */
  readonly waitMaxMs?: (() => number) | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signal: AbortSignal;
  /** Called before each wait, for the transcript and for a person who is waiting. */
  readonly onWait?: ((waitMs: number, cause: Failure) => void) | undefined;
}

/**
 * Tries until an attempt succeeds, fails for good, or the retries are used up. Waits a random part of a ceiling that
 * doubles, so that many clients do not come back at once. A server's `Retry-After` is respected. For reads only:
 * nothing that moves money is ever tried twice.
 * @throws {Failure} of the last attempt
 */
export async function withRetries<T>(attempt: () => Promise<T>, settings: RetrySettings): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      const waitMs = error.retryAfterMs ?? jitter(retry, settings.ids);
      const waitMaxMs = settings.waitMaxMs?.() ?? retryAfterMaxMs;
      if (retry >= settings.retries || waitMs > waitMaxMs) throw error.failure;
      settings.onWait?.(waitMs, error.failure);
      await settings.clock.sleep(waitMs, settings.signal);
    }
  }
}

function jitter(retry: number, ids: Ids): number {
  return Math.floor(ids.random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry));
}

/** `Retry-After` in seconds or as an HTTP date, as milliseconds from now; undefined where it says neither. */
export function retryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
