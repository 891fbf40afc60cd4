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

/**
 * True while a callback can still say what came of it: it is under way, or its answer was lost. Where an answer was
 * read and said that something went wrong, nothing more is to come.
 */
export function mayStillBeDecided({ state, response }: Movement): boolean {
  if (state === "pending") return true;
  return state === "unknown" && !(response !== null && isLastWord(response));
}

/**
 * Puts the final words of callbacks down as they are heard: the first one decides, those that contradict it stand in
 * the history.
 */
export class CallbackDecision {
  readonly #id: string;
  readonly #journal: Journal;
  readonly #notes: string[] = [];
  #put: readonly FinalCallback[] = [];
  #ending: Failure | undefined;

  constructor({ id }: Movement, journal: Journal) {
    this.#id = id;
    this.#journal = journal;
  }

  /** The word that decided. */
  get word(): string | undefined {
    return this.#put[0]?.word;
  }

  /** What is odd, one sentence each. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Set when a word could not be put down: the order is open in the journal, and the statement will show it. */
  get ending(): Failure | undefined {
    return this.#ending;
  }

  /** Takes in what is new since the last time. */
  async putDown(heard: readonly FinalCallback[]): Promise<void> {
    const fresh = heard.slice(this.#put.length);
    this.#put = heard.slice();
    try {
      for (const callback of fresh) await this.#putOne(callback);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#ending ??= unrecorded(this.#id, fresh, error);
    }
  }

  async #putOne(callback: FinalCallback): Promise<void> {
    const [first = callback] = this.#put;
    if (callback !== first)
      this.#notes.push(`A callback contradicts the first one: ${first.word}, then ${callback.word}.`);
    // After an error while processing, whatever else is said decides nothing: the statement has to.
    if (callback !== first && first.outcome === "unknown") return;
    const { outcome, movement } = await this.#journal.resolve(this.#id, decisionOf(callback));
    if (callback === first && outcome === "contradicted")
      this.#notes.push(`A callback says ${first.word}; the journal knows better: it is ${movement.state}.`);
  }
}

function decisionOf({ outcome, word, transactionId }: FinalCallback) {
  const note = `The callback said ${word}`;
  return { state: outcome, evidence: "callback", note, transactionId: transactionId || undefined } as const;
}

function unrecorded(id: string, heard: readonly FinalCallback[], cause: Failure): Failure {
  const words = heard.map(({ word }) => word).join(", then ");
  const message = `A callback said ${words}, and the journal could not take it in: ${cause.message}`;
  const hint = `Once the journal can be written: partner journal resolve ${id}`;
  return new Failure("pending", message, { hint, money: "unknown", reference: heard[0]?.reference, cause });
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
