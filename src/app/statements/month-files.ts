import type { Rows } from "../../contract/endpoint.ts";
import { StatementCheck } from "../../statements/check.ts";
import { quotePath } from "../../values/text/text.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod, monthsOf } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import { fillFileName } from "./file-name.ts";
import type { AccountStatements } from "./account-statements.ts";
import type { StatementAsked } from "./statement-output.ts";
import { sayStatement } from "./statement-output.ts";

/** A month, or the part of it that is in a period. */
interface Month {
  readonly period: Period;
  readonly rows: Rows;
}

/**
 * Writes a statement into a file for each of its months; a month in which nothing moved has a file without rows. All
 * months are read, and with `strict` checked, before the first file is written.
 * @param name with `{month}` in it
 * @throws {Failure} usage | setup | refused | unavailable | mismatch
 */
export async function saveMonths(
  account: AccountStatements,
  session: Session,
  asked: StatementAsked,
  name: string,
): Promise<void> {
  const { accountNo } = account;
  // Whether the first month's file can be made is checked before anything is read.
  session.saveAs(fillFileName(name, accountNo, asked.period.startDate.lastOfMonth()));
  const months: Month[] = [];
  for (const period of monthsOf(asked.period)) {
    await session.note(`Reading ${describePeriod(period)} …`);
    months.push({ period, rows: await account.read(period) });
  }
  if (asked.strict) for (const month of months) await checkMonth(month, account);
  for (const { period, rows } of months) {
    const file = fillFileName(name, accountNo, period.endDate);
    session.saveAs(file);
    await session.note(`${quotePath(file)}: ${describePeriod(period)}`);
    await sayStatement(account, session, { ...asked, period, by: undefined, rows });
  }
}

/** @throws {Failure} mismatch where it does not add up */
async function checkMonth({ period, rows }: Month, { shape }: AccountStatements): Promise<void> {
  const check = new StatementCheck(shape, period);
  await check.readThrough(rows);
  const mismatch = check.mismatch();
  if (mismatch !== undefined) throw mismatch;
}
