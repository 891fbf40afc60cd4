import * as z from "zod/mini";
import { DamageError } from "../../storage/failures.ts";
import { sha256 } from "../requests/request-hash.ts";
import type { OutcomeDecision, Settlement } from "../journal.ts";
import type { Movement, MovementKind } from "../movement.ts";
import { evidences, movementKinds } from "../movement.ts";

const optionalText = z.optional(z.string());
const proofs = z.optional(z.array(z.object({ key: z.string(), row: z.string() })));
const said = { note: optionalText, transactionId: optionalText, proofs };
const settledStates = ["accepted", "pending", "refused", "reversed", "unsent", "unknown"] as const;
const heardStates = ["accepted", "refused", "reversed", "unknown"] as const;

const slipSchema = z.object({
  version: z.literal(1),
  journal: z.string(),
  movement: z.string(),
  kind: z.enum(movementKinds),
  reference: z.string(),
  at: z.number(),
  sent: z.optional(
    z.object({
      claim: z.string(),
      requestId: optionalText,
      settlement: z.object({
        ...said,
        state: z.enum(settledStates),
        evidence: z.optional(z.enum(evidences)),
        response: optionalText,
      }),
    }),
  ),
  heard: z.optional(
    z.object({
      ...said,
      state: z.enum(heardStates),
      evidence: z.literal("callback"),
      attempt: z.optional(z.number()),
    }),
  ),
});

/** The outcome of an order, in a file of its own because the journal could not record it. */
export interface Slip {
  readonly version: 1;
  /** The id of the journal that it belongs to. */
  readonly journal: string;
  /** The order's id. */
  readonly movement: string;
  readonly kind: MovementKind;
  readonly reference: string;
  /** When it was written, milliseconds since 1970 UTC. */
  readonly at: number;
  /** What the process that sent the order says, by the claim that it had. */
  readonly sent?: SentOutcome | undefined;
  /**
   * What a callback said later, if it isn't `sent`, and about which attempt; slips of an earlier version lack the
   * attempt.
   */
  readonly heard?: (OutcomeDecision & { readonly attempt?: number | undefined }) | undefined;
}

/** The attempt that a callback's word on a slip is about. Without it, an attempt that began later isn't meant. */
export function attemptHeard({ heard, at }: Slip, { attempt, openedAt }: Movement): number {
  return heard?.attempt ?? (at < openedAt ? attempt - 1 : attempt);
}

export interface SentOutcome {
  readonly claim: string;
  readonly requestId?: string | undefined;
  readonly settlement: Settlement;
}

/** A slip as a file: a line of JSON, and below it its SHA-256. */
export function encodeSlip(slip: Slip): string {
  const json = JSON.stringify(slip);
  return `${json}\n${sha256(json)}\n`;
}

/** @throws {DamageError} for a text that was changed */
export function decodeSlip(text: string): Slip {
  const [json = "", seal = "", ...rest] = text.split("\n");
  if (seal !== sha256(json) || rest.join("\n") !== "") throw new DamageError("it is damaged, or was cut off");
  const read = slipSchema.safeParse(JSON.parse(json));
  if (!read.success) throw new DamageError("it was written by a later version of partner; update partner");
  return read.data;
}

/** The name of its file: the same slip has the same one. */
export function slipName(slip: Slip): string {
  return `slip-${slip.journal}-${slip.movement}-${sha256(JSON.stringify(slip)).slice(0, 8)}.json`;
}

/** True for the name of such a file, whichever journal it belongs to. */
export function isSlipName(name: string): boolean {
  return /^slip-.+\.json$/.test(name);
}
