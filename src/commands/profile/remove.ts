import { command } from "../../app/command.ts";
import { anyText, positional } from "../../cli/line/input.ts";
import { edited } from "../../app/profiles/report.ts";
import { removeProfile } from "../../profiles/edit.ts";

export default command({
  summary: "Remove a profile and its secrets.",
  examples: ["profile remove shop"],
  args: { name: positional({ summary: "The profile.", read: anyText }) },
  flags: {},
  exits: ["setup"],
  async run({ args }, { host }) {
    return edited(await removeProfile(host, args.name));
  },
});
