import { command } from "../app/command.ts";
import { toggle } from "../cli/line/input.ts";
import { openChosenJournal } from "../app/journal/choice.ts";
import { rowFilter, whereFlag } from "../app/where.ts";
import type { Session } from "../app/session.ts";
import { checkFields } from "../doctor/check.ts";
import type { ExamineOptions } from "../doctor/examine.ts";
import { examine } from "../doctor/examine.ts";
import type { RowsReport } from "../report/report.ts";
import { Failure } from "../values/failure.ts";

export default command({
  summary: "Check what commands need: folders, journal, profile, credentials, proxy, certificates, service, clock.",
  description:
    "Nothing is changed, and no secret is shown. It works without a profile and without a network: whatever is missing is then a row of the result. It ends with 3 when no order may leave with the journal, such as an outdated one.",
  examples: ["doctor", "doctor --profile shop", "doctor --strict --json"],
  args: {},
  flags: { ...whereFlag, strict: toggle({ summary: "End with 9 when there is a problem; warnings don't count." }) },
  exits: ["setup", "mismatch"],
  async run({ flags }, session) {
    const filter = await rowFilter(flags.where, checkFields);
    await session.noteSetAside();
    const { checks, refusal } = await examine(optionsOf(session));
    const problems = checks.filter(({ result }) => result === "problem").map(({ check }) => check);
    const report: RowsReport = {
      shape: "rows",
      columns: checkFields,
      rows: checks,
      whenEmpty: "Nothing was checked.",
      findings: () => ({
        notes: [],
        carried: refusal ?? (flags.strict && problems.length > 0 ? unwell(problems) : undefined),
      }),
    };
    return filter?.chosen(report) ?? report;
  },
});

/** What doctor examines, before any account is known to be valid. */
function optionsOf(session: Session): ExamineOptions {
  const { host, program, profileFlag, timeoutMs, journalChoice } = session;
  return {
    host,
    nodeRange: program.nodeRange,
    profile: profileFlag,
    certificates: journalChoice.certificates,
    timeoutMs,
    openProbe: () => session.openProbe(),
    openJournal: async (warn) => {
      const account = await session.accountScope().catch(() => undefined);
      const options = { use: "read", examines: true, looksAtRefusal: true, account, warn } as const;
      return openChosenJournal(journalChoice, options);
    },
    hide: journalChoice.hide,
  };
}

function unwell(problems: readonly string[]): Failure {
  const count = problems.length === 1 ? "There is a problem" : `There are ${problems.length} problems`;
  return new Failure("mismatch", `${count}: ${problems.join(", ")}.`, { hint: "Each row says what to do about it." });
}
