import { Failure } from "../../values/failure.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import { statementsOf } from "./account-statements.ts";
import type { ExportFlags } from "./export-flags.ts";
import { fillFileName, namesMonths } from "./file-name.ts";
import { sayStatement } from "./statement-output.ts";
import type { StatementSource } from "./statement-source.ts";

/**
 * Runs a statement command: shows or saves a period, or continues a file.
 * @throws {Failure} usage | setup | unavailable | mismatch
 */
export async function runStatement(
  source: StatementSource,
  session: Session,
  accountNo: string,
  flags: ExportFlags,
): Promise<void> {
  checkView(session, flags);
  checkBookkeeping(session, flags);
  const account = statementsOf(source, session, accountNo);
  if (flags.sinceLast) {
    const { exportSinceLast } = await import("./since-last.ts");
    return exportSinceLast(account, session, flags);
  }
  if (flags.restart || flags.overlap !== undefined)
    throw new Failure("usage", `${flags.restart ? "--restart" : "--overlap"} has no effect without --since-last.`, {
      hint: "Add --since-last, or leave it out.",
    });
  const period = await notedPeriod(flags, session);
  const { save } = session.result;
  if (save !== undefined && flags.by === "month" && namesMonths(save)) {
    const { saveMonths } = await import("./month-files.ts");
    return saveMonths(account, session, { ...flags, period }, save);
  }
  if (save !== undefined) session.saveAs(fillFileName(save, accountNo, period.endDate));
  return sayStatement(account, session, { ...flags, period });
}

/**
 * Refuses flags about accounts for other files than those for bookkeepers.
 * @throws {Failure} usage
 */
export function checkBookkeeping(
  { result }: Session,
  { noOpening, accounts }: Pick<ExportFlags, "noOpening" | "accounts">,
): void {
  const flag = noOpening ? "--no-opening" : accounts === undefined ? undefined : "--accounts";
  if (flag === undefined || result.file === "hledger" || result.file === "beancount") return;
  throw new Failure("usage", `${flag} works with hledger and beancount files only.`, {
    hint: "Leave it out, or use --output hledger or --output beancount.",
  });
}

/**
 * Refuses a chart without a table: files for other programs, and continued ones, have rows alone.
 * @throws {Failure} usage
 */
export function checkView(
  { result, format }: Session,
  { chart, where, sinceLast }: Pick<ExportFlags, "chart" | "where" | "sinceLast">,
): void {
  const shown = result.file ?? format;
  if (where !== undefined && (result.file !== undefined || sinceLast))
    throw new Failure(
      "usage",
      `--where cannot be used with ${sinceLast ? "--since-last" : shown}: such a file holds every row.`,
      {
        hint: "Leave --where out, or use --output csv.",
      },
    );
  if (!chart || shown === "table") return;
  throw new Failure("usage", "--chart works with a table only.", {
    hint: "Leave --chart out, or use --output table.",
  });
}
