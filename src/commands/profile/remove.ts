import { command } from "../../app/command.ts";
import { neededText, positional, toggle } from "../../cli/line/input.ts";
import { confirmRemoval } from "../../app/profiles/editing.ts";
import { editReport } from "../../app/profiles/report.ts";
import { removeProfile } from "../../profiles/edit.ts";

export default command({
  summary: "Remove a profile and its secrets.",
  description: "On a terminal it asks first; --yes answers for you.",
  examples: ["profile remove shop", "profile remove shop --yes"],
  args: { name: positional({ summary: "The profile.", read: neededText }) },
  flags: { yes: toggle({ char: "y", summary: "Remove it without asking." }) },
  exits: ["setup"],
  async run({ args, flags }, session) {
    if (session.canAsk && !flags.yes) await confirmRemoval(args.name, session);
    const removed = await removeProfile(session.host, args.name);
    if (!session.showsPerson) return editReport(removed);
    return { shape: "file", isProse: true, content: sentence(args.name), findings: () => ({ notes: removed.notes }) };
  },
});

async function* sentence(name: string): AsyncGenerator<string> {
  yield `Removed the profile ${name}.\n`;
}
