import type { Host } from "../host/host.ts";
import type { ReportOptions } from "../report/options.ts";
import type { Report } from "../report/report.ts";
import { writeReport } from "../report/write.ts";
import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";

/**
 * Writes a command's report. A full disk doesn't undo money that moved, and must not cause it to be sent again: stderr
 * then says what happened, and the run ends as it would have.
 * @throws {Failure} the ending that the report carries; also why it cannot be written, where nothing has happened
 */
export async function writeOutput(report: Report, options: ReportOptions, host: Host): Promise<void> {
  try {
    await writeReport(report, options, host);
  } catch (error) {
    const { happened, ending } = outcomeIn(report);
    if (happened === undefined || !(error instanceof Failure) || error.message === ending?.message) throw error;
    await host.stderr.write(`${visible(`${error.message} ${happened}`)}\n`);
    if (ending !== undefined) throw ending;
  }
}

/** What has happened, even if it cannot be written, and the ending. */
function outcomeIn(report: Report): { readonly happened?: string | undefined; readonly ending?: Failure | undefined } {
  if (report.shape === "text") return {};
  const { happened } = report;
  return happened === undefined ? {} : { happened, ending: report.findings?.().carried };
}
