import type { Spool } from "../../../host/files/files.ts";
import type { Row, RowsReport } from "../../../report/report.ts";
import { profileField } from "../../../values/field.ts";
import { forEachProfile, withProfile } from "../../profiles/all-profiles.ts";
import type { Session } from "../../session.ts";
import type { LedgerAnswer } from "./asking.ts";
import { askLedger } from "./asking.ts";
import type { SqlQuestion } from "./question.ts";

/** The results of a statement for each profile, one after the other. */
interface Answers {
  readonly report: RowsReport;
  /** Keep the temporary files until the report is read. */
  readonly spools: readonly Spool[];
}

/**
 * Asks every profile; rows say whose they are. One that fails is named, and the others are shown.
 * @throws {Failure} as `askLedger`, where all fail
 */
export async function askEveryLedger(session: Session, question: Omit<SqlQuestion, "scope">): Promise<Answers> {
  const { done, failure } = await forEachProfile(session, async (own) =>
    askLedger(own, { ...question, scope: await own.accountScope() }),
  );
  const columns = done[0]?.value.report.columns ?? [];
  const report: RowsReport = {
    shape: "rows",
    // A statement can select the profile itself.
    columns: columns.some(({ name }) => name === profileField.name) ? columns : [profileField, ...columns],
    rows: rowsOf(done),
    whenEmpty: "The query returns no rows.",
    findings: () => ({ notes: [], carried: failure }),
  };
  return { report, spools: done.map(({ value }) => value.spool) };
}

async function* rowsOf(
  answers: readonly { readonly profile: string; readonly value: LedgerAnswer }[],
): AsyncGenerator<readonly Row[]> {
  for (const { profile, value } of answers)
    for await (const rows of value.report.rows) yield withProfile(profile, rows);
}
