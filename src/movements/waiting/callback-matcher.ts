import type { Callback, CallbackOutcome } from "../../contract/callback.ts";
import { isOtherwise } from "../../journal/dispute.ts";

/** A callback with a final word. */
export type FinalCallback = Callback & { readonly outcome: CallbackOutcome };

/** What a callback is to the movement that is waited for. */
export type Match =
  /** It speaks of something else. */
  | { readonly kind: "foreign" }
  /** It came before the answer and is judged when that is known. */
  | { readonly kind: "kept" }
  /** One too many came before the answer. */
  | { readonly kind: "dropped" }
  /** Nothing final, and nothing that was not known. */
  | { readonly kind: "under way" }
  /** A status that nobody documented. */
  | { readonly kind: "strange"; readonly word: string }
  /** The first final word. */
  | { readonly kind: "first"; readonly callback: FinalCallback }
  /** Nothing new: the same once more, or late, that it was paid before it came back. */
  | { readonly kind: "repeat" }
  /** What was paid came back. */
  | { readonly kind: "return"; readonly callback: FinalCallback }
  /** A final word that contradicts the one before. */
  | { readonly kind: "contradiction"; readonly callback: FinalCallback };

/** How many callbacks that came before the answer are kept. */
export const keptMaxCount = 100;

/**
 * Decides which callbacks speak of one movement, and which of their words are final ones that say something new. Our
 * reference and the service's id both have to match. The id is known only when the answer came, and where the answer
 * was lost it never is: then the reference is enough, because whoever posts here was given the secret address.
 */
export class CallbackMatcher {
  readonly #reference: string;
  readonly #kept: Callback[] = [];
  #transactionId: string | undefined;
  #isAnswered = false;
  #known: FinalCallback | undefined;
  /** What contradicted it, each kept once however often it comes. */
  readonly #others = new Set<CallbackOutcome>();

  constructor(reference: string) {
    this.#reference = reference;
  }

  take(callback: Callback): Match {
    if (callback.reference !== this.#reference) return { kind: "foreign" };
    if (this.#isAnswered) return this.#judge(callback);
    if (this.#kept.length >= keptMaxCount) return { kind: "dropped" };
    this.#kept.push(callback);
    return { kind: "kept" };
  }

  /**
   * The request was answered, with this id or without one. Says what the callbacks that came before are, in the order
   * in which they came.
   */
  answered(transactionId: string | undefined): readonly Match[] {
    this.#transactionId = transactionId;
    this.#isAnswered = true;
    return this.#kept.splice(0).map((callback) => this.#judge(callback));
  }

  #judge(callback: Callback): Match {
    const { transactionId, outcome, word } = callback;
    const mustMatch = transactionId !== null && this.#transactionId !== undefined;
    if (mustMatch && transactionId !== this.#transactionId) return { kind: "foreign" };
    if (outcome === undefined) return { kind: "strange", word };
    if (outcome === "pending") return { kind: "under way" };
    const [known, heard] = [this.#known, { ...callback, outcome }];
    if (known !== undefined && isOtherwise(known.outcome, outcome)) {
      if (this.#others.has(outcome)) return { kind: "repeat" };
      this.#others.add(outcome);
      return { kind: "contradiction", callback: heard };
    }
    if (known !== undefined && (outcome !== "reversed" || known.outcome === "reversed")) return { kind: "repeat" };
    this.#known = heard;
    return { kind: known === undefined ? "first" : "return", callback: heard };
  }
}
