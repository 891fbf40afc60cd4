import type { ReadCallback } from "../../contract/callback.ts";
import { formerAttempts, historyOf } from "../../journal/former-attempts.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { mayClaim } from "../../journal/transitions.ts";
import type { Failure } from "../../values/failure.ts";
import { callbackSecretOf } from "../callback-secret.ts";
import type { WaitedFor } from "./callback-collector.ts";
import { CallbackCollector } from "./callback-collector.ts";
import { CallbackDecision } from "./callback-decision.ts";
import type { CallbackServer } from "./callbacks.ts";

/** One attempt of an order: the address that it gave to the service, and the id that the service gave to it. */
interface Attempt {
  readonly attempt: number;
  readonly secret: string;
  readonly transactionId: string | undefined;
}

interface Heard {
  readonly collector: CallbackCollector;
  readonly decision: CallbackDecision;
}

/**
 * The attempts of an order that nothing came of, so that it was sent again. Each gave an address of its own to the
 * service, where a late callback may say that it was paid after all.
 */
export class FormerAttempts {
  readonly #order: WaitedFor;
  readonly #journal: Journal;
  readonly #read: ReadCallback;
  readonly #say: (line: string) => void;
  readonly #heard = new Map<number, Heard>();

  constructor(order: WaitedFor, journal: Journal, read: ReadCallback, say: (line: string) => void) {
    this.#order = order;
    this.#journal = journal;
    this.#read = read;
    this.#say = say;
  }

  /** Anomalies, one sentence each. */
  get notes(): readonly string[] {
    return this.#decisions.flatMap(({ notes }) => notes);
  }

  /** Set where an outcome could not be recorded. */
  get ending(): Failure | undefined {
    return this.#decisions.find(({ ending }) => ending !== undefined)?.ending;
  }

  /**
   * Receives what comes to the addresses of attempts that are over, also of the latest one where it can be sent again.
   * @throws {Failure} of the journal
   */
  async admit(movement: Movement, server: CallbackServer): Promise<void> {
    if (movement.attempt === 1 && !mayClaim(movement)) return;
    for (const { attempt, secret, transactionId } of await this.#attemptsOf(movement)) {
      if (this.#heard.has(attempt)) continue;
      const collector = new CallbackCollector(this.#order, this.#read, this.#say);
      collector.answered(transactionId);
      this.#heard.set(attempt, { collector, decision: new CallbackDecision(movement, this.#journal, attempt) });
      server.admit(secret, (body) => collector.take(body));
    }
  }

  /** Records new words, except `refused`: that nothing came of such an attempt is known. */
  async record(): Promise<void> {
    for (const { collector, decision } of this.#heard.values())
      await decision.record(collector.finals.filter(({ outcome }) => outcome !== "refused"));
  }

  get #decisions(): readonly CallbackDecision[] {
    return [...this.#heard.values()].map(({ decision }) => decision);
  }

  /** Those whose address is known: an order that was redacted or archived has none. */
  async #attemptsOf(movement: Movement): Promise<Attempt[]> {
    const former = formerAttempts(await historyOf(this.#journal, movement.id));
    const own = mayClaim(movement) ? [movement] : [];
    return [...former, ...own].flatMap(({ attempt, request, transactionId }) => {
      const secret = request === undefined ? undefined : callbackSecretOf({ request });
      return secret === undefined ? [] : [{ attempt, secret, transactionId: transactionId ?? undefined }];
    });
  }
}
