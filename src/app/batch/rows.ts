import type { Journal } from "../../journal/journal.ts";
import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import type { ResultContext } from "../../movements/batch/result.ts";
import { resultFields, resultRows, BatchRowCounts, batchTerminalFields } from "../../movements/batch/result.ts";
import type { RowsReport } from "../../report/report.ts";
import { seenCurrencies } from "../seen/wallets.ts";
import type { Session } from "../session.ts";
import { rowContextNow } from "./sending.ts";
import { ignoringSignals } from "./ignore-signals.ts";

/** What is known about a batch's rows, and notes of this run. */
export interface RowsKnown extends Pick<ResultContext, "left" | "doubt"> {
  readonly journal: Journal;
}

/**
 * A batch's rows in their current state, with the columns of the file and the outcome of each.
 * @throws {Failure} usage | setup
 */
export async function batchRows(
  batch: KeptBatch,
  { journal, left, doubt = doubtIn(journal) }: RowsKnown,
  session: Session,
): Promise<RowsReport & { readonly counts: BatchRowCounts }> {
  const counts = new BatchRowCounts();
  const sheet = await openBatchFile(ignoringSignals(session.host), batch.path, batch.form);
  const currencyOf = session.format === "table" ? await seenCurrencies(session.host) : undefined;
  const forPeople = currencyOf && ((wallet: string | undefined) => currencyOf(batch.scope, wallet));
  const context = { ...rowContextNow(batch, session), scope: batch.scope, journal, left, doubt, forPeople };
  return {
    shape: "rows",
    columns: resultFields(sheet.header),
    onTerminal: batchTerminalFields(batch.form.kind),
    rows: resultRows(sheet, batch, context, (state) => counts.add(state)),
    whenEmpty: "The batch has no rows.",
    mustShow: true,
    counts,
  };
}

/** Why no row can be called unsent; undefined where the journal has every order that was sent. */
function doubtIn({ refusal }: Journal): string | undefined {
  return refusal && `${refusal.message} It may lack this order.`;
}

/**
 * The number of a batch's rows in each state.
 * @throws {Failure} usage | setup | unavailable
 */
export async function countRows(batch: KeptBatch, known: RowsKnown, session: Session): Promise<BatchRowCounts> {
  const { rows, counts } = await batchRows(batch, known, session);
  for await (const some of rows) void some;
  return counts;
}
