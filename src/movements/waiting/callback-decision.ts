import { JsonError } from "../../json/json-error.ts";
import { saysDuplicate } from "../../contract/answers/duplicate.ts";
import { readingOf, wordsIn } from "../../contract/answers/status-words.ts";
import { decodeClaim } from "../../contract/wire.ts";
import type { OutcomeDecision, Journal, Resolution, SeenOrder } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import type { FinalCallback } from "./callback-matcher.ts";

/**
 * True while a callback can still decide the outcome: the order is under way, or its answer was lost. After an answer
 * that reports an error no callback is expected; after contradictory callbacks no further one decides.
 */
export function mayStillBeDecided(movement: Movement): boolean {
  if (movement.state === "pending") return true;
  return movement.state === "unknown" && !isLater(movement) && !isAnsweredUnknown(movement);
}

/** True where something after the answer made the outcome unknown. */
function isLater({ evidence }: Movement): boolean {
  return evidence === "callback" || evidence === "status";
}

/**
 * Records the final words of callbacks as they arrive: the first one decides, unless it or a later one contradicts what
 * was known. The history has all of them.
 */
export class CallbackDecision {
  readonly #seen: SeenOrder;
  readonly #isAnsweredUnknown: boolean;
  readonly #isFormer: boolean;
  readonly #journal: Journal;
  readonly #notes: string[] = [];
  #recorded: readonly FinalCallback[] = [];
  #ending: Failure | undefined;

  /** @param former an attempt before the one of `movement`, where the callbacks are about that */
  constructor(movement: Movement, journal: Journal, former?: number) {
    this.#seen = { id: movement.id, attempt: former ?? movement.attempt };
    this.#isAnsweredUnknown = former === undefined && isAnsweredUnknown(movement);
    this.#isFormer = former !== undefined;
    this.#journal = journal;
  }

  /** The word that decided. */
  get word(): string | undefined {
    return this.#recorded[0]?.word;
  }

  /** Anomalies, one sentence each. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /**
   * Set where an outcome could not be recorded: the order stays open in the journal, and the statement will show it.
   */
  get ending(): Failure | undefined {
    return this.#ending;
  }

  /** Records the words that are new since the last call. */
  async record(heard: readonly FinalCallback[]): Promise<void> {
    const fresh = heard.slice(this.#recorded.length);
    this.#recorded = heard.slice();
    try {
      for (const callback of fresh) await this.#recordOne(callback);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#ending ??= unrecorded(this.#seen.id, fresh, error);
    }
  }

  async #recordOne(callback: FinalCallback): Promise<void> {
    const [first = callback] = this.#recorded;
    const { word } = callback;
    const { outcome, movement } = await this.#journal.resolve(this.#seen, this.#decisionOf(callback));
    if (this.#isFormer) this.#notes.push(formerNote(word, outcome, movement));
    else if (outcome === "superseded")
      this.#notes.push(`A callback says ${word}; the order was sent again meanwhile, and is ${movement.state}.`);
    else if (callback !== first && outcome !== "resolved")
      this.#notes.push(`A callback contradicts the first one: ${first.word}, then ${word}.`);
    else if (this.#isAnsweredUnknown)
      this.#notes.push(`A callback says ${word} after an answer that knew nothing; the statement has to decide.`);
    else if (outcome === "disputed" || (outcome === "contradicted" && movement.state === "unknown"))
      this.#notes.push(`A callback says ${word}, and the answer said otherwise; the statement has to decide.`);
    else if (outcome === "contradicted")
      this.#notes.push(`A callback says ${word}; the journal has stronger evidence: it is ${movement.state}.`);
  }

  /** After an answer that leaves the outcome unknown, an unsigned callback decides nothing. */
  #decisionOf({ outcome, word, transactionId }: FinalCallback): OutcomeDecision {
    const state = this.#isAnsweredUnknown ? "unknown" : outcome;
    const note = `The callback said ${word}`;
    return { state, evidence: "callback", note, transactionId: transactionId || undefined };
  }
}

function formerNote(word: string, outcome: Resolution["outcome"], { state }: Movement): string {
  const said = `A callback says ${word} about an earlier attempt`;
  if (outcome === "disputed") return `${said}; the statement has to decide.`;
  return `${said}; the order was sent again since, and is ${state}.`;
}

function unrecorded(id: string, heard: readonly FinalCallback[], cause: Failure): Failure {
  const words = heard.map(({ word }) => word).join(", then ");
  const message = `A callback said ${words}, and the journal could not record it: ${cause.message}`;
  const hint = `Once the journal can be written: partner journal resolve ${id}`;
  return new Failure("pending", message, { hint, money: "unknown", reference: heard[0]?.reference, cause });
}

/** True where the answer itself left the outcome unknown: an error while processing, or a reference used before. */
function isAnsweredUnknown({ kind, state, response }: Movement): boolean {
  const answer = state === "unknown" && response !== null ? jsonIn(response) : undefined;
  if (!isJsonObject(answer)) return false;
  return wordsIn(answer, readingOf(kind)).meaning === "unknown" || saysDuplicate(answer);
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return decodeClaim(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
