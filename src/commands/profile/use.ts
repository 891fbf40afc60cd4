import { command } from "../../app/command.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { editReport } from "../../app/profiles/report.ts";
import { noteVariablesBefore } from "../../app/profiles/secret-variables.ts";
import { useProfile } from "../../profiles/edit.ts";

export default command({
  summary: "Choose the profile that is used when none is named.",
  examples: ["profile use shop"],
  args: { name: positional({ summary: "The profile.", read: neededText }) },
  flags: {},
  exits: ["setup"],
  async run({ args }, session) {
    const used = await useProfile(session.host, args.name);
    await noteVariablesBefore(used.name, session);
    return editReport(used);
  },
});
