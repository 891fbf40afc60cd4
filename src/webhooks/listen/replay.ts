import type { Row } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";
import { quote } from "../../values/text/text.ts";
import type { Inbox, Kept } from "../inbox/inbox.ts";
import type { EventDestination } from "./destination.ts";
import { nameOf, restored } from "../inbox/stored-text.ts";

export const replayFields: readonly Field[] = [
  { name: "id", kind: "id", role: "what" },
  { name: "state", kind: "id", role: "state" },
  { name: "attempts", kind: "count", role: "detail" },
  { name: "problem", kind: "text", role: "what" },
];

/** The result of delivering an event again. */
export interface Replayed {
  readonly row: Row;
  readonly isTaken: boolean;
  readonly isUnreachable: boolean;
}

/**
 * The event with an id.
 * @throws {Failure} refused when there is none
 */
export async function theEvent(inbox: Inbox, id: string): Promise<Kept> {
  // A zero character can't be typed, so an id is also accepted as it is shown.
  const kept = (await inbox.find(id)) ?? (await inbox.find(restored(id)));
  if (kept !== undefined) return kept;
  throw new Failure("refused", `The inbox has no event ${quote(id)}.`, {
    hint: "See which there are: partner webhook inbox list",
  });
}

/**
 * The events to deliver again. All are found before the first is sent.
 * @throws {Failure} refused where an id is unknown, or its body was forged
 */
export async function eventsToReplay(inbox: Inbox, ids: readonly string[]): Promise<readonly Kept[]> {
  const found: Kept[] = [];
  for (const id of new Set(ids)) found.push(await theEvent(inbox, id));
  const forged = found.find(({ state }) => state === "forged");
  if (forged === undefined) return found;
  throw new Failure("refused", `${quote(forged.id)} was not sent by the service, so it is not delivered.`, {
    hint: `Look at it: partner webhook inbox show ${forged.id}`,
  });
}

/**
 * Delivers an event now. A failed attempt leaves its state unchanged.
 * @throws {Failure} setup | unavailable where the outcome can't be recorded
 */
export async function deliverAgain(
  kept: Kept,
  inbox: Inbox,
  recipient: EventDestination,
  signal: AbortSignal,
): Promise<Replayed> {
  const { number, id, dueAt, attempts } = kept;
  const notTaken = await recipient.deliver(kept, signal);
  const isTaken = notTaken === undefined;
  const state = isTaken || kept.state === "forged" ? "delivered" : kept.state;
  const problem = notTaken?.problem ?? null;
  await inbox.settle(number, { state, dueAt: isTaken ? null : dueAt, problem }).catch((error: unknown) => {
    throw isTaken && error instanceof Failure ? takenAllTheSame(id, error) : error;
  });
  const row = { id, state, attempts: Numeral.of(attempts + 1), problem };
  return { row, isTaken, isUnreachable: notTaken?.isUnreachable === true };
}

/**
 * The failure of an event that was delivered, although that could not be recorded: replayed again, it would be booked
 * twice.
 */
function takenAllTheSame(id: string, cause: Failure): Failure {
  const { ending, message, hint } = cause;
  return new Failure(ending, `${message} Event ${quote(id)} was taken: only the record of it is missing.`, {
    hint,
    cause,
  });
}

/**
 * Schedules an event for delivery by the running receiver, or the next one.
 * @throws {Failure} usage for an unreadable body
 */
export async function scheduleAgain(
  { number, id, state, attempts, body }: Kept,
  inbox: Inbox,
  now: number,
): Promise<Replayed> {
  if (state === "quarantined" && id === nameOf("quarantined", body))
    throw new Failure("usage", `${id} holds no event that a receiver could read.`, {
      hint: `Say where to send it as it is: partner webhook inbox replay ${id} --forward-to URL`,
    });
  await (state === "quarantined" ? inbox.release(number, now) : inbox.requeue(number, now));
  return {
    row: { id, state: "new", attempts: Numeral.of(attempts), problem: null },
    isTaken: true,
    isUnreachable: false,
  };
}

/** The failure of a replay in which not everything was accepted; undefined where all was. */
export function replayFailure(replayed: readonly Replayed[]): Failure | undefined {
  const refused = replayed.filter(({ isTaken }) => !isTaken);
  if (refused.length === 0) return undefined;
  const isNoneReached = replayed.every(({ isUnreachable }) => isUnreachable);
  const what = refused.length === 1 ? "1 event was" : `${refused.length} events were`;
  return new Failure(isNoneReached ? "unavailable" : "incomplete", `${what} not taken.`, {
    hint: "See why in the column problem, and replay them again.",
  });
}
