import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { lookUpBatch } from "../../app/batch/lookup.ts";
import { batchRows } from "../../app/batch/rows.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { command } from "../../app/command.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "Show the rows of a batch again, with what became of each.",
  description:
    "The columns are those of its file and state, id, requestId, transactionId, message. It needs no service and no credentials. The file is kept beside the journal or in the shared one. The journal knows the rest, also after a crash.",
  examples: ["batch report 0f3a9c52d41b7e86", "batch report 0f3a9c52d41b7e86 --save outcome.csv"],
  args: { id: batchIdArgument },
  flags: whereFlag,
  fileFormats: listFormats,
  exits: ["setup", "refused"],
  async run({ args, flags }, session) {
    const batch = await lookUpBatch(args.id, session);
    const report = await batchRows(batch, { journal: await session.journal("read") }, session);
    return (await rowFilter(flags.where, report.columns))?.chosen(report) ?? report;
  },
});
