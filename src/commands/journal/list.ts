import { command } from "../../cli/command.ts";
import { toggle } from "../../cli/input.ts";
import { isFiltered, journalFilter, journalFilterFlags } from "../../cli/journal/filter-flags.ts";
import { inBatches, listedFields } from "../../movements/journal-report.ts";
import { movementRow } from "../../movements/movement-report.ts";
import { counted } from "../../values/counted.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "List the orders to move money that the journal knows, oldest first.",
  description:
    "It needs no service and no credentials. With --profile it shows the orders of that profile's account alone.",
  examples: [
    "journal list",
    "journal list --state unknown --fail-if-any --quiet",
    "journal list --since 2026-10-01 --csv",
  ],
  args: {},
  flags: {
    ...journalFilterFlags,
    failIfAny: toggle({ summary: "End with 6 when there is any: for cron." }),
  },
  exits: ["setup", "unknown"],
  async run({ flags }, session) {
    const journal = await session.journal("read");
    const filter = await journalFilter(flags, session);
    let count = 0;
    return {
      shape: "rows",
      columns: listedFields,
      rows: inBatches(journal.list(filter), movementRow, () => (count += 1)),
      whenEmpty: isFiltered(flags, session) ? "The journal has no such order." : "The journal has no order yet.",
      findings: () => ({
        notes: [],
        carried: flags.failIfAny && count > 0 ? found(count, flags.state?.includes("unknown") !== false) : undefined,
      }),
    };
  },
});

function found(count: number, mayHaveMoved: boolean): Failure {
  return new Failure("unknown", `The journal has ${counted(count, "such order")}.`, {
    hint: "Find out what happened to them: partner journal resolve --all",
    money: mayHaveMoved ? "unknown" : "none",
  });
}
