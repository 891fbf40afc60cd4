import { counted } from "../values/text/counted.ts";
import { namePath } from "../values/text/path-name.ts";
import type { Batches, Report, RowsReport } from "./report.ts";

/** The report, and a note for people once its file is written; no note without `--save`. */
export function savedNote(
  report: Report,
  save: string | undefined,
): { readonly report: Report; readonly note: () => readonly string[] } {
  if (save === undefined) return { report, note: () => [] };
  const file = namePath(save);
  if (report.shape !== "rows") return { report, note: () => [`Wrote ${file}.`] };
  let count = 0;
  const rows = counting(report.rows, (more) => (count += more));
  return { report: { ...report, rows }, note: () => [`Wrote ${counted(count, "row")} to ${file}.`] };
}

function counting(rows: RowsReport["rows"], add: (count: number) => void): RowsReport["rows"] {
  if (!Array.isArray(rows)) return eachCounted(rows, add);
  add(rows.length);
  return rows;
}

async function* eachCounted(rows: RowsReport["rows"], add: (count: number) => void): Batches {
  for await (const batch of rows) {
    const some = [batch].flat();
    add(some.length);
    yield some;
  }
}
