import { notify, notifyFlag } from "../../app/approvals/notify.ts";
import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { waitForEnd } from "../../app/approvals/waiting.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { command } from "../../app/command.ts";
import { option } from "../../cli/line/input.ts";
import { parseDuration } from "../../values/time/duration.ts";

export default command({
  summary: "Wait until a submitted batch is done, or until nothing more comes of it.",
  description:
    "The shared journal says when something happens. It ends with 0 when the batch is done, and with 7 when the time ran out. It ends with 4 when the batch was rejected or withdrawn, or has expired. It needs no service and no credentials.",
  examples: ["batch wait 0f3a9c52d41b7e86", 'batch wait 0f3a9c52d41b7e86 --for 1h --notify "./tell-the-maker.sh"'],
  args: { id: batchIdArgument },
  flags: {
    for: option({
      value: "1h",
      summary: "How long to wait at most (default: until the batch is finished).",
      read: (text, name) => parseDuration(text, name, "1h"),
    }),
    ...notifyFlag,
  },
  exits: ["setup", "refused", "pending"],
  run: ({ args, flags }, session) =>
    withApprovals(session, async (approvals) => {
      const { id } = await findSubmitted(approvals, args.id);
      const { batch, ending } = await waitForEnd(id, approvals, flags.for, session);
      await notify(flags.notify, batch, session);
      return { ...submittedReport(batch, ""), findings: () => ({ notes: [], carried: ending }) };
    }),
});
