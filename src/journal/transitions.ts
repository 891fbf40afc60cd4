import { Failure } from "../values/failure.ts";
import { isArchived } from "./archive/tombstone.ts";
import { hashRequest, isKeptHash, isRequestOf } from "./requests/request-hash.ts";
import type { ClaimedOutcome } from "./dispute.ts";
import { isDisputed, isLeftOpen, isPaid, isProved, openEvidence } from "./dispute.ts";
import type { OutcomeDecision, Entered, LeftOutcome, Order, Resolution, Settlement } from "./journal.ts";
import { ClaimLost, ProofTaken } from "./claim-errors.ts";
import type { MovementWriter, Words } from "./movement-writer.ts";
import type { Evidence, Movement } from "./movement.ts";
import { isFinal, isInFlight, mayPass, strongerEvidence } from "./movement.ts";
import { attemptOf, movementOf } from "./movement-row.ts";
import type { MovementRow } from "./history/row.ts";
import type { CurrencySums } from "./spending.ts";
import { addSums, spendingOf, takeBack } from "./spending.ts";

// Decisions about an order, the same in every journal. Each is called inside a transaction that has locked the row, and
// records what it decides.

export type Opened =
  | { readonly outcome: "claimed"; readonly row: MovementRow; readonly again: Movement | undefined }
  | { readonly outcome: "exists"; readonly movement: Movement; readonly isSameRequest: boolean };

/** Claims an order, new or again, or returns its outcome; `row` is the existing movement. */
export function openOrder(
  writer: MovementWriter,
  row: MovementRow | undefined,
  order: Order,
  lookAtOthers: () => void,
): Opened {
  if (row === undefined) {
    lookAtOthers();
    return { outcome: "claimed", row: writer.enter(order), again: undefined };
  }
  const before = writer.show(row);
  if (mayClaim(before)) {
    lookAtOthers();
    return { outcome: "claimed", row: writer.enterAgain(row, order), again: before };
  }
  if (writer.isAbandoned(row)) writer.giveUp(row);
  return { outcome: "exists", movement: before, isSameRequest: isSame(before, order) };
}

/** True for an order that moved nothing and that no process holds. */
export function mayClaim({ state }: Movement): boolean {
  return state !== "prepared" && mayPass("claim", state, "prepared");
}

/** @throws {ClaimLost} where another process holds it */
export function sendOrder(
  writer: MovementWriter,
  row: MovementRow,
  token: string,
  { requestId, deadlineMs }: { readonly requestId: string; readonly deadlineMs: number },
): void {
  const movement = writer.show(row);
  if (row.claim !== token || row.state !== "prepared") throw new ClaimLost(movement);
  const changes = {
    request_ids: JSON.stringify([...movement.requestIds, requestId]),
    claim_ends_at: writer.endOf(deadlineMs),
  };
  writer.advance(row, "send", "sending", changes, { requestId });
}

/** The state of a movement after its own process reported the outcome. */
export interface Settled {
  readonly movement: Movement;
  /** True where another process holds it, or has decided differently. */
  readonly isLost: boolean;
}

/**
 * Records what an order's own process says came of it; where others decide by now, only the history keeps it.
 * @param provedBy the numbers of the movements that the settlement's rows prove by now
 * @throws {ProofTaken}
 * @throws {Failure} unavailable where the order was paid, and a process is sending it again
 */
export function settleOrder(
  writer: MovementWriter,
  row: MovementRow,
  token: string,
  settlement: Settlement,
  provedBy: readonly number[],
): Settled {
  if (provedBy.some((number) => number !== row.number)) throw new ProofTaken();
  const { state, response, note, transactionId } = settlement;
  const evidence = settlement.evidence ?? (response === undefined ? undefined : "answer");
  const before = writer.show(row);
  const words = { requestId: before.requestIds.at(-1), evidence, note };
  const claim = { state, evidence: evidence ?? null };
  if (row.claim !== token) return { movement: recordFormer(writer, row, token, { claim, words }), isLost: true };
  const kept = { response: response ?? row.response, transaction_id: transactionId ?? row.transaction_id };
  if (isDisputed(before, claim)) return { movement: dispute(writer, row, claim, words, kept), isLost: false };
  if (state !== "unknown" && isLeftOpen(before, claim)) {
    writer.contradict(row, state, words);
    return { movement: writer.show(writer.advance(row, "settle", "unknown", kept, words)), isLost: false };
  }
  if (!mayPass("settle", movementOf(row, false).state, state)) {
    // A process that took the order over knows already that nothing was sent.
    if (state !== "unsent") writer.contradict(row, state, words);
    return { movement: before, isLost: true };
  }
  const changes = {
    ...kept,
    evidence: row.state === state ? strongerEvidence(before.evidence, evidence ?? null) : (evidence ?? null),
    note: note ?? (row.state === state ? row.note : null),
  };
  const next = writer.advance(row, "settle", state, changes, { ...words, proofs: settlement.proofs });
  return { movement: writer.show(next), isLost: false };
}

/**
 * Records what the process of an earlier attempt says came of it. If that attempt paid, or is under way, the order must
 * not be sent again, whatever becomes of the latest attempt.
 */
function recordFormer(
  writer: MovementWriter,
  row: MovementRow,
  token: string,
  { claim: { state, evidence }, words }: { readonly claim: ClaimedOutcome; readonly words: Words },
): Movement {
  const found = writer.isAbandoned(row) ? writer.giveUp(row) : row;
  const movement = writer.show(found);
  const mayHaveMoved = state === "accepted" || state === "pending";
  if (mayHaveMoved && isInFlight(movement)) throw beingSentAgain();
  // A process that took the order over knows already that nothing was sent.
  if (state === "unsent") return movement;
  const note = ofAttempt(words.note, attemptOf(token), movement);
  writer.contradict(found, state, { ...words, requestId: undefined, note });
  return mayHaveMoved && !isPaid(movement.state) ? leaveOpen(writer, found, { evidence, note }) : movement;
}

/** An answer to an attempt comes once: it is kept elsewhere until the journal can record it. */
function beingSentAgain(): Failure {
  return new Failure("unavailable", "A process is sending the order again right now.");
}

/** Adds which attempt a note is about. */
function ofAttempt(note: string | undefined, attempt: number, { attempt: latest }: Movement): string {
  const which = `about attempt ${attempt} of ${latest}`;
  return note === undefined ? which : `${note} (${which})`;
}

/** Makes an order unknown that an earlier attempt may have paid: a statement or a person has to decide about it. */
function leaveOpen(
  writer: MovementWriter,
  row: MovementRow,
  { evidence, note }: { readonly evidence: Evidence | null; readonly note: string },
): Movement {
  const step = isFinal(movementOf(row, false).state) ? "dispute" : "resolve";
  const open = { evidence: openEvidence(evidence), note: [row.note, note].filter(Boolean).join(". ") };
  return writer.show(writer.advance(row, step, "unknown", open, open));
}

/**
 * Records the outcome that an order's own process left, unless it is on record.
 * @param provedBy the numbers of the movements that the settlement's rows prove by now
 * @throws {ProofTaken}
 * @throws {Failure} as `settleOrder` does
 */
export function enterOutcome(
  writer: MovementWriter,
  row: MovementRow,
  { claim, settlement }: LeftOutcome,
  provedBy: readonly number[],
): Entered {
  const movement = writer.show(row);
  if (row.claim === claim && isOnRecord(row, settlement)) return { outcome: "entered", movement };
  if (row.claim !== claim && attemptOf(claim) >= attemptOf(row.claim)) return { outcome: "foreign", movement };
  const settled = settleOrder(writer, row, claim, settlement, provedBy);
  return { outcome: settled.isLost ? "lost" : "entered", movement: settled.movement };
}

/**
 * True where this outcome is on record. Later decisions leave the answer in place, and a redaction or an archive leaves
 * a part of it. As each attempt begins without an answer, such a part is of this one.
 */
function isOnRecord(row: MovementRow, { state, response, note }: Settlement): boolean {
  const isInPart = row.response !== null && (isArchived(row) || isKeptHash(row.request_hash));
  if (response !== undefined) return isInPart || row.response === response;
  return row.state === state && (note === undefined || row.note === note);
}

/**
 * Records what a callback, a status, a statement or a person says came of an order.
 * @param attempt the attempt that it is about
 * @param provedBy the numbers of the movements that the decision's rows prove by now
 */
export function resolveOrder(
  writer: MovementWriter,
  row: MovementRow,
  { attempt, decision }: { readonly attempt: number; readonly decision: OutcomeDecision },
  provedBy: readonly number[],
): Resolution {
  if (provedBy.some((number) => number !== row.number)) return { outcome: "taken", movement: writer.show(row) };
  const found = writer.isAbandoned(row) ? writer.giveUp(row) : row;
  const movement = writer.show(found);
  const { state } = decision;
  const words = { evidence: decision.evidence, note: decision.note };
  if (movement.state === "prepared" || movement.state === "sending") return { outcome: "in flight", movement };
  if (attempt !== movement.attempt && isOfItsAttempt(movement, decision)) {
    const note = ofAttempt(decision.note, attempt, movement);
    writer.contradict(found, state, { ...words, note });
    const wasPaid = state === "accepted" && decision.evidence !== "person";
    if (!wasPaid || isFinal(movement.state)) return { outcome: "superseded", movement };
    // Whatever becomes of the latest attempt, money moved: no callback and no status makes it one to send again.
    return { outcome: "disputed", movement: leaveOpen(writer, found, { evidence: decision.evidence, note }) };
  }
  if (isDisputed(movement, decision))
    return { outcome: "disputed", movement: dispute(writer, found, decision, words, {}) };
  const isConfirmed = movement.state === state;
  const step = movement.evidence === "person" && !isConfirmed ? "overrule" : "resolve";
  const isBeyond = !isConfirmed && (isLeftOpen(movement, decision) || isProved(movement, decision));
  if (!mayPass(step, movement.state, state) || isBeyond) {
    writer.contradict(found, state, words);
    return { outcome: "contradicted", movement };
  }
  const changes = {
    evidence: isConfirmed ? strongerEvidence(movement.evidence, decision.evidence) : decision.evidence,
    note: decision.note ?? (isConfirmed ? movement.note : null),
    transaction_id: decision.transactionId ?? movement.transactionId,
  };
  const next = writer.advance(found, step, state, changes, { ...words, proofs: decision.proofs });
  return { outcome: isConfirmed ? "confirmed" : "resolved", movement: writer.show(next) };
}

/**
 * True where a decision about an earlier attempt says nothing about the order as a whole. A row of a statement is the
 * order's, whichever attempt moved the money; that money came back says nothing about what has left since. And an order
 * of which any attempt moved money is not to be sent again.
 */
function isOfItsAttempt(movement: Movement, { state, evidence }: OutcomeDecision): boolean {
  if (evidence === "statement") return state === "reversed";
  return evidence === "person" || state === "refused" || !mayClaim(movement);
}

/** What left, without orders whose process ended before it sent anything: no step has recorded that yet. */
export function withoutAbandoned(
  writer: Pick<MovementWriter, "isAbandoned">,
  spent: CurrencySums,
  prepared: readonly MovementRow[],
): CurrencySums {
  return prepared
    .filter((row) => writer.isAbandoned(row))
    .flatMap((row) => spendingOf(movementOf(row, false)) ?? [])
    .reduce((sums, spending) => addSums(sums, takeBack(spending).sums), spent);
}

/** Records the claim, and makes the outcome unknown. */
function dispute(
  writer: MovementWriter,
  row: MovementRow,
  { state, evidence: claimed }: ClaimedOutcome,
  words: Words,
  kept: Pick<Partial<MovementRow>, "response" | "transaction_id">,
): Movement {
  writer.contradict(row, state, words);
  const note = [row.note, words.note].filter(Boolean).join(". ");
  const evidence = openEvidence(claimed === "answer" ? movementOf(row, false).evidence : claimed);
  return writer.show(writer.advance(row, "dispute", "unknown", { ...kept, evidence, note }, { evidence, note }));
}

/** Equal in every field, or in all but those that were filled in automatically both times. */
function isSame(movement: Movement, order: Order): boolean {
  if (isRequestOf(movement.requestHash, order.request, order.volatile)) return true;
  return hashRequest(movement.request) === hashRequest(order.request);
}
