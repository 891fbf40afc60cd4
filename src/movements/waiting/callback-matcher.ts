import type { Callback, CallbackOutcome } from "../../contract/callback.ts";
import { isOtherOutcome } from "../../journal/dispute.ts";

/** A callback with a final word. */
export type FinalCallback = Callback & { readonly outcome: CallbackOutcome };

/** How a callback relates to the movement that is waited for. */
export type Match =
  /** It is about another movement. */
  | { readonly kind: "foreign" }
  /** It came before the answer, and is judged when that is known. */
  | { readonly kind: "kept" }
  /** Too many came before the answer. */
  | { readonly kind: "dropped" }
  /** Not final, and nothing new. */
  | { readonly kind: "under way" }
  /** An undocumented status. */
  | { readonly kind: "strange"; readonly word: string }
  /** The first final word. */
  | { readonly kind: "first"; readonly callback: FinalCallback }
  /** Nothing new: a repeated word, or a late success after the money came back. */
  | { readonly kind: "repeat" }
  /** The money came back after it was paid. */
  | { readonly kind: "return"; readonly callback: FinalCallback }
  /** A final word that contradicts an earlier one. */
  | { readonly kind: "contradiction"; readonly callback: FinalCallback };

/** How many callbacks that came before the answer are kept. */
export const keptMaxCount = 100;

/**
 * Decides which callbacks are about one movement, and which of their final words are new. Our reference and the
 * service's id both have to match. The id is known only from the answer; if that was lost, the reference is enough,
 * because whoever posts here was given the secret address.
 */
export class CallbackMatcher {
  readonly #reference: string;
  readonly #kept: Callback[] = [];
  #transactionId: string | undefined;
  #isAnswered = false;
  #known: FinalCallback | undefined;
  /** Words that contradicted the first one, each once. */
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
   * The request was answered, with this id or without one. Returns what the earlier callbacks are, in the order in
   * which they came.
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
    if (known !== undefined && isOtherOutcome(known.outcome, outcome)) {
      if (this.#others.has(outcome)) return { kind: "repeat" };
      this.#others.add(outcome);
      return { kind: "contradiction", callback: heard };
    }
    if (known !== undefined && (outcome !== "reversed" || known.outcome === "reversed")) return { kind: "repeat" };
    this.#known = heard;
    return { kind: known === undefined ? "first" : "return", callback: heard };
  }
}
