import { extname } from "node:path";
import { refuseProtected } from "../../app/protected-folders.ts";
import { archiveName, saveArchive } from "../../app/journal/archive/file.ts";
import { archiveLines } from "../../app/journal/archive/lines.ts";
import { planArchive } from "../../app/journal/archive/plan.ts";
import { command } from "../../app/command.ts";
import { option, toggle } from "../../cli/line/input.ts";
import { followFile } from "../../movements/audit-file.ts";
import type { RecordReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";
import { counted } from "../../values/text/counted.ts";
import { namePath, pathWord } from "../../values/text/path-name.ts";
import { parseDay, startOfDayInDarEsSalaam } from "../../values/time/day.ts";

export default command({
  summary: "Move orders that are over, with their history, into a file that verifies by itself.",
  description:
    "Orders without a line of history since that day go to the file; open, pending and unknown ones stay. The file has the lines of history up to the last of those orders, each order with its answer, and a seal. The journal keeps each reference, whom it paid, and a hash of each line. So no reference is paid again, and every head that was noted still counts. A file is never written over. If it breaks off, run it again. On a shared journal only its owner archives.",
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
    const plan = await planArchive(journal, startOfDayInDarEsSalaam(before));
    if (plan.orders.size === 0) return report([`No order that is still here was over before ${before.toString()}.`]);
    const { size } = plan.orders;
    if (dryRun)
      return report([`Nothing was changed.`], { path, orders: size, lines: plan.end.count - plan.begin.count });
    await saveArchive(session.host, path, archiveLines(journal, plan));
    // The file is read back before anything is removed from the journal.
    const chain = await followFile(session.host, path);
    const orders = [...plan.orders].map(([id, hashes]) => ({ id, hashes }));
    const count = await journal.archive(orders, { name: archiveName(path), head: chain.head });
    if (count === 0)
      return report([
        `Another run archived these orders while ${namePath(path)} was written: it has nothing that is not elsewhere.`,
        `Remove it. The file to keep is named by partner journal show, for each of them.`,
      ]);
    const others = size - count;
    const notes = [
      ...(others === 0 ? [] : [`${counted(others, "order")} changed or went into another archive meanwhile.`]),
      `Keep the file, and note its head elsewhere: partner journal verify ${pathWord(path)} --head ${chain.head}`,
    ];
    return report(notes, { path, orders: count, lines: plan.end.count - plan.begin.count, head: chain.head });
  },
});

interface Done {
  readonly path: string;
  readonly orders: number;
  /** Lines of history. */
  readonly lines: number;
  readonly head?: string;
}

function report(notes: readonly string[], done?: Done): RecordReport {
  return {
    shape: "record",
    columns: [
      { name: "file", kind: "id" },
      { name: "orders", kind: "count" },
      { name: "lines", kind: "count", title: "lines of history" },
      { name: "head", kind: "id" },
    ],
    record: {
      file: done?.path ?? null,
      orders: Numeral.of(done?.orders ?? 0),
      lines: Numeral.of(done?.lines ?? 0),
      head: done?.head ?? null,
    },
    findings: () => ({ notes }),
  };
}
