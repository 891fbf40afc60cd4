import { noApprovals } from "../../approvals/submitted-batch.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { findBatch } from "../../movements/batch/kept-batch.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { Failure } from "../../values/failure.ts";
import { fetchSubmitted, findSubmitted, withApprovals } from "../approvals/submitted.ts";
import { sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/**
 * A batch that was run on this machine, else one in the shared journal.
 * @throws {Failure} refused where neither has that id | setup | unavailable
 */
export async function lookUpBatch(id: string, session: Session): Promise<KeptBatch> {
  try {
    return await findBatch(session.host, id, stateFolder(session.host));
  } catch (error) {
    const isMissing = error instanceof Failure && error.ending === "refused";
    if (!isMissing || (await sharedChoice(session.journalChoice)) === undefined) throw error;
    return await fetchFromShared(id, session, error);
  }
}

async function fetchFromShared(id: string, session: Session, missing: Failure): Promise<KeptBatch> {
  try {
    return await withApprovals(session, async (approvals) =>
      fetchSubmitted(approvals, await findSubmitted(approvals, id), session),
    );
  } catch (error) {
    throw error instanceof Failure && error.reason === noApprovals ? missing : error;
  }
}
