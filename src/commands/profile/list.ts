import { command } from "../../app/command.ts";
import { listProfiles } from "../../profiles/describe.ts";

export default command({
  summary: "List the profiles; the current one is used when none is named.",
  examples: ["profile list", "profile list --output csv"],
  args: {},
  flags: {},
  exits: ["setup"],
  async run(_, { host }) {
    const profiles = await listProfiles(host);
    return {
      shape: "rows",
      columns: [
        { name: "name", kind: "id", title: "profile" },
        { name: "current", kind: "flag" },
        { name: "environment", kind: "id" },
        { name: "baseUrl", kind: "text", title: "base URL" },
        { name: "accountId", kind: "id", title: "account id" },
        { name: "secretStore", kind: "id", title: "secrets" },
      ],
      rows: profiles.map(({ isCurrent, ...profile }) => ({ ...profile, current: isCurrent })),
      whenEmpty: "There is no profile yet. Make one: partner profile add NAME",
    };
  },
});
