import type { Output } from "../host/host.ts";
import { jsonVisible, visible } from "../values/text/text.ts";
import { openDestination } from "./destination.ts";
import type { Outputs, ReportOptions, View } from "./options.ts";
import { recordText } from "./record.ts";
import type { Batches, Findings, Report, RowsReport } from "./report.ts";
import { wrapProse } from "./terminal/prose.ts";
import { writeRows } from "./rows.ts";
import { counted } from "../values/text/counted.ts";
import { namePath } from "../values/text/path-name.ts";

/**
 * Renders a command's report in the chosen format, to stdout or to the file of `--save`. All of it is collected first:
 * when the rows break off or turn out to be wrong, stdout stays empty and the old file intact. Notes go to stderr after
 * the result, and before the failure of the findings.
 * @throws {Failure} usage | unavailable, and whatever the rows throw
 */
export async function writeReport(report: Report, options: ReportOptions, outputs: Outputs): Promise<void> {
  const destination = await openDestination(options.save, outputs);
  const notes: string[] = [];
  const noted = outputs.stderr.isTerminal ? savedNote(report, options.save) : { report, note: () => [] };
  let findings: Findings | undefined;
  try {
    const write = (content: string | Uint8Array) => destination.write(content);
    notes.push(...(await render(noted.report, options, viewOf(options, outputs.stdout), write, outputs)));
    findings = report.shape === "text" ? undefined : report.findings?.();
    if (findings?.failure === undefined) await destination.deliver();
  } finally {
    // Discarding can fail, too, but people don't have to know, and could do nothing about it.
    await destination.discard().catch(() => undefined);
  }
  notes.push(...(findings?.notes ?? []), ...(findings?.failure === undefined ? noted.note() : []));
  if (!options.quiet) for (const note of notes) await outputs.stderr.write(`${visible(note)}\n`);
  const ends = findings?.failure ?? findings?.carried;
  if (ends !== undefined) throw ends;
}

async function render(
  report: Report,
  options: ReportOptions,
  view: View,
  write: (content: string | Uint8Array) => Promise<void>,
  outputs: Pick<Outputs, "files">,
): Promise<readonly string[]> {
  if (report.shape === "rows") return writeRows(report, options, view, write, outputs);
  if (report.shape === "file") {
    // `jsonVisible` keeps line ends.
    for await (const piece of report.content) {
      const shown = view.terminal && typeof piece === "string" ? jsonVisible(piece) : piece;
      const { width } = view;
      const isWrapped = report.isProse === true && typeof shown === "string" && width !== undefined;
      await write(isWrapped ? wrapProse(shown, width) : shown);
    }
    return [];
  }
  if (report.shape === "text") {
    await write(report.text);
    return [];
  }
  const { text, notes } = await recordText(report, options, view);
  await write(text);
  return notes;
}

function viewOf(options: ReportOptions, stdout: Output): View {
  const terminal = options.save === undefined && stdout.isTerminal;
  return {
    terminal,
    width: terminal ? options.width : undefined,
    colour: options.colour && options.save === undefined,
  };
}

/** The report, and a note for people once its file is written; no note without `--save`. */
function savedNote(
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
