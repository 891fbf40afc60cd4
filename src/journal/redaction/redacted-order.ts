import type { Cover } from "../../contract/redaction.ts";
import { coverText, withoutPeople } from "../../contract/redaction.ts";
import { hashOfLine } from "../history/chain-line.ts";
import type { HistoryLine } from "../history/history.ts";
import type { StatementProof } from "../movement.ts";
import { isFinal } from "../movement.ts";
import { eventOf, movementOf } from "../movement-row.ts";
import { keepRequestHash } from "../requests/request-hash.ts";
import type { EventRow, MovementRow } from "../history/row.ts";
import { eventColumns, sealRow } from "../history/row.ts";
import { renamedProofs } from "../history/proof-names.ts";
import type { RedactedHashes } from "./redacted-lines.ts";

/** The place of an order's line in the chain of history. */
export interface ChainPlace {
  /** The line's own. */
  readonly number: number;
  readonly previous: string;
  readonly hash: string;
}

/** An order or a batch to redact, with all of its lines of history. */
export interface OrderLines {
  readonly id: string;
  readonly lines: readonly ChainPlace[];
}

/** What is redacted, and how. */
export interface RedactionTools {
  /** Only what was finished before then, in milliseconds since 1970. */
  readonly before: number;
  readonly cover: Cover;
  /** Random bytes for the hash by which the same request is recognised. */
  readonly salt: (count: number) => Uint8Array;
  /**
   * Redacted orders that were placed before then, in milliseconds since 1970, are no longer found by others like them.
   */
  readonly likesBefore: number;
  /** True for the last call of a run: after it, no file of ours may have anything that was taken out. */
  readonly isLast: boolean;
}

/** The redacted form of an order's rows. */
export interface RedactedOrder {
  readonly row: MovementRow;
  readonly events: readonly RedactedEvent[];
  readonly proofs: readonly StatementProof[];
  /** Goes into history: the former and the new hash of each redacted line, as JSON text. */
  readonly replaced: string;
}

export interface RedactedEvent {
  readonly number: number;
  readonly note: string | null;
  readonly replaced: string | null;
  readonly redacted_seal: string;
  readonly line_hash: string;
}

/** What a journal has of an order. */
export interface StoredOrder {
  readonly row: MovementRow;
  readonly events: readonly (EventRow & { readonly line_hash?: string | null | undefined })[];
  readonly proofs: readonly StatementProof[];
}

/**
 * Takes names, numbers and texts out of an order and its history. What counts stays: amounts, references, days, states,
 * and who ordered and decided.
 * @returns undefined where it wasn't finished before `before`, its history grew since its lines were looked at, or it
 * is redacted already
 */
export function redactOrder(
  { row, events, proofs }: StoredOrder,
  { lines }: OrderLines,
  { before, cover, salt }: RedactionTools,
): RedactedOrder | undefined {
  if (!isFinal(movementOf(row, false).state) || row.settled_at === null || row.settled_at >= before) return undefined;
  if (events.length !== lines.length) return undefined;
  const covered = proofs.map(({ key, row: text }) => ({ key, row: withoutPeople(text, cover) }));
  const hashes: (readonly [string, readonly [string, string]])[] = [];
  const changed: RedactedEvent[] = [];
  for (const [at, event] of events.entries()) {
    const place = lines[at];
    if (place === undefined || typeof event.line_hash === "string" || event.step === "redact") continue;
    const next = {
      ...event,
      note: coverText(event.note, cover),
      replaced: replacedWithout(event.replaced, cover, covered),
    };
    const request = requestOf(row, events, at);
    const made = hashOfLine(place.previous, lineOf(row, next, place.number, request && withoutPeople(request, cover)));
    if (made !== place.hash) hashes.push([String(place.number), [place.hash, made]]);
    const { seal } = sealRow(eventColumns, next);
    const { number, note, replaced } = next;
    changed.push({ number, note, replaced, redacted_seal: seal, line_hash: place.hash });
  }
  if (changed.length === 0) return undefined;
  const redactedHashes: RedactedHashes = new Map(hashes);
  return {
    row: {
      ...row,
      request: withoutPeople(row.request, cover),
      request_hash: keepRequestHash(row.request_hash, salt),
      response: row.response === null ? null : withoutPeople(row.response, cover),
      note: coverText(row.note, cover),
    },
    events: changed,
    proofs: covered,
    replaced: JSON.stringify(Object.fromEntries(redactedHashes)),
  };
}

/**
 * The request that was ordered with a claim: the order has the latest, and the line that replaced an earlier one has
 * that.
 */
function requestOf(row: MovementRow, events: readonly EventRow[], at: number): string | null {
  if (events[at]?.step !== "claim") return null;
  for (const { replaced } of events.slice(at + 1)) {
    const request = replaced === null ? undefined : membersOf(replaced).get("request");
    if (typeof request === "string") return request;
  }
  return row.request;
}

function lineOf(row: MovementRow, event: EventRow, number: number, request: string | null): HistoryLine {
  const { id, scope, kind, reference } = movementOf(row, false);
  return { number, id, scope, kind, reference, request, event: eventOf(event), hash: null };
}

function replacedWithout(replaced: string | null, cover: Cover, proofs: readonly StatementProof[]): string | null {
  if (replaced === null) return null;
  const members = membersOf(replaced);
  const bodies = new Set(["request", "response"]);
  const texts = new Set(["note", "request_hash"]);
  const kept = [...members].map(([name, value]): [string, unknown] => {
    // A digest of the row as it was would help to guess the row.
    if (name === "proofs") return [name, renamedProofs(value, proofs)];
    if (typeof value !== "string") return [name, value];
    if (bodies.has(name)) return [name, withoutPeople(value, cover)];
    return [name, texts.has(name) ? coverText(value, cover) : value];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

function membersOf(json: string): ReadonlyMap<string, unknown> {
  const value: unknown = JSON.parse(json);
  return new Map(Object.entries(Object(value)));
}
