import { interruption } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";
import type { Outputs, ReportOptions } from "./options.ts";
import type { RowsReport } from "./report.ts";
import { writeRows } from "./rows.ts";
import { explained, explainStdout } from "./write-failures.ts";

/** True where rows can be shown one by one: their format doesn't depend on later rows. */
export function canStream({ format, save, sort }: ReportOptions): boolean {
  return (format === "ndjson" || format === "csv") && save === undefined && sort === undefined;
}

/**
 * Writes rows to stdout as they arrive, for a long run whose rows are valid however it ends. Other results are
 * collected first (`writeReport`).
 * @throws {Failure} usage | unavailable | interrupted, and the failure of the findings
 */
export async function streamRows(report: RowsReport, options: ReportOptions, outputs: Outputs): Promise<void> {
  const { stdout, stderr, signal } = outputs;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(interruption(signal)), { once: true });
  });
  // The signal may come while nothing is written.
  stopped.catch(() => undefined);
  // A stalled reader must not block a run that is to stop.
  const write = (text: string) => explained(() => Promise.race([stdout.write(text), stopped]), explainStdout);
  const view = { terminal: stdout.isTerminal, width: undefined, colour: false };
  const notes = [...(await writeRows(report, options, view, write, outputs))];
  const findings = report.findings?.();
  notes.push(...(findings?.notes ?? []));
  if (!options.quiet) for (const note of notes) await stderr.write(`${visible(note)}\n`);
  const ends = findings?.failure ?? findings?.carried;
  if (ends !== undefined) throw ends;
}
