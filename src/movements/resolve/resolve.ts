import type { Inquiry } from "../../evidence/inquiry.ts";
import { speaksAgainstRefusal } from "../../evidence/finding.ts";
import { sawNothing, sawWords } from "../../evidence/words.ts";
import { historyOf, refusedByWord } from "../../journal/former-attempts.ts";
import type { OutcomeDecision, Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { isInFlight, movementNouns } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import { shellWord } from "../../values/text/command-words.ts";
import { movementFailure } from "../movement-report.ts";
import type { StatusAnswer, StatusSource } from "./order-status.ts";
import { askStatus, hasStatus, statusDecision } from "./order-status.ts";
import { decideByStatement } from "./statement-decision.ts";

/** The result of looking up a movement. */
export interface Resolved {
  readonly movement: Movement;
  /** The evidence for it, in whole sentences. */
  readonly saw: string;
  /** The failure of a run about this movement alone; undefined where the question is answered. */
  readonly ending: Failure | undefined;
  /** True where the statements could not be read. */
  readonly isUnread?: boolean | undefined;
  /** True where rows that prove nothing contradict a refusal all the same. */
  readonly isDoubtful?: boolean | undefined;
  /** True for a movement of another account, about which nothing was asked. */
  readonly isElsewhere?: boolean | undefined;
  /** True where the statements show what the service said it didn't do. */
  readonly isContradicted?: boolean | undefined;
}

/**
 * Looks a movement up in the statements. A row that proves it decides; anything less is shown and leaves it as it is. A
 * missing row proves nothing: it may come tomorrow.
 * @throws {Failure} setup | unavailable | interrupted
 */
export async function resolveByStatement(
  movement: Movement,
  inquiry: Inquiry,
  journal: Journal,
  status?: StatusAnswer,
): Promise<Resolved> {
  if (await isAnswered(movement, journal)) return resolved(movement, `It is ${movement.state} already.`);
  if (isInFlight(movement))
    return { ...resolved(movement, "A process is working on it right now."), ending: inFlight(movement) };
  const {
    movement: now,
    result,
    isContradicted,
  } = await decideByStatement(movement, inquiry, journal, (decision) => notAgainst(status, decision));
  const saw = sawWords(result);
  if (result.kind === "unread")
    return { movement: now, saw, ending: unreadFailure(now, result.failure), isUnread: true };
  const isDoubtful = result.kind === "weak" && result.seen.some(speaksAgainstRefusal);
  if (isDoubtful) return { ...resolved(now, saw), isDoubtful };
  return isContradicted ? { movement: now, saw, ending: contradiction(now, saw), isContradicted } : resolved(now, saw);
}

/** What a row proves, unless the service itself said otherwise when it was asked: then the outcome is unknown. */
function notAgainst(status: StatusAnswer | undefined, decision: OutcomeDecision): OutcomeDecision {
  if (status?.is !== "final" || decision.state !== "accepted" || status.outcome === "accepted") return decision;
  if (status.outcome === "unknown" || status.outcome === "reversed") return decision;
  return { state: "unknown", evidence: "status", note: `${decision.note}. But ${lowerFirst(status.saw)}` };
}

/**
 * Asks for the order's status, then reads the statement. What both leave open stays open; where they contradict each
 * other the outcome is unknown.
 * @throws {Failure} setup | unavailable | interrupted
 */
export async function resolveByStatus(
  movement: Movement,
  inquiry: Inquiry,
  journal: Journal,
  source: StatusSource,
): Promise<Resolved> {
  if (!hasStatus(movement, source)) return resolveByStatement(movement, inquiry, journal);
  const status = await askStatus(movement, source);
  const byRows = await resolveByStatement(movement, inquiry, journal, status);
  const saw = `${byRows.saw} ${status.saw}`;
  const { state } = byRows.movement;
  const isSettled = state === "reversed" || (state === "unknown" && byRows.movement.evidence === "status");
  const isDoubtful = byRows.isDoubtful === true && status.is === "final" && status.outcome === "refused";
  if (status.is !== "final" || isSettled || isDoubtful || byRows.isContradicted === true) return { ...byRows, saw };
  const { outcome, movement: now } = await journal.resolve(movement, statusDecision(status));
  if (outcome === "in flight") return { ...byRows, saw };
  if (outcome === "superseded") return { ...resolved(now, saw), ending: sentAgain(now) };
  // A decided order needs no advice to look again.
  const isDecided = now.state === "accepted" || now.state === "refused";
  return resolved(now, isDecided && byRows.saw.startsWith(sawNothing) ? `${sawNothing} ${status.saw}` : saw);
}

function lowerFirst(sentence: string): string {
  return (sentence.charAt(0).toLowerCase() + sentence.slice(1)).replace(/\.$/, "");
}

/**
 * The result for a movement of another account, whose statements this account can't read.
 * @param own the profile of this account
 */
export function notLookedUp(movement: Movement, own: string | undefined): Resolved {
  const { scope, state } = movement;
  const next = askItsOwn(movement, own);
  const saw = `It belongs to another account (${scope}). ${next}`;
  const ending = state === "unknown" ? movementFailure(movement, undefined, next) : undefined;
  return { movement, saw, ending, isElsewhere: true };
}

/**
 * The command that asks the account of a movement.
 * @param own the profile of this account: one that was changed since, or has that name on another machine, cannot ask
 */
export function askItsOwn({ id, profile }: Movement, own: string | undefined): string {
  if (profile === null) return "Ask with the account that it was sent with: --profile NAME";
  return profile === own
    ? `Profile ${profile} leads to another account here. Ask with one that leads to its account: --profile NAME`
    : `Ask with the profile that it was sent with: partner -p ${shellWord(profile)} journal resolve ${id}`;
}

function resolved(movement: Movement, saw: string): Resolved {
  const ending = movement.state === "unknown" ? movementFailure(movement) : undefined;
  return { movement, saw, ending };
}

/**
 * True where no statement can change the state: the order was reversed, or was not sent and has no earlier attempt that
 * was called refused by word alone.
 */
async function isAnswered({ id, state, attempt }: Movement, journal: Journal): Promise<boolean> {
  if (state !== "unsent" || attempt === 1) return state === "unsent" || state === "reversed";
  return refusedByWord(await historyOf(journal, id)).length === 0;
}

/**
 * The failure of a run that needed a statement and could not read it. A failure of this machine's setup is passed on.
 */
export function unreadFailure({ kind, reference, state }: Movement, cause: Failure): Failure {
  if (cause.ending === "setup" && cause.http === undefined) return cause;
  const { message, hint, requestId, http, reason } = cause;
  return new Failure("unavailable", `The statement of the ${movementNouns[kind]} cannot be read. ${message}`, {
    hint: hint ?? "Try again later.",
    money: state === "unknown" ? "unknown" : "none",
    reference,
    requestId,
    http,
    reason,
    cause,
  });
}

export function inFlight({ kind, reference }: Movement): Failure {
  return new Failure("unavailable", `A process is working on the ${movementNouns[kind]} ${reference} right now.`, {
    hint: "Wait for its outcome, then look again.",
    reference,
  });
}

/** The failure of a decision about an attempt that is no longer the latest one. */
export function sentAgain({ id, kind, reference, state }: Movement): Failure {
  return new Failure(
    "unavailable",
    `The ${movementNouns[kind]} ${reference} was sent again meanwhile; it is ${state}.`,
    {
      hint: `Nothing was decided about it. Look at it, then decide: partner journal show ${id}`,
      reference,
    },
  );
}

/** The service said no, and its statement shows the payment all the same. */
function contradiction({ id, kind, reference, state }: Movement, saw: string): Failure {
  return new Failure("unknown", `The ${movementNouns[kind]} ${reference} is ${state} in the journal. ${saw}`, {
    hint: `Do not send it again. Ask the service about it. Its history: partner journal show ${id}`,
    money: "unknown",
    reference,
  });
}
