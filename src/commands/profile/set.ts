import { command } from "../../app/command.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { secretsFrom } from "../../app/profiles/flags.ts";
import { givenSecrets } from "../../app/profiles/questions.ts";
import { changeByQuestions } from "../../app/profiles/editing.ts";
import { notingRename } from "../../app/profiles/renamed-account.ts";
import { editReport } from "../../app/profiles/report.ts";
import { keyList, setProfile } from "../../profiles/change.ts";

export default command({
  summary: "Change values of a profile, or its secrets.",
  description: `The keys are ${keyList}. An empty value removes an optional one: accountBaseUrl=. Limits are in TZS, others name their currency: limit.day=5000000,USD=500. allow.to lists wallets, mobile numbers and CODE:ACCOUNT for remittances. Secrets come from a file or stdin, never from the command line. With the name alone it asks, on a terminal, what to change.`,
  examples: [
    "profile set shop",
    "profile set shop accountId=vendor-8 callbackUrl=https://hooks.example/partner",
    "profile set shop limit.transfer=5000000,USD=500 allow.to=9000112244,CORUTZTZ:0150123456",
    "profile set shop --secrets-from - < secrets.json",
  ],
  args: { name: positional({ summary: "The profile.", read: neededText }) },
  flags: { secretsFrom },
  rest: "KEY=VALUE...",
  exits: ["setup"],
  async run({ args, flags, rest }, session) {
    if (rest.length === 0 && flags.secretsFrom === undefined && session.canAsk) {
      const answered = await changeByQuestions(args.name, session);
      if (answered === undefined) return undefined;
      const outcome = await notingRename(session, { ...answered.outcome, notes: [] });
      return { ...editReport(outcome), findings: () => ({ notes: outcome.notes, carried: answered.left }) };
    }
    const secrets = flags.secretsFrom === undefined ? undefined : await givenSecrets(flags.secretsFrom, session);
    const outcome = await setProfile(session.host, { name: args.name, changes: rest, secrets });
    return editReport(await notingRename(session, outcome));
  },
});
