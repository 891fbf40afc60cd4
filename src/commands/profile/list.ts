import { rowFilter, whereFlag } from "../../app/where.ts";
import { command } from "../../app/command.ts";
import type { RowsReport } from "../../report/report.ts";
import { noProfileYet } from "../../profiles/chosen-profile.ts";
import { listProfiles } from "../../profiles/describe.ts";

export default command({
  summary: "List the profiles; the current one is used when none is named.",
  examples: ["profile list", "profile list --output csv"],
  args: {},
  flags: whereFlag,
  exits: ["setup"],
  async run({ flags }, { host }) {
    const profiles = await listProfiles(host);
    const report: RowsReport = {
      shape: "rows",
      columns: [
        { name: "name", kind: "id", title: "profile", role: "what" },
        { name: "current", kind: "flag", role: "state" },
        { name: "environment", kind: "id", role: "what" },
        { name: "baseUrl", kind: "text", title: "base URL", role: "detail" },
        { name: "accountId", kind: "id", title: "account id", role: "who" },
        { name: "secretStore", kind: "id", title: "secrets", role: "detail" },
      ],
      rows: profiles.map(({ isCurrent, ...profile }) => ({ ...profile, current: isCurrent })),
      whenEmpty: `${noProfileYet(host)} Make one: partner profile add NAME`,
    };
    return (await rowFilter(flags.where, report.columns))?.chosen(report) ?? report;
  },
});
