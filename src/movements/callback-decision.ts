import { JsonError } from "../contract/json-error.ts";
import { readProblem } from "../contract/problem.ts";
import { meaningOf } from "../contract/verdict.ts";
import { decodeJson } from "../contract/wire.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import type { FinalCallback } from "./callback-matcher.ts";

/** What the callbacks' final words made of a movement. */
export interface Decided {
  /** What is odd, one sentence each. */
  readonly notes: readonly string[];
  /** Set when a word was heard and could not be put down. */
  readonly ending: Failure | undefined;
}

/**
 * True while a callback can still say what came of it: it is under way, or its answer was lost. Where an answer was
 * read and said that something went wrong, nothing more is to come.
 */
export function mayStillBeDecided({ state, response }: Movement): boolean {
  if (state === "pending") return true;
  return state === "unknown" && !(response !== null && isLastWord(response));
}

/**
 * Puts the first final word down, and in the history those that contradict it. What the journal cannot take in now is
 * still told: the order is pending there, and the statement will show it.
 */
export async function decideByCallbacks(
  { id }: Movement,
  finals: readonly FinalCallback[],
  journal: Journal,
): Promise<Decided> {
  const [first, ...others] = finals;
  if (first === undefined) return { notes: [], ending: undefined };
  const notes = others.map(({ word }) => `A callback contradicts the first one: ${first.word}, then ${word}.`);
  try {
    const { outcome, movement } = await journal.resolve(id, decisionOf(first));
    if (outcome === "contradicted")
      notes.unshift(`A callback says ${first.word}; the journal knows better: it is ${movement.state}.`);
    // After an error while processing, whatever else is said decides nothing: the statement has to.
    if (first.outcome !== "unknown") for (const other of others) await journal.resolve(id, decisionOf(other));
    return { notes, ending: undefined };
  } catch (error) {
    if (error instanceof Failure) return { notes, ending: unrecorded(id, first, error) };
    throw error;
  }
}

function decisionOf({ outcome, word, transactionId }: FinalCallback) {
  const note = `The callback said ${word}`;
  return { state: outcome, evidence: "callback", note, transactionId: transactionId || undefined } as const;
}

function unrecorded(id: string, { word, reference }: FinalCallback, cause: Failure): Failure {
  const message = `A callback said ${word}, and the journal could not take it in: ${cause.message}`;
  const hint = `Once the journal can be written: partner journal resolve ${id}`;
  return new Failure("pending", message, { hint, money: "unknown", reference, cause });
}

function isLastWord(response: string): boolean {
  const answer = jsonIn(response);
  if (!isJsonObject(answer)) return false;
  const word = answer["statusCode"];
  return (
    (typeof word === "string" && meaningOf(word) === "unknown") || readProblem(answer)?.reason === "DUPLICATE_REQUEST"
  );
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
