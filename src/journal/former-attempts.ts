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

/** An attempt of an order of which nothing came, so far as was known when the order was sent again. */
export interface FormerAttempt {
  /** The first one is 1. */
  readonly attempt: number;
  readonly openedAt: number;
  /** Undefined where history does not have it: it is that of the attempt after it, or was taken out. */
  readonly request: string | undefined;
  readonly response: string | null;
  /** The service's id of it. */
  readonly transactionId: string | null;
  /** How far the service's clock was from this machine's. */
  readonly spread: ClockSpread;
  /** True where no answer is known to say that nothing came of it: a callback, a status or a person did, or an archive has it. */
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

/** Those of which a row can still come: no answer says that nothing came of them. */
export function refusedByWord(events: readonly MovementEvent[]): readonly FormerAttempt[] {
  return formerAttempts(events).filter(({ isRefusedByWord }) => isRefusedByWord);
}
