import type { TextHints } from "../values/text/text-hints.ts";
import type { Failure } from "../values/failure.ts";
import type { Archiving } from "./archive/archive.ts";
import type { HistoryLine, HistoryPlace, RowCounts } from "./history/history.ts";
import type { Day } from "../values/time/day.ts";
import type { Unsure } from "./age/known-journals.ts";
import type { Issued } from "./issued.ts";
import type {
  BatchRow,
  Evidence,
  Movement,
  MovementEvent,
  MovementKey,
  MovementKind,
  MovementState,
  StatementProof,
} from "./movement.ts";
import type { Redacting } from "./redaction/redacting.ts";
import type { CurrencySums } from "./spending.ts";
import type { Trailed } from "./history/trail.ts";

/**
 * Records every order to move money: on disk before its first byte leaves, and for good. To send money, the order is
 * opened here first; the result says whether the caller may send it.
 *
 * A method rejects with a `Failure`: `setup` when the journal is damaged or cannot be written (no journal, no money),
 * `unavailable` when another process keeps it busy.
 */
export interface Journal extends Redacting, Archiving, Trailed {
  /** Random, and the same for as long as the journal lives. */
  readonly id: string;
  /** Why no order may leave, such as that it is older than what was sent from here; undefined when opened for writing. */
  readonly refusal: Failure | undefined;
  /** Why it may not know every order, so that the statement should be read; undefined where it does. */
  unsure(): Promise<Unsure | undefined>;
  /**
   * Records an order and claims it, or returns the outcome of the same reference. Only `unsent` and `refused` orders
   * are sent again, and those whose process ended before it sent anything.
   */
  open(order: Order): Promise<Opening>;
  read(id: string): Promise<Movement | undefined>;
  find(key: MovementKey): Promise<Movement | undefined>;
  /** The orders of one account with these keys, asked for at once. All are kept in memory: a hundred are many. */
  findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]>;
  /** What a person may mean: the movement of that id, or those of that reference. */
  search(word: string, scope?: string): Promise<Movement[]>;
  /** Orders whose id begins with these digits and letters, ten at most. */
  beginningWith(start: string): Promise<Movement[]>;
  /** Orders of the account whose reference, or id at the service, is one of these words. */
  knownAs(scope: string, words: readonly string[]): Promise<Movement[]>;
  /** All orders of the account that are like this one (`Around.like`), opened then or later. */
  likes(key: MovementKey, request: string, since: number): Promise<Movement[]>;
  /** The orders that rows prove, by the row's key. */
  provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The rows that prove an order, as the service sent them: JSON texts. */
  proofsOf(id: string): Promise<readonly string[]>;
  /** What could be the same payment as this order; the same look that `Order.check` gets. */
  lookAround(key: MovementKey & Pick<Order, "batch">, request: string): Promise<Around>;
  /**
   * The same for many orders of one account, in their order; where they are rows of a batch, its other rows don't
   * count.
   */
  lookAroundAll(scope: string, orders: readonly AskedOrder[], batch?: string): Promise<readonly Around[]>;
  /** Keeps rows of statements; those that are kept already don't count. @returns how many are new */
  keepSeen(rows: readonly SeenRow[]): Promise<number>;
  /** Keeps names of accounts, as `accountScope` says them: linked names are one account. */
  keepNames(scopes: readonly string[]): Promise<void>;
  /** What left the account, or may have, on that day in Dar es Salaam or later: a clock can have been ahead. */
  spent(scope: string, day: Day): Promise<CurrencySums>;
  /** Every account that ever ordered here or whose statements were read, as `accountScope` names it. */
  accounts(): Promise<readonly string[]>;
  /** In the order in which they were opened. Short reads between writes, so that writers never wait for a reader. */
  list(filter?: MovementFilter): AsyncIterable<Movement>;
  /** The history of one movement without lines that are in an archive, the oldest first. */
  events(id: string): Promise<MovementEvent[]>;
  /**
   * The history of several movements by their ids, asked for at once, with what is left of archived lines: their time,
   * step and states. All of it is kept in memory: a thousand are many.
   */
  eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, MovementEvent[]>>;
  /** How many settled orders there are by state, counted again for each call, and when the newest order was opened. */
  tally(): Promise<{ readonly settled: ReadonlyMap<string, number>; readonly lastAt: number | undefined }>;
  /** The history after a place, or all of it, the oldest line first, in short reads. */
  history(after?: HistoryPlace): AsyncIterable<HistoryLine>;
  /** The token of the claim that an order was last sent with; undefined where there is no such order. */
  claimOf(id: string): Promise<string | undefined>;
  /** Records the outcome of an order whose own process could not; a repetition changes nothing. */
  enter(left: LeftOutcome): Promise<Entered>;
  /** Records the word of a callback, a status, a statement or a person about a movement. */
  resolve(seen: SeenOrder, decision: OutcomeDecision): Promise<Resolution>;
  /**
   * Reads and checks everything, or that many of the newest rows of each kind, or the rows added since these counts.
   * @returns the counts now
   */
  verify(newest?: number | RowCounts): Promise<RowCounts>;
  /**
   * Protections of a shared journal against users of its database that are no longer as they were made; undefined for a
   * file.
   */
  guards(): Promise<readonly string[] | undefined>;
  /** Copies the whole journal into a new file, while others may write. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/** An order to record before it is sent. */
export interface Order extends MovementKey {
  readonly profile?: string | undefined;
  /** The JSON text that will be sent, digit by digit. */
  readonly request: string;
  /** Fields of it that the clock or chance filled in: they don't make it a different request. */
  readonly volatile?: readonly string[] | undefined;
  /** The longest that sending it can take, connection and answer together. */
  readonly deadlineMs: number;
  readonly batch?: BatchRow | undefined;
  /** A note for its history about the time at which it is placed. */
  readonly note?: string | undefined;
  readonly guard?: ClaimCheck | undefined;
  /**
   * A last check of orders that could be the same payment, within the claim; it may be called more than once.
   * @throws what `open` is to throw; the order is not recorded then
   */
  readonly check?: ((around: Around) => void) | undefined;
}

/** An order of a known account, as far as others can be compared with it. */
export type AskedOrder = Pick<Order, "kind" | "reference" | "request">;

/**
 * What the journal knows that could be the same payment as an order, or could make it one by mistake. Orders that moved
 * nothing (`unsent`, `refused`) are left out, except those whose process has just ended.
 */
export interface Around {
  /** Orders of the same kind whose references differ from this one only in how they are written, the newest first. */
  readonly near: readonly Movement[];
  /**
   * Orders with the same kind, account, payer, receiver and amount that are open or done, the newest of each batch; the
   * rows of the order's own batch are left out.
   */
  readonly like: readonly Movement[];
  /** Rows of statements that carried this reference, or one that is written like it, and that no order here explains. */
  readonly seen: readonly SeenRow[];
  /** Ids of accounts of the same service that differ from the order's only in letter case. */
  readonly accounts: readonly string[];
}

/** A row of a statement under a reference that the journal had no order for when the statements were read. */
export interface SeenRow {
  /** Of the account, as `accountScope` names it. */
  readonly scope: string;
  /** The wallet whose statement shows it. */
  readonly accountNo: string;
  readonly reference: string;
  /** Unique among the rows of the account. */
  readonly key: string;
  /** The row as the service sent it, as JSON text. */
  readonly row: string;
}

/**
 * The last check of other orders before the claim. No order can come in between: of two that break a limit only
 * together, the second is refused. An order that is not to be sent now is not checked.
 */
export interface ClaimCheck {
  /** The day in Dar es Salaam for which sums are read. Undefined where they don't matter: then they are empty. */
  readonly day: Day | undefined;
  /**
   * @param spent the sums that left the account on that day without this order, or may have
   * @throws what `open` is to throw; the order is not recorded then
   */
  decide(spent: CurrencySums): void;
}

/** The result of opening an order. */
export type Opening =
  /** It is yours: send it, once, and settle it. `again` is what was here where it was ordered before. */
  | { readonly outcome: "claimed"; readonly claim: Claim; readonly again: Movement | undefined }
  /** It was ordered before and must not be sent. Where `isInFlight(movement)`, its outcome is worth waiting for. */
  | { readonly outcome: "exists"; readonly movement: Movement; readonly isSameRequest: boolean };

/**
 * The right to send one order once: only the journal makes one, and a `Mover` sends nothing without it. The `Mover`
 * calls both `before…` in order, with any journal: one with synchronous writes records `sending` in the second, when
 * the connection is open and the first byte is held back, so that a failed connection leaves `unsent`; one that has to
 * wait for its database does so in the first.
 */
export interface Claim extends Issued {
  /** The order as it is on record; its `request` is the body that is sent. */
  readonly movement: Movement;
  /** Tells this claim from every other one: `ATTEMPT.RANDOM`. */
  readonly token: string;
  /** @throws {ClaimLost | Failure} when it must not be sent */
  beforeDialling(requestId: string): Promise<void>;
  /**
   * To be called while a throw can still hold every byte back. When it returns, `sending` is on disk.
   * @throws {ClaimLost | Failure} when it must not be sent
   */
  beforeFirstByte(requestId: string): void;
  /**
   * Records the outcome; callers are told only after it is durable.
   * @throws {OutcomeUnrecorded} when that is not possible: it is to be kept elsewhere, and entered later
   * @throws {ClaimLost} when another process has decided differently meanwhile; the history has the claim
   * @throws {ProofTaken} when a row that it rests on proves another order
   */
  settle(settlement: Settlement): Promise<Movement>;
}

export type SettledState = Exclude<MovementState, "prepared" | "sending">;

/** The outcome of an order, as the process that sent it reports it. */
export interface Settlement {
  readonly state: SettledState;
  /** By default `answer` where there is a response. */
  readonly evidence?: Evidence | undefined;
  readonly note?: string | undefined;
  readonly response?: string | undefined;
  readonly transactionId?: string | undefined;
  /** The rows that it rests on. */
  readonly proofs?: readonly StatementProof[] | undefined;
}

/** The outcome of an order, left by its process for a later one. */
export interface LeftOutcome {
  /** The order's id. */
  readonly movement: string;
  /** The token of the claim that it was sent with. */
  readonly claim: string;
  readonly settlement: Settlement;
}

/**
 * The result of entering an outcome that was left.
 * - `entered`: the journal has it, now or before
 * - `lost`: others decided differently meanwhile; the history has it
 * - `foreign`: no claim of this order had that token; nothing was recorded
 * - `no movement`: the journal has no such order
 */
export type Entered =
  | { readonly outcome: "entered" | "lost" | "foreign"; readonly movement: Movement }
  | { readonly outcome: "no movement"; readonly movement: undefined };

/** An order as the caller read it. It may have been sent again since: a decision is about the attempt that was read. */
export type SeenOrder = Pick<Movement, "id" | "attempt">;

/** An outcome from another source than the order's own process. */
export interface OutcomeDecision {
  /** `unknown`: by a callback's or the service's word the outcome is unknown. */
  readonly state: "accepted" | "refused" | "reversed" | "unknown";
  readonly evidence: Evidence;
  readonly note?: string | undefined;
  readonly transactionId?: string | undefined;
  /** The rows that it rests on: none of them may prove another order. */
  readonly proofs?: readonly StatementProof[] | undefined;
}

/** The result of a decision. */
export interface Resolution {
  /**
   * - `resolved`: the order now is what the decision says
   * - `confirmed`: it was that already; the evidence is the stronger of both
   * - `disputed`: it contradicts what was known, and neither is proof: it is unknown now, and the history has both
   * - `contradicted`: it is known to be otherwise and stays so; the history has the claim
   * - `in flight`: a process is sending it right now; nothing was recorded
   * - `taken`: a row that it rests on proves another order; nothing was recorded
   * - `superseded`: the order was sent again since, and stays as it is; the history has the claim
   */
  readonly outcome: "resolved" | "confirmed" | "disputed" | "contradicted" | "in flight" | "taken" | "superseded";
  readonly movement: Movement;
}

/** Selects movements; an undefined member allows all. */
export interface MovementFilter {
  readonly scope?: string | undefined;
  readonly states?: readonly MovementState[] | undefined;
  readonly kinds?: readonly MovementKind[] | undefined;
  /** Opened then or later. */
  readonly since?: number | undefined;
  /** Who ordered it, and on which machine. */
  readonly user?: string | undefined;
  readonly host?: string | undefined;
  /** The id of a batch. */
  readonly batch?: string | undefined;
  /** Orders whose texts may have one of these; a journal on this machine gives all. */
  readonly holding?: TextHints | undefined;
  readonly newestFirst?: boolean | undefined;
  readonly limit?: number | undefined;
}
