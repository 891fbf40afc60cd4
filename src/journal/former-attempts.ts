import * as z from "zod/mini";
import type { ClockSpread } from "../values/time/service-clock.ts";
import type { Journal } from "./journal.ts";
import type { MovementEvent } from "./movement.ts";
import { spreadWhenPlaced } from "./service-time.ts";

/** What a step keeps of the attempt before it, as far as the two differ. */
const replacedForm = z.object({
  request: z.optional(z.string()),
  response: z.optional(z.string()),
  evidence: z.optional(z.string()),
  transaction_id: z.optional(z.string()),
});

/** An earlier attempt of an order. As far as was known when the order was sent again, nothing had come of it. */
export interface FormerAttempt {
  /** The first one is 1. */
  readonly attempt: number;
  readonly openedAt: number;
  /** Undefined where history doesn't have it: it equals that of the next attempt, or was redacted. */
  readonly request: string | undefined;
  readonly response: string | null;
  /** The service's id for it. */
  readonly transactionId: string | null;
  /** How far the service's clock was from this machine's. */
  readonly spread: ClockSpread;
  /**
   * True for a refused attempt without a known answer that says so: a callback, a status or a person refused it, or an
   * archive has its evidence.
   */
  readonly isRefusedByWord: boolean;
}

/**
 * The attempts of an order before its latest one, the oldest first.
 * @param events its whole history
 */
export function formerAttempts(events: readonly MovementEvent[]): readonly FormerAttempt[] {
  const claims = events.filter(({ step }) => step === "claim");
  return claims.slice(1).map(({ replaced, from }, index) => {
    const was = z.parse(replacedForm, JSON.parse(replaced ?? "{}"));
    const own = claims.slice(index, index + 1);
    return {
      attempt: index + 1,
      openedAt: own[0]?.at ?? 0,
      request: was.request,
      response: was.response ?? null,
      transactionId: was.transaction_id ?? null,
      spread: spreadWhenPlaced(own),
      isRefusedByWord: from === "refused" && was.evidence !== "answer",
    };
  });
}

/** The whole history of an order, with what is left of archived lines: without them, attempts would be missing. */
export async function historyOf(journal: Pick<Journal, "eventsOf">, id: string): Promise<readonly MovementEvent[]> {
  return (await journal.eventsOf([id])).get(id) ?? [];
}

/** The attempts that were refused by word alone: a row of theirs can still come. */
export function refusedByWord(events: readonly MovementEvent[]): readonly FormerAttempt[] {
  return formerAttempts(events).filter(({ isRefusedByWord }) => isRefusedByWord);
}
