import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { asOfFlag } from "../../app/ledger/as-of.ts";
import { ledgerStatus } from "../../app/ledger/status.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "Prove that no row of the ledger is missing, account by account.",
  description:
    "An account is proved when each balance follows from the one before, and the last one is the service's now. It is broken when a balance does not follow: breaksAt names the row. It is unsynced when the service has moved on since the last sync. Ends with 9 unless all are proved.",
  examples: ["ledger status", "ledger status --json", "ledger status --as-of 2026-10-31T23:59:59+03:00"],
  args: {},
  flags: { ...asOfFlag },
  fileFormats: listFormats,
  exits: [...readingEndsIn, "mismatch"],
  run: ({ flags }, session) => ledgerStatus(session, flags.asOf),
});
