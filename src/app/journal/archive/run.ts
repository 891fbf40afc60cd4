import type { Host } from "../../../host/host.ts";
import type { Journal } from "../../../journal/journal.ts";
import { followFile } from "../../../movements/audit-file.ts";
import type { RecordReport } from "../../../report/report.ts";
import { Numeral } from "../../../values/json.ts";
import { counted } from "../../../values/text/counted.ts";
import { namePath, pathWord } from "../../../values/text/path-name.ts";
import type { Day } from "../../../values/time/day.ts";
import { startOfDayInDarEsSalaam } from "../../../values/time/day.ts";
import { archiveName, saveArchive } from "./file.ts";
import { archiveLines } from "./lines.ts";
import { planArchive } from "./plan.ts";

interface ArchiveAsked {
  readonly path: string;
  readonly before: Day;
}

/** What would be archived. */
export async function lookAtArchive(journal: Journal, { path, before }: ArchiveAsked): Promise<RecordReport> {
  const { orders, begin, end } = await planArchive(journal, startOfDayInDarEsSalaam(before));
  if (orders.size === 0) return nothingOver(before);
  return report([`Nothing was changed.`], { path, orders: orders.size, lines: end.count - begin.count });
}

/**
 * Archives orders into a file that this run has locked.
 * @throws {Failure} usage | setup | unavailable | mismatch
 */
export async function archiveOrders(
  host: Host,
  journal: Journal,
  { path, before }: ArchiveAsked,
): Promise<RecordReport> {
  const plan = await planArchive(journal, startOfDayInDarEsSalaam(before));
  const { size } = plan.orders;
  if (size === 0) return nothingOver(before);
  await saveArchive(host, path, archiveLines(journal, plan));
  // The file is read back before anything is removed from the journal.
  const chain = await followFile(host, path);
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
}

function nothingOver(before: Day): RecordReport {
  return report([`No order that is still here was over before ${before.toString()}.`]);
}

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
