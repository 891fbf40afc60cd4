import { finishSubmitted } from "../approvals/submitted.ts";
import { refuseProtected } from "../protected-folders.ts";
import type { Journal } from "../../journal/journal.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { keepBatch } from "../../movements/batch/kept-batch.ts";
import type { BatchCheck } from "../../movements/batch/check.ts";
import { batchLikeWindowMs, batchRepeatCheck } from "../../movements/batch/repeat-violations.ts";
import type { BatchRun } from "../../movements/batch/run.ts";
import type { RepeatCheck } from "../../movements/guards/repeats.ts";
import { anyRepeat } from "../../movements/guards/repeats.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { Report, RowsReport } from "../../report/report.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { AskedOrNot } from "../money/confirmation.ts";
import { confirm, refuseUnasked } from "../money/confirmation.ts";
import type { CheckFlags } from "../money/checks/check-flags.ts";
import { repeatContext } from "../money/checks/repeat-check.ts";
import { moneyTools } from "../money/money-context.ts";
import { batchInput, refuseOtherForm, refuseOwnFile } from "../output-guard.ts";
import type { Session } from "../session.ts";
import { confirmationOf } from "./confirmation.ts";
import { describeCounts } from "./counts.ts";
import { dryRows } from "./dry-run.ts";
import { batchEnding } from "./ending.ts";
import type { BatchFlags } from "./flags.ts";
import { knownBatches } from "./known-batch.ts";
import { planBatch } from "./plan.ts";
import { expireOldBatches } from "./expiry.ts";
import { BatchReportFile } from "./report-file.ts";
import { batchRows, countRows } from "./rows.ts";
import { askWitnessAboutRows, sendBatch } from "./sending.ts";

export interface FileRunFlags extends BatchFlags, AskedOrNot, CheckFlags {
  readonly allowRepeats: boolean;
  readonly concurrency?: number | undefined;
  /** Where to write the rows as they finish. */
  readonly report?: string | undefined;
}

/**
 * Checks a whole file, then sends its rows. With `--dry-run` its requests are shown, and nothing is sent.
 * @throws {Failure} usage | setup | unavailable | interrupted; the outcomes of rows are in the report
 */
export async function runFile(file: string, flags: FileRunFlags, session: Session): Promise<Report | undefined> {
  refuseUnasked(flags, session, { what: "batch" });
  refuseOtherForm(flags.report, "--report", "nothing was sent", {
    hint: "End its name in .csv. Other formats, once it has run: partner batch report ID --save outcome.json",
    money: "not moved",
  });
  if (flags.report !== undefined) await refuseProtected(flags.report, "--report", session.host);
  await refuseOwnFile("--report", flags.report, batchInput(file), session);
  await refuseOwnFile("--save", session.result.save, batchInput(file), session);
  const { allowRepeats: allowsRepeats, dryRun } = flags;
  const made = dryRun ? undefined : await moneyTools(session, flags);
  const journal = made?.journal ?? (await journalToShow(session));
  const isKnown = knownBatches(journal, session);
  const plan = await planBatch(file, flags, session, {
    journal,
    isKnown,
    allowsRepeats,
    asks: "briefly",
    isDry: dryRun,
  });
  const { all, toSend, warnings } = plan.check;
  if (toSend.count === 0) await session.note(nothingLeft(plan.check));
  for (const note of plan.notes) await session.note(note);
  const isAsked = made !== undefined && toSend.count > 0 && !flags.yes;
  // A question shows them directly above it.
  if (!isAsked) for (const warning of warnings) await session.note(`Warning: ${warning}`);
  await session.note(`Batch ${plan.id}: ${counted(all.count, "row")} of ${plan.file}`);
  if (made === undefined) return dryRows(plan, journal, session);
  const tools = { ...made, repeatCheck: await checkOfRows(plan.check, allowsRepeats, session) };
  if (isAsked) await confirm(confirmationOf(plan), session);
  const batch = await keepBatch(session.host, plan, stateFolder(session.host));
  await expireOldBatches(journal, session);
  await askWitnessAboutRows(batch, { tools }, session);
  const report = flags.report === undefined ? undefined : new BatchReportFile(flags.report, batch, journal, session);
  await report?.begin();
  const { concurrency = 1 } = flags;
  const sending = { rowCount: all.count, concurrency, tools, onRow: () => report?.follow() };
  const run = await sendBatch(batch, sending, session);
  await report?.end({ journal, left: run.left });
  if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
  try {
    return await outcomeReport(batch, run, journal, session);
  } catch (error) {
    if (!(error instanceof Failure) || run.sentCount === 0) throw error;
    return endWithoutRows(batch, run, { rowCount: all.count, failure: error, session });
  }
}

/** What to say about a batch that has nothing left to send. */
export function nothingLeft({ doneCount, unknownCount }: Pick<BatchCheck, "doneCount" | "unknownCount">): string {
  const unknown = unknownCount === 0 ? "" : `; the outcome of ${unknownCount} is unknown`;
  return `0 sent now, ${doneCount} ${doneCount === 1 ? "was" : "were"} sent before${unknown}.`;
}

/** The check that skips a row if it looks like a payment made since the file was checked. */
export async function checkOfRows(
  { references, areSiblings }: Pick<BatchCheck, "references" | "areSiblings">,
  allowsRepeats: boolean,
  session: Session,
): Promise<RepeatCheck> {
  if (allowsRepeats) return anyRepeat;
  return batchRepeatCheck(await repeatContext(session, batchLikeWindowMs), references, areSiblings);
}

/**
 * The journal of a dry run, which fails where a real run could send no order.
 * @throws {Failure} setup | unavailable
 */
async function journalToShow(session: Session): Promise<Journal> {
  const journal = await session.journal("read", { account: await session.accountScope(), looksAtRefusal: true });
  if (journal.refusal !== undefined) throw journal.refusal;
  return journal;
}

async function outcomeReport(batch: KeptBatch, run: BatchRun, journal: Journal, session: Session): Promise<RowsReport> {
  const known = { journal, left: run.left };
  const counts = await countRows(batch, known, session);
  const carried = batchEnding(batch.id, counts, run);
  if (carried === undefined) await finishSubmitted(batch.id, session);
  const again = `partner batch report ${batch.id}`;
  return {
    ...(await batchRows(batch, known, session)),
    findings: () => ({
      notes: [
        `Batch ${batch.id}: ${describeCounts(counts)}. Its rows again: ${again}`,
        ...(counts.of("pending") === 0 ? [] : ["Ask what became of pending rows: partner journal resolve --all"]),
      ],
      carried,
    }),
    happened: `What was sent stays sent: ${describeCounts(counts)}. See the rows: ${again}`,
  };
}

/**
 * Ends a batch whose rows can't be read from the journal any more, because it is locked or broken: their outcomes are
 * known from this run.
 * @throws {Failure} unknown | incomplete
 */
async function endWithoutRows(
  { id }: KeptBatch,
  run: BatchRun,
  { rowCount, failure, session }: { readonly rowCount: number; readonly failure: Failure; readonly session: Session },
): Promise<undefined> {
  run.seen.add("unsent", rowCount - run.seen.total);
  const counts = describeCounts(run.seen);
  const words = `Batch ${id}: ${counts}. Its rows cannot be read now: ${failure.message} Read them later: partner batch report ${id}`;
  await session.host.stderr.write(`${visible(words)}\n`);
  const ending = batchEnding(id, run.seen, run);
  if (ending !== undefined) throw ending;
}
