import type { Approvals } from "../../approvals/approvals.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { batchBeginningForm, batchIdForm, idHint, onlyBatch } from "../../movements/batch/identity.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { keepBatch } from "../../movements/batch/kept-batch.ts";
import type { PlannedRow } from "../../movements/batch/rows/row.ts";
import { describedBy, verifySubmitted } from "../../movements/approved-batch.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { ignoringSignals } from "../batch/ignore-signals.ts";
import { requireShared, sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/** Where to look up a batch that needs no approval. */
const localBatches = "Batches of this machine: partner batch status ID, partner batch report ID";

/**
 * Opens the shared journal's submitted batches for `use`, and closes them after it.
 * @throws {Failure} usage where no shared journal is named | setup | unavailable
 */
export async function withApprovals<T>(session: Session, use: (approvals: Approvals) => Promise<T>): Promise<T> {
  const shared = await requireShared(
    session.journalChoice,
    "Four eyes need a shared journal, and none is named.",
    localBatches,
  );
  const { openApprovals } = await import("../../approvals/open.ts");
  const approvals = await openApprovals(session.host, { ...shared, version: session.program.version });
  try {
    if (approvals.isAboveRules)
      await session.note(
        "Warning: this database role owns the journal, so that four eyes do not bind it. Use roles that only submit, approve or send.",
      );
    return await use(approvals);
  } finally {
    await approvals.close();
  }
}

/**
 * @param key the batch's id, or a beginning that no other id has
 * @throws {Failure} refused where this role can see none with that id | usage where several are meant
 */
export async function findSubmitted(approvals: Approvals, key: string): Promise<SubmittedBatch> {
  const id = batchBeginningForm.test(key) ? onlyBatch(key, await approvals.beginningWith(key)) : key;
  const found = id !== undefined && batchIdForm.test(id) ? await approvals.find(id) : undefined;
  if (found !== undefined) return found;
  throw new Failure("refused", `No batch ${quote(key)} was submitted, or this role may not see it.`, {
    hint: `${idHint(key)}See what there is: partner batch list`,
  });
}

/**
 * Fetches a submitted batch and checks that it matches its digest: from then on it is like a batch from a file of this
 * machine.
 * @throws {Failure} setup where it doesn't match | refused where it was redacted
 */
export async function fetchSubmitted(
  approvals: Approvals,
  submitted: SubmittedBatch,
  session: Session,
  see?: (row: PlannedRow) => void,
): Promise<KeptBatch> {
  const { id } = submitted;
  if (submitted.isRedacted) throw redacted(id);
  const { scope, file, form } = describedBy(submitted);
  const kept = await keepBatch(
    session.host,
    {
      id,
      scope,
      file,
      form,
      source: file,
      digest: await approvals.contentDigest(id),
      content: approvals.content(id),
    },
    stateFolder(session.host),
  );
  await verifySubmitted(ignoringSignals(session.host), submitted, kept, see);
  return kept;
}

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

function redacted(id: string): Failure {
  return new Failure("refused", `The file of batch ${id} was redacted: its rows can't be read any more.`, {
    hint: `See its decisions: partner batch show ${id}. See its orders: partner journal list --batch ${id}`,
    money: "not moved",
  });
}
