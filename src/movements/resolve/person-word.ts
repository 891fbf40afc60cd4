import type { WeakRow } from "../../evidence/finding.ts";
import { nameRow, speaksAgainstRefusal } from "../../evidence/finding.ts";
import type { Inquiry, LookupResult } from "../../evidence/inquiry.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import type { Resolved } from "./resolve.ts";
import { inFlight, sentAgain, unreadFailure } from "./resolve.ts";

/** What a person says about a movement, and what it may overrule. */
export interface PersonWord {
  readonly state: "accepted" | "refused";
  /** How the person knows it. */
  readonly evidence: string;
  /** True where it counts although the statement says otherwise. */
  readonly againstStatement: boolean;
  /** True where it counts although the statement can't be read. */
  readonly unchecked: boolean;
}

/**
 * Records a person's word about a movement. A refusal allows sending it again, so the statement is read first; what it
 * has of the order is recorded with the word.
 * @param inquire reads the statements that can show it
 * @throws {Failure} usage, where the statement or stronger evidence contradicts it | unavailable | setup |
 * interrupted
 */
export async function resolveByPerson(
  movement: Movement,
  word: PersonWord,
  journal: Journal,
  inquire: (movement: Movement) => Promise<Inquiry>,
): Promise<Resolved> {
  const seen = word.state === "refused" ? await seenBeside(movement, word, inquire) : undefined;
  const note = seen === undefined ? word.evidence : `${word.evidence} (${seen})`;
  const decision = { state: word.state, evidence: "person", note } as const;
  const { outcome, movement: now } = await journal.resolve(movement, decision);
  if (outcome === "contradicted") throw contradicted(now);
  if (outcome === "in flight") throw inFlight(now);
  if (outcome === "superseded") throw sentAgain(now);
  return { movement: now, saw: `A person says: ${note}`, ending: undefined };
}

/** What the statement has of a refused order, in words for the record; undefined where it has nothing. */
async function seenBeside(
  movement: Movement,
  word: PersonWord,
  inquire: (movement: Movement) => Promise<Inquiry>,
): Promise<string | undefined> {
  const result = await lookUp(movement, inquire);
  const unread = result.kind === "unread" ? result.failure : result.kind === "nothing" ? result.unread : undefined;
  if (unread !== undefined) {
    if (!word.unchecked) throw withWayOut(unreadFailure(movement, unread));
    return `the statement was not read: ${unread.message}`;
  }
  const seen = objections(result);
  if (seen.length > 0 && !word.againstStatement) throw statementContradicts(movement, seen);
  if (seen.length > 0) return `against the statement: ${seen.join("; ")}`;
  const named = result.kind === "weak" ? result.seen.filter(({ reference }) => reference !== "missing") : [];
  return named.length === 0 ? undefined : `the statement also has ${named.map(wordsOf).join("; ")}`;
}

async function lookUp(movement: Movement, inquire: (movement: Movement) => Promise<Inquiry>): Promise<LookupResult> {
  try {
    return await (await inquire(movement)).look(movement);
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return { kind: "unread", failure: error };
    throw error;
  }
}

/** The rows that contradict a refusal, each with what it says. */
function objections(result: LookupResult): string[] {
  if (result.kind === "nothing" || result.kind === "unread") return [];
  if (result.kind === "proved") return [`${nameRow(result.row)}, proves that it was paid`];
  if (result.kind === "reversed")
    return [`${nameRow(result.row)}, proves that it was paid`, `${nameRow(result.back)}, reversed it`];
  return result.seen.filter(speaksAgainstRefusal).map(wordsOf);
}

function wordsOf({ row, why }: WeakRow): string {
  return `${nameRow(row)}, ${why}`;
}

function withWayOut(failure: Failure): Failure {
  if (failure.ending !== "unavailable") return failure;
  const { message, money, requestId, http, reason, reference, cause } = failure;
  const hint = `${withoutEnding(failure.hint ?? "", ".")}. To decide without it, add --unchecked.`;
  return new Failure("unavailable", message, { hint, money, requestId, http, reason, reference, cause });
}

function statementContradicts({ id, kind, reference, state }: Movement, seen: readonly string[]): Failure {
  return new Failure(
    "usage",
    `The statement contradicts it: ${seen.join("; ")}. The ${movementNouns[kind]} ${reference} stays as it is.`,
    {
      hint: `See what it proves: partner journal resolve ${id}. To decide against the statement, add --against-statement.`,
      money: state === "accepted" ? "moved" : "unknown",
      reference,
    },
  );
}

function contradicted({ id, kind, reference, state, evidence }: Movement): Failure {
  return new Failure(
    "usage",
    `The ${movementNouns[kind]} ${reference} is ${state}, by stronger evidence (${evidence}).`,
    { hint: `The contradiction is kept in its history: partner journal show ${id}`, reference },
  );
}
