import { command } from "../../app/command.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { editReport } from "../../app/profiles/report.ts";
import { useProfile } from "../../profiles/edit.ts";

export default command({
  summary: "Choose the profile that is used when none is named.",
  examples: ["profile use shop"],
  args: { name: positional({ summary: "The profile.", read: neededText }) },
  flags: {},
  exits: ["setup"],
  async run({ args }, { host }) {
    return editReport(await useProfile(host, args.name));
  },
});
