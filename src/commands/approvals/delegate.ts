import { withApprovals } from "../../app/approvals/submitted.ts";
import { command } from "../../app/command.ts";
import { neededText, requiredOption } from "../../cli/line/input.ts";
import { parseDay } from "../../values/time/day.ts";

export default command({
  summary: "Have a deputy decide for you until a day (as a checker).",
  description:
    "The deputy is another person's role, in any group of partner. Until that day ends in Dar es Salaam, the deputy's decision is yours, and you count as one person. Run the command again to change the day.",
  examples: ["approvals delegate --to zuri --until 2026-12-31"],
  args: {},
  flags: {
    to: requiredOption({ value: "USER", summary: "The deputy's role in the database.", read: neededText }),
    until: requiredOption({ value: "DAY", summary: "The last day of the delegation.", read: parseDay }),
  },
  exits: ["setup"],
  run: ({ flags: { to, until } }, session) =>
    withApprovals(session, async ({ rules }) => {
      await rules.delegate(to, until.toString());
      const deputy = (await rules.deputies()).findLast((each) => each.to === to);
      return {
        shape: "record",
        columns: [
          { name: "by", kind: "id", role: "who" },
          { name: "to", kind: "id", role: "who" },
          { name: "until", kind: "time", role: "when" },
        ],
        record: { by: deputy?.by ?? null, to, until: until.toString() },
        findings: () => ({ notes: [`Until the end of ${until.toString()}, ${to} decides in your place.`] }),
      };
    }),
});
