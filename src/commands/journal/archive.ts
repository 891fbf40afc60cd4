import { extname } from "node:path";
import { refuseProtected } from "../../app/protected-folders.ts";
import { lockArchive } from "../../app/journal/archive/file.ts";
import { archiveOrders, lookAtArchive } from "../../app/journal/archive/run.ts";
import { command } from "../../app/command.ts";
import { option, toggle } from "../../cli/line/input.ts";
import { Failure } from "../../values/failure.ts";
import { parseDay } from "../../values/time/day.ts";

export default command({
  summary: "Move orders that are over, with their history, into a file that verifies by itself.",
  description:
    "Orders without a line of history since that day go to the file; open, pending and unknown ones stay. The file has the lines of history up to the last of those orders, each order with its answer, and a seal. The journal keeps each reference, whom it paid, and a hash of each line. So no reference is paid again, and every head that was noted still counts. A file is never overwritten. If it breaks off, run it again. On a shared journal only its owner archives.",
  examples: ["journal archive --before 2025-01-01", "journal archive --before 2025-01-01 --save 2024.ndjson"],
  args: {},
  flags: {
    before: option({ value: "YYYY-MM-DD", summary: "Archive orders that were over before this day.", read: parseDay }),
    dryRun: toggle({ char: "n", summary: "Say what would be archived, and change nothing." }),
  },
  exits: ["setup", "unavailable", "mismatch"],
  async run({ flags }, session) {
    const { before, dryRun } = flags;
    if (before === undefined)
      throw new Failure("usage", "--before is missing: the day before which orders are archived.", {
        hint: "For a year: partner journal archive --before 2025-01-01",
      });
    const path = session.result.save ?? `journal-before-${before.toString()}.ndjson`;
    if (extname(path).toLowerCase() === ".csv")
      throw new Failure(
        "usage",
        "An archive has a JSON object a line, which a CSV file cannot hold; nothing was archived.",
        {
          hint: "End the name in .ndjson: --save journal.ndjson",
        },
      );
    await refuseProtected(path, "--save", session.host);
    session.saveAs(undefined);
    const journal = await session.journal(dryRun ? "read" : "write");
    const asked = { path, before };
    if (dryRun) return lookAtArchive(journal, asked);
    const release = await lockArchive(session.host, path);
    try {
      return await archiveOrders(session.host, journal, asked);
    } finally {
      await release();
    }
  },
});
