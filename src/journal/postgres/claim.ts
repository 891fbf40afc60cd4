import type { HostTimes } from "../../host/host-times.ts";
import { hostTimes } from "../../host/host-times.ts";
import type { Clock } from "../../host/host.ts";
import { patienceMs } from "../../storage/postgres/database.ts";
import { Failure } from "../../values/failure.ts";
import type { Claim, Settlement } from "../journal.ts";
import { issue } from "../issued.ts";
import { ClaimLost, OutcomeUnrecorded, ProofTaken } from "../claim-errors.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { Movement, StatementProof } from "../movement.ts";
import type { Settled } from "../transitions.ts";
import { sendOrder, settleOrder } from "../transitions.ts";
import type { MovementRow } from "../history/row.ts";

/** How long to wait for a server that went away, before an outcome is kept elsewhere and tried again. */
const settlingPatienceMs = 2_000;
/** How long a process that continues tries to record an outcome after it was reported as unknown. */
const latePatienceMs = 10 * 60_000;

export interface SharedClaimParts {
  readonly clock: Clock;
  readonly token: string;
  readonly deadlineMs: number;
  readonly movement: Movement;
  /** Changes the movement in a transaction, and once more where its answer was lost. */
  readonly changing: <T>(
    change: (writer: MovementWriter, row: MovementRow, attempt: number, proving: readonly number[]) => T,
    options?: { readonly within?: number | undefined; readonly proofs?: readonly StatementProof[] | undefined },
  ) => Promise<T>;
  /** The same for recording `sending`; returns a function that updates the journal's mark. */
  readonly sending: (change: (writer: MovementWriter, row: MovementRow) => void, within: number) => Promise<() => void>;
  /** Called when nothing was sent with this claim, and nothing will be. */
  readonly giveUp: () => void;
}

/**
 * The right to send one order that is on record in a shared journal. `sending` is committed before the connection to
 * the service is made, as nothing can be waited for while the first byte is held back.
 */
export function sharedClaim(parts: SharedClaimParts): Claim {
  const { clock, token, deadlineMs, movement, sending, giveUp } = parts;
  let sendingSince: HostTimes | undefined;
  return issue({
    movement,
    token,
    async beforeDialling(requestId: string) {
      const since = hostTimes(clock);
      try {
        const keepMark = await sending((writer, row) => {
          if (isSendingAs(row, token, requestId)) return;
          sendOrder(writer, row, token, { requestId, deadlineMs });
        }, patienceMs);
        await markOrUnsend(keepMark, parts);
      } catch (error) {
        giveUp();
        throw error;
      }
      sendingSince = since;
    },
    beforeFirstByte() {
      if (sendingSince === undefined) throw new ClaimLost(movement);
      // Some time after its deadline others count it as lost, and may decide about it.
      const passedMs = Math.max(clock.now() - sendingSince.now, clock.elapsed() - sendingSince.elapsed);
      if (passedMs > deadlineMs) throw tooLate();
    },
    async settle(settlement: Settlement) {
      sendingSince = undefined;
      let settled: Settled;
      try {
        settled = await record(settlement, parts, settlingPatienceMs);
      } catch (error) {
        if (error instanceof ProofTaken) throw error;
        record(settlement, parts, latePatienceMs, true).catch(() => undefined);
        throw new OutcomeUnrecorded(settlement, error);
      }
      if (settled.isLost) throw new ClaimLost(settled.movement);
      return settled.movement;
    },
  });
}

/** Writes the mark. Where that fails, the order is not sent, and what is on record is corrected. */
async function markOrUnsend(
  keepMark: () => void,
  { token, changing }: Pick<SharedClaimParts, "token" | "changing">,
): Promise<void> {
  try {
    keepMark();
  } catch (error) {
    const unsent = { state: "unsent", note: "It was given up before anything was sent" } as const;
    await changing((writer, row) => settleOrder(writer, row, token, unsent, []), { within: patienceMs }).catch(
      () => undefined,
    );
    throw error;
  }
}

/** @param isLate true for a further try: an earlier one may have been committed */
function record(
  settlement: Settlement,
  { token, changing }: Pick<SharedClaimParts, "token" | "changing">,
  within: number,
  isLate = false,
): Promise<Settled> {
  return changing(
    (writer, row, attempt, proving): Settled => {
      const mayBeThere = isLate || attempt > 1;
      if (mayBeThere && isRecorded(row, token, settlement)) return { movement: writer.show(row), isLost: false };
      return settleOrder(writer, row, token, settlement, proving);
    },
    { within, proofs: settlement.proofs },
  );
}

/** True where the first try was committed, and its answer lost. */
function isSendingAs(row: MovementRow, token: string, requestId: string): boolean {
  return row.claim === token && row.state === "sending" && row.request_ids.includes(JSON.stringify(requestId));
}

function isRecorded(row: MovementRow, token: string, { state, response }: Settlement): boolean {
  return row.claim === token && row.state === state && (response === undefined || row.response !== null);
}

function tooLate(): Failure {
  return new Failure("unavailable", "The order was not sent: too much time passed before it was connected.", {
    hint: "This machine was suspended, or its clock was changed. Run it again.",
    money: "not moved",
  });
}
