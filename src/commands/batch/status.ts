import { countCells, countFields } from "../../app/batch/counts.ts";
import { batchEnding } from "../../app/batch/ending.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { lookUpBatch } from "../../app/batch/lookup.ts";
import { countRows } from "../../app/batch/rows.ts";
import { command } from "../../app/command.ts";
import { Numeral } from "../../values/json.ts";

export default command({
  summary: "Show how far a batch has got.",
  description:
    "It needs no service and no credentials: the journal knows. It ends as the batch would: 6 if a row is unknown, 8 if rows are left, else 0.",
  examples: ["batch status 0f3a9c52d41b7e86", "batch status 0f3a9c52d41b7e86 --json"],
  args: { id: batchIdArgument },
  flags: {},
  exits: ["setup", "refused", "unknown", "incomplete"],
  async run({ args }, session) {
    const batch = await lookUpBatch(args.id, session);
    const counts = await countRows(batch, { journal: await session.journal("read") }, session);
    return {
      shape: "record",
      columns: [
        { name: "batch", kind: "id" },
        { name: "file", kind: "text" },
        { name: "rows", kind: "count" },
        ...countFields,
      ],
      record: {
        batch: batch.id,
        file: batch.file,
        rows: Numeral.of(counts.total),
        ...countCells(counts),
      },
      findings: () => ({ notes: [], carried: batchEnding(batch.id, counts) }),
    };
  },
});
