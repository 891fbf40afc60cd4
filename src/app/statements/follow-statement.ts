import type { Row, RowsReport } from "../../report/report.ts";
import type { Period } from "../../values/time/period.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import type { FollowFlags } from "../follow.ts";
import { followRows } from "../follow.ts";
import type { Session } from "../session.ts";
import { rowFilter } from "../where.ts";
import { statementsOf } from "./account-statements.ts";
import type { ExportFlags } from "./export-flags.ts";
import type { StatementSource } from "./statement-source.ts";

/**
 * Prints a statement's rows, and then each new one. The period is that of the flags (default: today), and grows from
 * day to day.
 * @throws {Failure} usage | setup | refused | unavailable
 */
export async function followStatement(
  source: StatementSource,
  session: Session,
  accountNo: string,
  flags: ExportFlags & FollowFlags,
): Promise<void> {
  const first = firstPeriod(flags, session);
  const account = statementsOf(source, session, accountNo);
  const filter = await rowFilter(flags.where, source.columns);
  const seen = new Map<string, number>();
  await followRows(flags, session, async () => {
    const today = session.today();
    const endDate = first.endDate.compare(today) > 0 ? first.endDate : today;
    const rows = await account.read({ ...first, endDate });
    const fresh: Row[] = [];
    const counts = new Map<string, number>();
    for await (const batch of rows)
      for (const row of batch) {
        const key = JSON.stringify(row);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count <= (seen.get(key) ?? 0)) continue;
        seen.set(key, count);
        if (filter?.keeps(row) ?? true) fresh.push(row);
      }
    return reportOf(fresh, source, accountNo);
  });
}

function firstPeriod(flags: ExportFlags, session: Session): Period {
  const isGiven = [flags.startDate, flags.endDate, flags.month, flags.date, flags.year, flags.last].some(
    (value) => value !== undefined,
  );
  const today = session.today();
  if (!isGiven && !flags.today && !flags.yesterday && !flags.lastMonth && !flags.thisMonth)
    return { startDate: today, endDate: today };
  return resolvePeriod(flags, today);
}

function reportOf(rows: readonly Row[], { columns }: StatementSource, accountNo: string): RowsReport {
  return { shape: "rows", columns, rows, whenEmpty: `Nothing moved through ${accountNo} yet.` };
}
