import type { Files } from "../../src/host/files/files.ts";
import type { ReportOptions } from "../../src/report/options.ts";
import type { Batches, Report, Row, RowsReport } from "../../src/report/report.ts";
import { writeReport } from "../../src/report/write.ts";
import type { Field } from "../../src/values/field.ts";
import { memoryHost } from "../memory-host.ts";

/** The default options without any flag, off a terminal. */
export const plainOptions: ReportOptions = {
  format: "table",
  header: true,
  raw: false,
  excel: false,
  delimiter: ",",
  quiet: false,
  colour: false,
};

export interface RenderOptions extends Partial<ReportOptions> {
  /** The width of the terminal, if stdout is one. */
  readonly terminal?: number;
  readonly files?: Files;
}

/** Everything that a report writes, and the error it throws. */
export interface Rendered {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: unknown;
}

export async function render(report: Report, options: RenderOptions = {}): Promise<Rendered> {
  const { terminal, files, ...rest } = options;
  const host = memoryHost({
    terminal: { stdout: terminal !== undefined },
    host: files === undefined ? {} : { files },
  });
  let error: unknown;
  try {
    await writeReport(report, { ...plainOptions, width: terminal, ...rest }, host);
  } catch (thrown) {
    error = thrown;
  }
  return { stdout: host.stdout.text(), stderr: host.stderr.text(), error };
}

/** The text on stdout, for a test that expects no error. */
export async function stdoutOf(report: Report, options: RenderOptions = {}): Promise<string> {
  const { stdout, error } = await render(report, options);
  if (error !== undefined) throw error;
  return stdout;
}

/** Rows in batches, readable only once, as from a large answer. */
export async function* inBatches(rows: readonly Row[], size: number): Batches {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

export function rowsReport(columns: readonly Field[] | "fromRows", rows: readonly Row[] | Batches): RowsReport {
  return { shape: "rows", columns, rows, whenEmpty: "There is nothing." };
}
