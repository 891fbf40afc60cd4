import type { Callback, ReadCallback } from "../../contract/callback.ts";
import { contradicts } from "../../journal/dispute.ts";
import { otherAmountIn } from "../../journal/requests/movement-request.ts";
import type { Settlement } from "../../journal/journal.ts";
import type { JsonObject } from "../../values/json.ts";
import { quote } from "../../values/text/text.ts";
import type { MoneyOrder } from "../order.ts";
import type { FinalCallback, Match } from "./callback-matcher.ts";
import { CallbackMatcher } from "./callback-matcher.ts";

/** How many different undocumented words are reported to a person. */
const strangeWordsMaxCount = 20;

/** The parts of an order that callbacks are compared with. */
export type WaitedFor = Pick<MoneyOrder, "kind" | "reference" | "input">;

/** The callbacks of one movement so far. */
export class CallbackCollector {
  readonly #read: ReadCallback;
  readonly #say: (line: string) => void;
  readonly #matcher: CallbackMatcher;
  readonly #decided = new AbortController();
  readonly #finals: FinalCallback[] = [];
  readonly #strange = new Set<string>();

  constructor(order: WaitedFor, read: ReadCallback, say: (line: string) => void) {
    this.#matcher = new CallbackMatcher(order.reference);
    this.#read = (body) => {
      const callback = read(body);
      return callback && withAmounts(callback, body, order);
    };
    this.#say = say;
  }

  /** Aborted at the first final word. */
  get decided(): AbortSignal {
    return this.#decided.signal;
  }

  /** The first final word, and any that contradict it. */
  get finals(): readonly FinalCallback[] {
    return this.#finals;
  }

  /** True where the body is a callback of this movement. */
  take(body: JsonObject): boolean {
    const callback = this.#read(body);
    if (callback === undefined) return false;
    const match = this.#matcher.take(callback);
    this.#note(match);
    return match.kind !== "foreign" && match.kind !== "dropped";
  }

  /** Called when the request was answered: earlier callbacks can be judged now. */
  answered(transactionId: string | undefined): void {
    for (const match of this.#matcher.answered(transactionId)) this.#note(match);
  }

  /**
   * Combines an answer with earlier callbacks: the outcome is unknown where they contradict it. It is recorded that way
   * at once, because a run that ends in between must not leave a refusal on record that wasn't one.
   */
  weigh(settlement: Settlement): Settlement {
    this.answered(settlement.transactionId);
    const other = this.#finals.find(({ outcome }) => contradicts(settlement.state, outcome));
    if (other === undefined) return settlement;
    const note = [settlement.note, `A callback said ${other.word} before`].filter(Boolean).join(". ");
    return { ...settlement, state: "unknown", evidence: "callback", note };
  }

  #note(match: Match): void {
    if (match.kind === "strange") this.#noteStrange(match.word);
    if (!("callback" in match)) return;
    this.#finals.push(match.callback);
    this.#decided.abort();
  }

  #noteStrange(word: string): void {
    if (this.#strange.has(word) || this.#strange.size >= strangeWordsMaxCount) return;
    this.#strange.add(word);
    this.#say(`A callback says ${quote(word)}, which no specification knows; it decides nothing.`);
  }
}

/** A final word about another amount than the one that was ordered decides nothing. */
function withAmounts(callback: Callback, body: JsonObject, { kind, input }: WaitedFor): Callback {
  const other = otherAmountIn(kind, body, input);
  const isFinal = callback.outcome !== undefined && callback.outcome !== "pending";
  if (other === undefined || !isFinal) return callback;
  return { ...callback, outcome: "unknown", word: `${callback.word} and another ${other}` };
}
