import { personRules, rulesReport } from "../../app/approvals/rules-report.ts";
import { withApprovals } from "../../app/approvals/submitted.ts";
import { command } from "../../app/command.ts";

export default command({
  summary: "Show the rules of approval and their history.",
  description:
    "Each change says who set it, when, and what the rules were before and after. In JSON, rules, proposed and rows are one object. It needs no service and no credentials.",
  examples: ["approvals show", "approvals show --json"],
  args: {},
  flags: {},
  exits: ["setup"],
  run: (_, session) =>
    withApprovals(session, async ({ rules }) => {
      const report = session.showsPerson ? personRules : rulesReport;
      return report(await rules.history(), await rules.words(), await rules.deputies());
    }),
});
