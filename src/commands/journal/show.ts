import { command } from "../../app/command.ts";
import { anyText, positional } from "../../cli/line/input.ts";
import { eventFields, eventRow, exportedFields, exportedRow } from "../../movements/journal-report.ts";
import { maskedParts } from "../../movements/masked-parts.ts";
import { theMovement } from "../../movements/movement-search.ts";

export default command({
  summary: "Show one order with its whole history.",
  examples: ["journal show SAL-2026-40", "journal show 9b2e6c1e-52e5-4c6c-8c6f-6b8f1f7f2f10 --json"],
  args: { key: positional({ summary: "The order's reference, its id, or how the id begins.", read: anyText }) },
  flags: {},
  exits: ["setup", "refused"],
  async run({ args }, session) {
    const journal = await session.journal("read");
    const movement = await theMovement(journal, args.key);
    const history = await journal.events(movement.id);
    return {
      shape: "record",
      columns: [...exportedFields, { name: "history", kind: "text" }],
      lists: { history: eventFields },
      record: {
        ...exportedRow(movement),
        ...(session.showsPerson ? maskedParts(movement) : {}),
        history: history.map(eventRow),
      },
    };
  },
});
