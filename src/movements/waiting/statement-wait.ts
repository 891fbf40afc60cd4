import type { Inquiry, LookupResult } from "../../evidence/inquiry.ts";
import type { Clock } from "../../host/host.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import { decideByStatement } from "../resolve/statement-decision.ts";

/** Reads the statements that can show a movement, as of now. */
export type StatementLook = (movement: Movement) => Promise<Inquiry>;

/** Polling interval for the statements. */
const lookEveryMs = 10_000;

export interface LookLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => Promise<void>;
  /** On the clock's `elapsed` scale. */
  readonly endsAt: number;
}

/** Why a statement could not be read; undefined where all were. */
function unreadBecause(result: LookupResult): Failure | undefined {
  if (result.kind === "unread") return result.failure;
  return result.kind === "nothing" ? result.unread : undefined;
}

/**
 * Looks for an order's row in the statements: until the time is up if an answer or a callback accepted it, but only
 * once if it is still open, as just its callback may be lost.
 * @returns anomalies
 */
export async function confirmByStatement(
  movement: Movement,
  look: StatementLook,
  journal: Journal,
  { clock, signal, say, endsAt }: LookLimits,
): Promise<readonly string[]> {
  let reason: string | undefined;
  for (;;) {
    try {
      const { result } = await decideByStatement(movement, await look(movement), journal);
      if (result.kind === "proved" || result.kind === "reversed") return [];
      reason = unreadBecause(result)?.message;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      reason = error.message;
    }
    const leftMs = endsAt - clock.elapsed();
    if (movement.state !== "accepted" || leftMs <= 0 || signal.aborted) break;
    await say("Waiting for the row in the statement.");
    await clock.sleep(Math.min(lookEveryMs, leftMs), signal).catch(() => undefined);
  }
  return reason === undefined ? [] : [`The statement did not settle it. ${reason}`];
}
