import { batchFormFlags, repeatFlags } from "../../app/batch/flags.ts";
import { knownBatches } from "../../app/batch/known-batch.ts";
import { planBatch } from "../../app/batch/plan.ts";
import { totalsOf } from "../../app/batch/words.ts";
import { command } from "../../app/command.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { batchInput, refuseOwnFile } from "../../app/output-guard.ts";
import { describe } from "../../movements/batch/expectation.ts";
import { counted } from "../../values/text/counted.ts";
import { Numeral } from "../../values/json.ts";

export default command({
  summary: "Check a whole batch without sending any of it.",
  description:
    "Every fault of every row is named with its line and column. It looks at form, at damage by spreadsheets, and at repeated or used references. It also looks at the profile's limits, and at the service's wallets and institutions.",
  examples: [
    "batch check salaries.csv --kind transfer --from 9000112233",
    "batch check payouts.csv --expect-count 120 --expect-total TZS=45000000",
  ],
  args: {
    file: positional({
      summary: "A CSV file or a workbook (.xlsx); its first line names the columns.",
      read: neededText,
    }),
  },
  flags: { ...batchFormFlags, ...repeatFlags },
  exits: ["setup"],
  async run({ args, flags }, session) {
    await refuseOwnFile("--save", session.result.save, batchInput(args.file), session);
    const journal = await session.journal("read", { account: await session.accountScope() });
    const plan = await planBatch(args.file, flags, session, {
      journal,
      isKnown: knownBatches(journal, session),
      allowsRepeats: flags.allowRepeats,
      asks: "patiently",
    });
    const { all, toSend, doneCount, unknownCount, warnings } = plan.check;
    for (const note of plan.notes) await session.note(note);
    for (const warning of warnings) await session.note(`Warning: ${warning}`);
    return {
      shape: "record",
      isRead: true,
      columns: [
        { name: "batch", kind: "id" },
        { name: "file", kind: "text" },
        { name: "rows", kind: "count" },
        { name: "totals", kind: "text" },
        { name: "toSend", kind: "count", title: "to send" },
        { name: "done", kind: "count" },
        { name: "unknown", kind: "count" },
      ],
      record: {
        batch: plan.id,
        file: plan.file,
        rows: Numeral.of(all.count),
        totals: totalsOf(all, session.format),
        toSend: Numeral.of(toSend.count),
        done: Numeral.of(doneCount),
        unknown: Numeral.of(unknownCount),
      },
      findings: () => ({ notes: [`${counted(all.count, "row")}, ${describe(all)}; nothing was sent.`] }),
    };
  },
});
