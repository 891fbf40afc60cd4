/** What can be ordered, by the command that orders it. */
export const movementKinds = ["transfer", "withdraw", "collect", "remit", "payout"] as const;
export type MovementKind = (typeof movementKinds)[number];

/** What people call it, within a sentence. */
export const movementNouns: Readonly<Record<MovementKind, string>> = {
  transfer: "transfer",
  withdraw: "withdrawal",
  collect: "collection",
  remit: "remittance",
  payout: "payout",
};

/**
 * The state of an order.
 * - `prepared`: on disk, and nothing was sent
 * - `sending`: its first byte may have left
 * - `accepted`, `refused`: by the service's answer or later evidence; final
 * - `reversed`: paid and then reversed; final, and its reference stays used
 * - `pending`: accepted by the service, the final outcome is still to come
 * - `unsent`: provably no byte left; final until it is ordered again
 * - `unknown`: bytes left and the outcome is not known; never sent again until it is
 */
export const movementStates = [
  "prepared",
  "sending",
  "accepted",
  "pending",
  "refused",
  "reversed",
  "unsent",
  "unknown",
] as const;
export type MovementState = (typeof movementStates)[number];

/**
 * What a state rests on, the weakest first: the answer, an unsigned callback, what the service says of the order when it
 * is asked or in an answer that comes after others have decided, a person's word, a row of the statement.
 */
export const evidences = ["answer", "callback", "status", "person", "statement"] as const;
export type Evidence = (typeof evidences)[number];

/** A row of a statement that proves the outcome of one order, and of no other. */
export interface StatementProof {
  /** Unique among the rows of the account, made by `rowKey` of the evidence. */
  readonly key: string;
  /** The row as the service sent it, as JSON text. */
  readonly row: string;
}

/** Who ordered or decided something. */
export interface Who {
  readonly user: string;
  readonly host: string;
  /** Of this program. */
  readonly version: string;
}

/** A row of a batch file. */
export interface BatchRow {
  readonly id: string;
  readonly row: number;
}

/** What identifies a movement: a reference counts once for each account and kind. */
export interface MovementKey {
  readonly scope: string;
  readonly kind: MovementKind;
  readonly reference: string;
}

/** One order to move money, and all that is known of it. Times are milliseconds since 1970 UTC. */
export interface Movement extends MovementKey {
  readonly id: string;
  readonly state: MovementState;
  /** The profile's local name when it was ordered; information only. */
  readonly profile: string | null;
  /** The JSON text that was or would be sent, every digit of it. */
  readonly request: string;
  /** SHA-256 of what makes two requests the same one; after a redaction a slow, salted hash of that. */
  readonly requestHash: string;
  /** The body of the service's answer, as far as it came; null where none did. */
  readonly response: string | null;
  readonly evidence: Evidence | null;
  /** Words about the state: why it is unknown, what a person saw. */
  readonly note: string | null;
  /** The `x-request-id` of each attempt, the latest last. */
  readonly requestIds: readonly string[];
  readonly transactionId: string | null;
  /** How many times it was ordered: 1 at first, one more each time it is ordered again after nothing had moved. */
  readonly attempt: number;
  /** When the latest attempt was ordered. */
  readonly openedAt: number;
  readonly changedAt: number;
  /** When it became final; null while it is not. */
  readonly settledAt: number | null;
  readonly who: Who;
  readonly batch: BatchRow | null;
}

/** One line of a movement's history. Lines are only added; a redaction or an archive takes content out of them. */
export interface MovementEvent {
  readonly at: number;
  readonly step: Step;
  readonly from: MovementState | null;
  /** For `contradict` the state that was claimed and not believed. */
  readonly to: MovementState;
  readonly requestId: string | null;
  readonly evidence: Evidence | null;
  readonly note: string | null;
  /** JSON text of what was in the movement before and was replaced by this step; null where nothing was. */
  readonly replaced: string | null;
  readonly who: Who;
}

/** The final states: no further event is expected. */
const finalStates: ReadonlySet<MovementState> = new Set(["accepted", "refused", "reversed", "unsent"]);

export function isFinal(state: MovementState): boolean {
  return finalStates.has(state);
}

/** True while a process is at it: its outcome is worth waiting for. */
export function isInFlight({ state }: Movement): boolean {
  return state === "prepared" || state === "sending";
}

/** The stronger of two pieces of evidence. */
export function strongerEvidence(one: Evidence | null, other: Evidence | null): Evidence | null {
  const rank = (evidence: Evidence | null) => (evidence === null ? -1 : evidences.indexOf(evidence));
  return rank(one) >= rank(other) ? one : other;
}

/** What can happen to a movement. */
export const steps = [
  "claim",
  "send",
  "settle",
  "abandon",
  "resolve",
  "overrule",
  "dispute",
  "contradict",
  "redact",
  "archive",
  "prove",
] as const;
export type Step = (typeof steps)[number];

type Transitions = Readonly<Partial<Record<MovementState, readonly MovementState[]>>>;

/**
 * Every transition between states, by event.
 * - `claim`: it is ordered again; a `prepared` one only after its process ended, a `sending` one never
 * - `send`: the first byte is about to leave
 * - `settle`: its own process reports the outcome, even late, after others have marked it `unknown`; from `prepared`
 *   when nothing is sent: it failed before, or a row of the statement shows that it was paid earlier
 * - `abandon`: its process ended without an outcome
 * - `resolve`: a callback, a status, a statement or a person reports the outcome
 * - `overrule`: an outcome by a person's word alone turns out to be wrong
 * - `dispute`: an answer, callbacks, a status and a person contradict each other, and none of them is proof
 *   (`dispute.ts`)
 * - `contradict`: a claim contradicts what the journal has proof of; only the history changes
 * - `redact`: personal data is taken out of a finished order and its history; how it ended stays
 * - `archive`: answer and history went to a file; nothing else changes
 * - `prove`: rows of statements that an earlier version kept are named in history
 */
export const transitions: Readonly<Record<Step, Transitions>> = {
  claim: { prepared: ["prepared"], unsent: ["prepared"], refused: ["prepared"] },
  send: { prepared: ["sending"] },
  settle: {
    prepared: ["unsent", "accepted", "reversed"],
    sending: ["accepted", "pending", "refused", "reversed", "unsent", "unknown"],
    unknown: ["accepted", "pending", "refused", "reversed", "unsent", "unknown"],
    accepted: ["accepted", "reversed"],
    refused: ["refused"],
    reversed: ["reversed"],
  },
  abandon: { prepared: ["unsent"], sending: ["unknown"] },
  resolve: {
    pending: ["accepted", "refused", "reversed", "unknown"],
    unknown: ["accepted", "refused", "reversed", "unknown"],
    accepted: ["accepted", "reversed"],
    refused: ["refused"],
    reversed: ["reversed"],
  },
  overrule: {
    accepted: ["refused", "reversed"],
    refused: ["accepted", "reversed"],
    reversed: ["accepted", "refused"],
  },
  dispute: { accepted: ["unknown"], refused: ["unknown"], reversed: ["unknown"], unsent: ["unknown"] },
  contradict: {},
  redact: {},
  archive: {},
  prove: {},
};

/** True where that step leads from the one state to the other. */
export function mayPass(step: Step, from: MovementState, to: MovementState): boolean {
  return transitions[step][from]?.includes(to) === true;
}
