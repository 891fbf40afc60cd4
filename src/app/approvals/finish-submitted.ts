import { Failure } from "../../values/failure.ts";
import { sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/**
 * Records that all of a batch is done where it was submitted to the shared journal, and a runner sent its own copy of
 * the file. If that fails, the outcomes of the rows stand, and `batch run --approved` records it later.
 */
export async function finishSubmitted(id: string, { host, journalChoice, program }: Session): Promise<void> {
  try {
    const shared = await sharedChoice(journalChoice);
    if (shared === undefined) return;
    const { openApprovals } = await import("../../approvals/open.ts");
    const approvals = await openApprovals(host, { ...shared, version: program.version });
    try {
      const submitted = await approvals.find(id);
      if (submitted?.state === "running") await approvals.finish(id);
    } finally {
      await approvals.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
