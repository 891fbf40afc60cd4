import type { Journal } from "../../journal/journal.ts";
import { openBatchFile } from "../../movements/batch/batch-file.ts";
import { plannedRows } from "../../movements/batch/rows/planned-rows.ts";
import { outcomeOfRow } from "../../movements/batch/rows/row-outcome.ts";
import type { Batches, Row, RowsReport } from "../../report/report.ts";
import { Numeral } from "../../values/json.ts";
import { maskedRequest } from "../money/masked-request.ts";
import { noteOtherAccount } from "../money/other-account.ts";
import type { Session } from "../session.ts";
import type { BatchPlan } from "./plan.ts";

const columns = [
  { name: "line", kind: "count", role: "detail" },
  { name: "kind", kind: "id", role: "what" },
  { name: "reference", kind: "id", role: "what" },
  { name: "method", kind: "id", machineOnly: true },
  { name: "url", kind: "text", machineOnly: true },
  { name: "headers", kind: "text", machineOnly: true },
  { name: "request", kind: "text", role: "what" },
] as const;

/**
 * The request of each row that is left, with secrets masked. Nothing is sent.
 * @throws {Failure} setup
 */
export async function dryRows(plan: BatchPlan, journal: Journal, session: Session): Promise<RowsReport> {
  await noteOtherAccount(session);
  const { service } = await session.connection();
  await service.credentials("A", "moves money");
  return {
    shape: "rows",
    columns,
    rows: requests(plan, journal, session),
    whenEmpty: "Every row is done, or unknown.",
    findings: () => ({ notes: ["Nothing was sent."] }),
  };
}

async function* requests({ source, form, scope }: BatchPlan, journal: Journal, session: Session): Batches {
  const { service } = await session.connection();
  const { accountId } = await session.account();
  const sheet = await openBatchFile(session.host, source, form);
  const context = { today: session.today(), nowMs: session.host.clock.now(), tagged: form.tagged, journal, scope };
  for await (const { rows: planned, past } of plannedRows(sheet, form, context)) {
    const rows: Row[] = [];
    for (const { order, line } of planned) {
      const outcome = order && (await outcomeOfRow(order, past));
      if (order === undefined || (outcome?.is !== "new" && outcome?.is !== "open")) continue;
      const { kind, reference } = order;
      rows.push({ line: Numeral.of(line), kind, reference, ...maskedRequest(order, service, accountId) });
    }
    yield rows;
  }
}
