import { command } from "../../app/command.ts";
import { allProfilesFlag } from "../../cli/common-flags.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { asOfFlag } from "../../app/ledger/as-of.ts";
import { ledgerStatus, statusColumns } from "../../app/ledger/status.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "Prove that no row of the ledger is missing, account by account.",
  description:
    "An account is proved if its balances follow from each other, up to the service's current balance. It is broken when a balance does not follow: breaksAt names the row. It is unsynced when the service has moved on since the last sync. Ends with 9 unless all are proved.",
  examples: [
    "ledger status",
    "ledger status --all-profiles",
    "ledger status --json",
    "ledger status --as-of 2026-10-31T23:59:59+03:00",
  ],
  args: {},
  flags: { ...asOfFlag, ...allProfilesFlag, ...whereFlag },
  fileFormats: listFormats,
  exits: [...readingEndsIn, "mismatch"],
  async run({ flags }, session) {
    const filter = await rowFilter(flags.where, statusColumns(flags.allProfiles));
    const report = await ledgerStatus(session, flags);
    return filter?.chosen(report) ?? report;
  },
});
