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
  /** As its source writes it; times of our own are in Dar es Salaam's time. */
  readonly at: string;
  readonly what: TraceWord;
  /** The account, wallet or phone that it happened to; empty where nothing says it. */
  readonly account: string;
  /** Money in is above zero; null where it is about no amount. */
  readonly amount: Decimal | null;
  readonly currency: string;
  readonly reference: string;
  /** The event in words. */
  readonly text: string;
}

/** What one source knows of one payment: an order, a row of a statement, or a webhook. */
export interface Trace {
  readonly source: "journal" | "ledger" | "inbox";
  /** Unique among the traces of its source. */
  readonly key: string;
  /** Its references and ids, as they are; two traces that share one are of one payment. */
  readonly ids: readonly string[];
  /** By what else a person may ask for it, and that joins nothing: ids of requests, a payer's own reference. */
  readonly aliases: readonly string[];
  /** An id of ours that a person may shorten to its beginning. */
  readonly shortens?: string | undefined;
  /** Words that a person wrote, in which the ids of another trace can be named. */
  readonly words: string;
  /** Names, accounts and phones of those who paid and received. */
  readonly parties: readonly string[];
  /** Without sign. */
  readonly amounts: readonly Decimal[];
  readonly events: readonly TraceEvent[];
  /** Of an order. */
  readonly order?: OrderFacts | undefined;
  /** Of a row: how it changed the account. */
  readonly change?: Decimal | undefined;
  /** Of a row: its place among the rows of its account, in the statement's order. */
  readonly place?: number | undefined;
  readonly isFee?: boolean | undefined;
}

/** An order's request and state. */
export interface OrderFacts {
  readonly state: string;
  /** The request and the outcome in words, with what the outcome rests on. */
  readonly sentence: (history: readonly MovementEvent[]) => string;
  /** Empty where it was not read. */
  readonly history: readonly MovementEvent[];
  /** The accounts of its own that it books, as far as it names them. */
  readonly accounts: readonly string[];
  /** Whether it adds to an account (1) or takes from it (-1); undefined where that is not known. */
  readonly signOn: (account: string) => number | undefined;
}

/** A place that is looked through. */
export interface TraceSource {
  readonly of: Trace["source"];
  /** `the journal`, as a sentence names it. */
  readonly name: string;
  /**
   * Every trace that may belong to the payment; others may be among them.
   * @param sought terms to find, for a source with an index of them
   * @param isKnown keys of traces that can be left out
   * @param hints the same for a source that looks into texts; undefined where all of it has to be read
   */
  traces(sought: Sought, isKnown: (key: string) => boolean, hints: TextHints | undefined): AsyncIterable<Trace>;
}
