import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";
import type { ExportFlags } from "./export-flags.ts";
import { fillFileName } from "./file-name.ts";
import type { StatementSource } from "./statement-source.ts";
import { sayStatement } from "./statement-source.ts";

/**
 * What a statement command does with its flags: shows or saves a period, or continues a file.
 * @throws {Failure} usage | setup | unavailable | mismatch
 */
export async function runStatement(
  source: StatementSource,
  session: Session,
  accountNo: string,
  flags: ExportFlags,
): Promise<void> {
  checkChart(session, flags);
  if (flags.sinceLast) {
    const { exportSinceLast } = await import("./since-last.ts");
    return exportSinceLast(source, session, accountNo, flags);
  }
  if (flags.restart || flags.overlap !== undefined)
    throw new Failure("usage", `${flags.restart ? "--restart" : "--overlap"} has no meaning without --since-last.`, {
      hint: "Add --since-last, or leave it out.",
    });
  const period = await session.period(flags);
  const { save } = session.result;
  if (save !== undefined) session.saveAs(fillFileName(save, accountNo, period.endDate));
  return sayStatement(source, session, { ...flags, accountNo, period });
}

/**
 * A chart stands under a table.
 * @throws {Failure} usage
 */
export function checkChart({ result, format }: Session, { chart }: Pick<ExportFlags, "chart">): void {
  const shown = result.file ?? format;
  if (!chart || shown === "table") return;
  throw new Failure("usage", "--chart works with a table only.", {
    hint: "Leave --chart out, or use --output table.",
  });
}
