import { csvRenderer } from "../../report/csv.ts";
import type { RowsReport } from "../../report/report.ts";
import { saveText } from "../../report/save.ts";
import type { RowFilter } from "../../report/where/row-filter.ts";
import { explained, explainSave } from "../../report/write-failures.ts";
import { carryText } from "../../statements/reconcile/carry/carry-file.ts";
import { overtakenInWords } from "../../statements/reconcile/carry/carry.ts";
import { lastDaysOf, carriedItems } from "../../statements/reconcile/carry/open-items.ts";
import { exceptionFields, exceptionRows } from "../../statements/reconcile/decisions/exceptions.ts";
import { personView } from "../../statements/reconcile/result/person-view.ts";
import { reconcileFile, reconcileReport, resultFormats } from "../../statements/reconcile/result/reconcile-report.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import type { Session } from "../session.ts";
import type { Reconciled } from "./compare.ts";
import type { AccountFiles } from "./inputs.ts";

/**
 * Reports the result, then writes open items to the named files, whether both sides agree or not.
 * @throws {Failure} mismatch | usage and unavailable where something cannot be written
 */
export async function sayReconciled(
  session: Session,
  reconciled: Reconciled,
  files: AccountFiles,
  filter?: RowFilter,
): Promise<void> {
  const { reconciliation, currency } = reconciled;
  const format = resultFormats.find((known) => known === session.result.file);
  const report =
    format === undefined ? shownReport(session, reconciled, filter) : reconcileFile(format, reconciliation, currency);
  const mismatch = await session.say(report).catch((error: unknown) => mismatchIn(error));
  await writeOpen(session, reconciled, files);
  if (mismatch !== undefined) throw mismatch;
}

function shownReport(session: Session, { reconciliation, currency }: Reconciled, filter?: RowFilter): RowsReport {
  const report = reconcileReport(reconciliation, currency);
  const chosen = filter?.chosen(report) ?? report;
  return session.showsPerson ? personView(chosen) : chosen;
}

/** The mismatch, which is a result; any other failure ends the run at once. */
function mismatchIn(error: unknown): Failure {
  if (error instanceof Failure && error.ending === "mismatch") return error;
  throw error;
}

/**
 * Writes the exceptions and the open items.
 * @throws {Failure} usage | unavailable
 */
export async function writeOpen(
  session: Session,
  { reconciliation, carry }: Reconciled,
  { exceptions, carry: carryPath }: AccountFiles,
): Promise<void> {
  const { host } = session;
  const noteWritten = async (what: string, path: string) => {
    if (host.stderr.isTerminal) await session.note(`Wrote ${what} to ${namePath(path)}.`);
  };
  if (exceptions !== undefined) {
    const options = { delimiter: ",", excel: false, header: true, raw: false, terminal: false };
    const csv = csvRenderer(exceptionFields, options);
    await explained(
      async () => {
        const draft = await host.files.draft(exceptions, "kept");
        try {
          await draft.write(await csv.head());
          for (const rows of exceptionRows(reconciliation)) await draft.write(await csv.body(rows));
          await draft.commit();
        } finally {
          await draft.abandon();
        }
      },
      explainSave(exceptions, "--exceptions"),
    );
    await noteWritten("the open rows", exceptions);
  }
  if (carry === undefined || carryPath === undefined) return;
  const { sides, result, accountNo, sums, balance } = reconciliation;
  const { months, overtaken } = carry.with({
    open: carriedItems(sides, result, carry),
    lastDays: lastDaysOf(sides),
    closing: sums.closing ?? undefined,
    ignored: balance.ignored.add(balance.ignoredBefore),
  });
  await saveText(carryPath, carryText(accountNo, months), host.files, "--carry");
  await noteWritten("the open items", carryPath);
  if (overtaken !== undefined)
    await session.note(`${overtakenInWords(overtaken)}: reconcile it and the months after it again.`);
}
