import { closeMonth } from "../app/close/close.ts";
import { closeProfiles } from "../app/close/close-profiles.ts";
import { closeFlags } from "../app/close/close-flags.ts";
import { command } from "../app/command.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { listFormats } from "../report/file-format.ts";

export default command({
  summary: "Close a month: read it, prove it, and write a folder with all of it.",
  description:
    "It reads what is new into the ledger and proves every account. Each balance follows from the one before, and each account opens with what the last close left. The folder has every statement, close.xlsx, close.html and manifest.json with the SHA-256 of each file. Where book.path of the profile names books, each account is reconciled. The folder appears whole or not at all, and the same month gives the same bytes.\n\nIt ends with 0 only when every proof holds, else with 9. A late row in a closed month is named by the next close and by ledger status. If the month itself has changed since its close, closing it again names what changed. That ends with 9 once.",
  examples: [
    "close --month 2026-10",
    "close --month 2026-10 --to books/2026-10 --formats xlsx,ofx",
    "close --month 2026-10 --check",
  ],
  args: {},
  flags: closeFlags,
  fileFormats: listFormats,
  exits: [...readingEndsIn, "mismatch"],
  run: ({ flags }, session) => (flags.allProfiles ? closeProfiles(session, flags) : closeMonth(session, flags)),
});
