import { readKeyFile } from "../../../app/approvals/signing/key-file.ts";
import { keyFields, keyRow } from "../../../app/approvals/signing/key-report.ts";
import { withApprovals } from "../../../app/approvals/submitted.ts";
import { command } from "../../../app/command.ts";
import { fingerprintOf } from "../../../approvals/signing/public-key.ts";
import { neededText, positional } from "../../../cli/line/input.ts";
import { Failure } from "../../../values/failure.ts";
import { quote } from "../../../values/text/text.ts";

export default command({
  summary: "Remove a key: its signatures no longer count, including the earlier ones.",
  description: "Its owner removes it, or the owner of the database. A removed key stays in the list and in history.",
  examples: ["approvals key remove SHA256:Zx3cVb9nMqWe5rTyUiOpAsDfGhJkLzXcVbNm1234567"],
  args: { key: positional({ summary: "Its fingerprint, or the file with its public half.", read: neededText }) },
  flags: {},
  exits: ["setup", "refused"],
  run: async ({ args }, session) => {
    const wanted = args.key.startsWith("SHA256:")
      ? args.key
      : fingerprintOf((await readKeyFile(args.key, session)).text);
    return withApprovals(session, async ({ keys }) => {
      const meant = (await keys.list()).filter(({ text }) => fingerprintOf(text) === wanted);
      const standing = meant.filter(({ removed }) => removed === undefined);
      const one = standing.find(({ isMine }) => isMine) ?? standing.at(-1) ?? meant.at(-1);
      if (one === undefined)
        throw new Failure("refused", `No key ${quote(wanted)} was registered.`, {
          hint: "See which there are: partner approvals key list",
        });
      if (one.removed === undefined) await keys.remove(one);
      const now = (await keys.list()).find(({ number }) => number === one.number) ?? one;
      const said = one.removed === undefined ? "Removed: its signatures no longer count." : "It was removed before.";
      return { shape: "record", columns: keyFields, record: keyRow(now), findings: () => ({ notes: [said] }) };
    });
  },
});
