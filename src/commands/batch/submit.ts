import type { Approvals } from "../../approvals/approvals.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { notify, notifyFlag } from "../../app/approvals/notify.ts";
import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { withApprovals } from "../../app/approvals/submitted.ts";
import { batchFormFlags, repeatFlags } from "../../app/batch/flags.ts";
import type { BatchPlan } from "../../app/batch/plan.ts";
import { planBatch } from "../../app/batch/plan.ts";
import { ignoringSignals } from "../../app/batch/ignore-signals.ts";
import { totalsOf } from "../../app/batch/words.ts";
import { command } from "../../app/command.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { batchInput, refuseOwnFile } from "../../app/output-guard.ts";
import { batchId } from "../../movements/batch/identity.ts";
import { describe } from "../../movements/batch/expectation.ts";
import { submissionOf } from "../../movements/approved-batch.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Submit a batch (as its maker), for another person to approve.",
  description:
    "The whole file is checked as batch check does, except for what only the service knows: no credentials are needed. The file goes into the shared journal as it is, and cannot be changed there. The same file again is the same batch, unless it was rejected or withdrawn. It takes a shared journal with roles: partner journal migrate --roles.",
  examples: [
    "batch submit salaries.csv --kind transfer --from 9000112233",
    "batch submit payouts.csv --expect-count 120 --expect-total 45000000",
    'batch submit payouts.csv --notify "./tell-the-checkers.sh"',
  ],
  args: {
    file: positional({
      summary: "A CSV file or a workbook (.xlsx); its first line names the columns.",
      read: neededText,
    }),
  },
  flags: { ...batchFormFlags, ...repeatFlags, ...notifyFlag },
  exits: ["setup"],
  run: ({ args, flags }, session) =>
    withApprovals(session, async (approvals) => {
      await refuseOwnFile("--save", session.result.save, batchInput(args.file), session);
      const journal = await session.journal("read");
      const plan = await planBatch(args.file, flags, session, {
        journal,
        isKnown: async (id) => (await approvals.find(id)) !== undefined,
        otherAccounts: await approvals.accounts(),
        allowsRepeats: flags.allowRepeats,
        asks: "nothing",
      });
      for (const warning of plan.check.warnings) await session.note(`Warning: ${warning}`);
      const { batch, before } = await roundOf(plan, approvals);
      const now = session.host.clock.now();
      if (before === undefined) await approvals.submit(await submissionOf(ignoringSignals(session.host), batch, now));
      const submitted = before ?? (await approvals.find(batch.id));
      // A redacted batch no longer has its file, but its id is made from the file's digest.
      const isSame = async (id: string) =>
        submitted?.isRedacted === true || (await approvals.contentDigest(id)) === plan.digest;
      if (submitted === undefined || !(await isSame(batch.id))) throw notOurs(batch.id);
      const { all } = plan.check;
      const said =
        before === undefined
          ? `${counted(all.count, "row")}, ${describe(all)}. Another person approves it: partner batch approve ${batch.id}`
          : `It was submitted before; its state is ${submitted.state}.`;
      if (submitted.state === "submitted")
        await notify(flags.notify, submitted, session, { totals: totalsOf(all, "json") });
      return submittedReport(submitted, said, totalsOf(all, session.format));
    }),
});

/**
 * A rejected or withdrawn batch stays so: the same file becomes another batch.
 * @returns before: the existing batch, where it still waits or was sent
 */
async function roundOf(
  plan: BatchPlan,
  approvals: Approvals,
): Promise<{ readonly batch: BatchPlan; readonly before: SubmittedBatch | undefined }> {
  let batch = plan;
  for (let round = 1; ; round += 1) {
    if (!(await approvals.isStopped(batch.id))) return { batch, before: await approvals.find(batch.id) };
    const form = { ...plan.form, round };
    batch = { ...plan, form, id: batchId(plan.digest, form, plan.scope) };
  }
}

function notOurs(id: string): Failure {
  return new Failure("usage", `Another person has submitted batch ${id} already; nothing was submitted.`, {
    hint: "This role may not see it; ask a checker what became of it.",
    money: "not moved",
  });
}
