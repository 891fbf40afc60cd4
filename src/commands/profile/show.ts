import { command } from "../../app/command.ts";
import { anyText, optionalPositional } from "../../cli/line/input.ts";
import { describeProfile } from "../../profiles/describe.ts";

export default command({
  summary: "Show the values that a command would use now, and where each one comes from.",
  description:
    "Secrets are masked. Variables override the profile, unless you name one: then its whole account is used. Variables without a profile have no limits.",
  examples: ["profile show", "profile show shop --json"],
  args: { name: optionalPositional({ summary: "The profile (default: the current one).", read: anyText }) },
  flags: {},
  exits: ["setup"],
  async run({ args }, session) {
    session.useProfile(args.name);
    await session.noteSetAside();
    const values = await describeProfile(session.host, session.profileFlag);
    return {
      shape: "rows",
      columns: [
        { name: "name", kind: "id", role: "what" },
        { name: "value", kind: "text", role: "what", whole: true },
        { name: "source", kind: "id", role: "state" },
      ],
      rows: values.map(({ name, value, source }) => ({ name, value: value ?? null, source })),
      whenEmpty: "There is nothing to show.",
    };
  },
});
