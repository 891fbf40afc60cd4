import { batchEnding } from "../../cli/batch/ending.ts";
import { countRows } from "../../cli/batch/rows.ts";
import { countOf } from "../../cli/batch/words.ts";
import { lookUpBatch } from "../../cli/batch/lookup.ts";
import { command } from "../../cli/command.ts";
import { anyText, positional } from "../../cli/input.ts";
import { rowStates } from "../../movements/batch/result.ts";

export default command({
  summary: "Tell how far a batch has come.",
  description:
    "It needs no service and no credentials: the journal knows. It ends as the batch would: 6 where a row is unknown, 8 where rows are left to do, 0 where all are done.",
  examples: ["batch status 0f3a9c52d41b7e86", "batch status 0f3a9c52d41b7e86 --json"],
  args: { id: positional({ summary: "The batch's id, as it was said when it was run.", read: anyText }) },
  flags: {},
  exits: ["setup", "refused", "unavailable", "unknown", "incomplete"],
  async run({ args }, session) {
    const batch = await lookUpBatch(args.id, session);
    const counts = await countRows(batch, { journal: await session.journal("read") }, session);
    return {
      shape: "record",
      columns: [
        { name: "batch", kind: "id" },
        { name: "file", kind: "text" },
        { name: "rows", kind: "count" },
        ...rowStates.map((name) => ({ name, kind: "count" }) as const),
      ],
      record: {
        batch: batch.id,
        file: batch.file,
        rows: countOf(counts.total),
        ...Object.fromEntries(rowStates.map((state) => [state, countOf(counts.of(state))])),
      },
      findings: () => ({ notes: [], carried: batchEnding(batch.id, counts) }),
    };
  },
});
