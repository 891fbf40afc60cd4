import { command } from "../../app/command.ts";
import { neededText, positional, toggle } from "../../cli/line/input.ts";
import { offerCheck } from "../../app/profiles/editing.ts";
import { profileFlags, profileValues, secretsFrom } from "../../app/profiles/flags.ts";
import { askForSecrets, askForValues, givenSecrets } from "../../app/profiles/questions.ts";
import { notingRename } from "../../app/profiles/renamed-account.ts";
import { editReport } from "../../app/profiles/report.ts";
import { noteVariablesBefore, secretsInVariables } from "../../app/profiles/secret-variables.ts";
import { addProfile, checkNewName } from "../../profiles/edit.ts";

export default command({
  summary: "Add a profile: where the service is, and your credentials.",
  description:
    "On a terminal it asks for what the flags leave out. In a script the secrets come from --secrets-from or from PARTNER_SECRET_KEY, PARTNER_ACCESS_TOKEN and PARTNER_WEBHOOK_KEY. The first profile becomes the current one.",
  examples: [
    "profile add shop",
    "profile add shop --environment live --base-url https://api.example/tembo/v1 --account-id vendor-7 --secrets-from - < secrets.json",
  ],
  args: { name: positional({ summary: "Its name: lower-case letters, digits and dashes.", read: neededText }) },
  flags: { ...profileFlags, secretsFrom, replace: toggle({ summary: "Replace the profile of that name." }) },
  exits: ["setup"],
  async run({ args, flags }, session) {
    const { host } = session;
    await checkNewName(host, args.name, flags.replace);
    const given = profileValues(flags);
    const asks = session.canAsk && flags.secretsFrom !== "-";
    const values = asks ? await askForValues(given, await host.prompts()) : { secretStore: "file", ...given };
    const found =
      flags.secretsFrom === undefined
        ? await secretsInVariables(values, asks, session)
        : await givenSecrets(flags.secretsFrom, session);
    const keeps = values.secretStore !== "command";
    const secrets = asks && keeps ? await askForSecrets(found, await host.prompts()) : found;
    const added = await addProfile(host, {
      name: args.name,
      values,
      secrets: keeps || flags.secretsFrom !== undefined ? secrets : {},
      replace: flags.replace,
    });
    await noteVariablesBefore(args.name, session);
    const isCheckable = !keeps || secrets.secretKey !== undefined || secrets.accessToken !== undefined;
    const next = asks && isCheckable ? await offerCheck(args.name, session) : [];
    const outcome = flags.replace ? await notingRename(session, added) : added;
    return editReport({ ...outcome, notes: [...outcome.notes, ...next] });
  },
});
