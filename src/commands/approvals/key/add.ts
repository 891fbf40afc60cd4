import { rememberKey } from "../../../app/approvals/signing/sign.ts";
import { readKeyFile } from "../../../app/approvals/signing/key-file.ts";
import { keyFields, keyRow } from "../../../app/approvals/signing/key-report.ts";
import { withApprovals } from "../../../app/approvals/submitted.ts";
import { command } from "../../../app/command.ts";
import { neededText, positional } from "../../../cli/line/input.ts";
import { Failure } from "../../../values/failure.ts";

export default command({
  summary: "Register your SSH key, to sign approvals with it (as a checker).",
  description:
    "The key belongs to the database role that registers it. partner batch approve --sign then signs with it. Its path is kept; the private half never leaves the file. A hardware key (sk-ssh-ed25519@openssh.com) and a key in an agent work as well.",
  examples: ["approvals key add ~/.ssh/id_ed25519.pub"],
  args: { file: positional({ summary: "The public half of the key (.pub).", read: neededText }) },
  flags: {},
  exits: ["setup"],
  run: async ({ args }, session) => {
    const key = await readKeyFile(args.file, session);
    return withApprovals(session, async ({ keys }) => {
      const isIt = (all: Awaited<ReturnType<typeof keys.list>>) =>
        all.findLast(({ text, isMine, removed }) => text === key.text && isMine && removed === undefined);
      const before = isIt(await keys.list());
      if (before === undefined) await keys.add(key);
      const now = isIt(await keys.list());
      if (now === undefined) throw new Failure("setup", "The key was not registered.");
      await rememberKey(args.file, session);
      const said =
        before === undefined
          ? "Registered. Sign with it: partner batch approve ID --sign"
          : "It was registered before.";
      return { shape: "record", columns: keyFields, record: keyRow(now), findings: () => ({ notes: [said] }) };
    });
  },
});
