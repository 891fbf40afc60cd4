import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { anyText, optionalPositional } from "../../cli/line/input.ts";
import { checkGroups, groupsFailure } from "../../app/profiles/group-check.ts";

export default command({
  summary: "Try a profile's credentials: one harmless read for each group of endpoints that it has.",
  examples: ["profile check", "profile check shop"],
  args: { name: optionalPositional({ summary: "The profile (default: the current one).", read: anyText }) },
  flags: {},
  exits: readingEndsIn,
  async run({ args }, session) {
    session.useProfile(args.name);
    const checks = await checkGroups(session);
    const failure = groupsFailure(checks);
    if (failure !== undefined) throw failure;
    return {
      shape: "rows",
      columns: [
        { name: "group", kind: "id", role: "what" },
        { name: "credentials", kind: "text", role: "what" },
        { name: "result", kind: "text", role: "state" },
      ],
      rows: checks.map(({ group, credentials, result }) => ({ group, credentials, result: String(result) })),
      whenEmpty: "There is nothing to check.",
    };
  },
});
