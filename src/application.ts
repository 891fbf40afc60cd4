import { catalog } from "./catalog.ts";
import type { Application } from "./cli/application.ts";
import { statementFormats } from "./statements/formats/encoders.ts";

/** What the framework of commands runs: the commands of a payments partner. */
export const application: Application = {
  catalog,
  aliases: { "wallet:list": "wallets:list" },
  withoutAccount: [
    "profile:add",
    "profile:list",
    "profile:use",
    "profile:set",
    "profile:remove",
    "simulator:",
    "completion",
    "schema",
    "batch:template",
    "remit:template",
  ],
  ofProfile: ["profile:check", "profile:show"],
  topics: async () => (await import("./app/help/topics.ts")).topics,
  groups: async () => (await import("./app/help/command-groups.ts")).commandGroups,
  fileFormats: statementFormats,
  names: {
    async profiles(host) {
      const { readSettings } = await import("./profiles/settings/settings.ts");
      return Object.keys((await readSettings(host)).profiles).map((word) => ({ word }));
    },
    wallets: async (host, profile) => (await import("./app/seen/names.ts")).accountsKnown(host, profile),
    nicknames: async (host, profile) => (await import("./app/seen/names.ts")).nicknamesKnown(host, profile),
    orders: async (host, profile) => (await import("./app/seen/names.ts")).ordersSeen(host, profile),
  },
};
