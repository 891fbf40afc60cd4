import type { MovementEvent } from "../journal/movement.ts";
import type { Sought } from "../ledger/terms/term.ts";
import type { TextHints } from "../values/text/text-hints.ts";
import type { Decimal } from "../values/money/decimal.ts";

/** What can happen to a payment. */
export const traceWords = [
  "ordered",
  "sent",
  "not sent",
  "answered",
  "unknown",
  "given up",
  "resolved",
  "contradicted",
  "redacted",
  "archived",
  "row",
  "fee",
  "taken back",
  "webhook",
] as const;
export type TraceWord = (typeof traceWords)[number];

/** Something that happened to a payment. */
export interface TraceEvent {
  /** As its source writes it; our own times are in Dar es Salaam time. */
  readonly at: string;
  readonly what: TraceWord;
  /** The account, wallet or phone concerned; empty where not known. */
  readonly account: string;
  /** Above zero for money in; null for an event without an amount. */
  readonly amount: Decimal | null;
  readonly currency: string;
  readonly reference: string;
  /** The event in words. */
  readonly text: string;
}

/** What one source knows about a payment: an order, a row of a statement, or a webhook. */
export interface Trace {
  readonly source: "journal" | "ledger" | "inbox";
  /** Unique among the traces of its source. */
  readonly key: string;
  /** Its references and ids, as written; traces that share one belong to one payment. */
  readonly ids: readonly string[];
  /** Other ids to find it by, which don't tie traces together: ids of requests, a payer's own reference. */
  readonly aliases: readonly string[];
  /** One of our ids, which people may shorten to its beginning. */
  readonly shortens?: string | undefined;
  /** Text that people wrote, which may name the ids of another trace. */
  readonly words: string;
  /** Names, accounts and phones of those who paid and received. */
  readonly parties: readonly string[];
  /** Without sign. */
  readonly amounts: readonly Decimal[];
  readonly events: readonly TraceEvent[];
  /** Set for an order. */
  readonly order?: OrderFacts | undefined;
  /** For a row: how it changed the account's balance. */
  readonly change?: Decimal | undefined;
  /** For a row: its place among its account's rows, in the statement's order. */
  readonly place?: number | undefined;
  readonly isFee?: boolean | undefined;
}

/** An order's request and state. */
export interface OrderFacts {
  readonly state: string;
  /** The request and the outcome in words, with the evidence for it. */
  readonly sentence: (history: readonly MovementEvent[]) => string;
  /** Empty where it was not read. */
  readonly history: readonly MovementEvent[];
  /** True where its rows have its reference as a tag in their words. */
  readonly isTagged: boolean;
  /** Our own accounts on which it moves money, as far as it names them. */
  readonly accounts: readonly string[];
  /** Whether it adds to an account (1) or takes from it (-1); undefined where that is not known. */
  readonly signOn: (account: string) => number | undefined;
}

/** A source that is searched. */
export interface TraceSource {
  readonly of: Trace["source"];
  /** `the journal`, as a sentence names it. */
  readonly name: string;
  /**
   * Every trace that may match; others may be among them.
   * @param sought terms to find, for a source with an index of them
   * @param isKnown true for keys of traces that can be left out
   * @param hints the same for a source that searches texts; undefined where all of it has to be read
   */
  traces(sought: Sought, isKnown: (key: string) => boolean, hints: TextHints | undefined): AsyncIterable<Trace>;
}
