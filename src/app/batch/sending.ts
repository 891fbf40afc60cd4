import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { plannedRows } from "../../movements/batch/rows/planned-rows.ts";
import { outcomeOfRow } from "../../movements/batch/rows/row-outcome.ts";
import type { RowContext } from "../../movements/batch/rows/row-orders.ts";
import { planRow } from "../../movements/batch/rows/row.ts";
import type { BatchRun, RowToSend } from "../../movements/batch/run.ts";
import { runBatch } from "../../movements/batch/run.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import { sayPatience } from "../money/money-context.ts";
import type { Session } from "../session.ts";
import { BatchProgress } from "./progress.ts";
import { ignoringSignals } from "./ignore-signals.ts";

export interface Sending {
  readonly rowCount: number;
  readonly concurrency: number;
  readonly tools: MoneyTools;
  /** Called each time a row is finished. */
  readonly onRow: () => void;
  /** The lines of rows to send; undefined: all. */
  readonly lines?: ReadonlySet<number> | undefined;
}

/**
 * Sends the rows of a batch that was checked and kept, and shows the progress.
 * @throws {Failure} setup where the kept file cannot be read; what keeps rows from being sent is in the result
 */
export async function sendBatch(batch: KeptBatch, sending: Sending, session: Session): Promise<BatchRun> {
  const { rowCount, concurrency, tools, onRow, lines } = sending;
  const progress = new BatchProgress(session.host, rowCount, session.result.quiet);
  let isPatient = false;
  const over = new AbortController();
  // Several rows may be under way, but a person is told once.
  const onPatience = () => {
    if (!isPatient) void progress.end().then(() => sayPatience(session, over.signal));
    isPatient = true;
  };
  const step = () => {
    progress.step();
    onRow();
  };
  try {
    const rows = rowsToSend(batch, session, lines);
    return await runBatch(rows, { id: batch.id, concurrency, tools: { ...tools, onPatience }, onRow: step });
  } finally {
    over.abort();
    await progress.end();
  }
}

/**
 * Asks the second witness about every row before the first one is sent.
 * @throws {Failure} usage | unavailable | setup | interrupted; then no row of the batch is to be sent
 */
export async function askWitnessAboutRows(
  batch: KeptBatch,
  { tools, lines }: Pick<Sending, "tools" | "lines">,
  session: Session,
): Promise<void> {
  await tools.witness?.prepare(() => ordersLeft(batch, { tools, lines }, session));
}

async function* ordersLeft(
  batch: KeptBatch,
  { tools, lines }: Pick<Sending, "tools" | "lines">,
  session: Session,
): AsyncGenerator<MoneyOrder> {
  const { path, form } = batch;
  const sheet = await openBatchFile(session.host, path, form);
  const context = { ...rowContextNow(batch, session), journal: tools.journal, scope: tools.scope };
  for await (const { rows, past } of plannedRows(sheet, form, context))
    for (const { line, order, expired } of rows) {
      if (order === undefined || expired.length > 0 || lines?.has(line) === false) continue;
      const { is } = await outcomeOfRow(order, past);
      if (is === "new" || is === "open") yield order;
    }
}

/** The context in which rows of a kept batch are read now. */
export function rowContextNow({ form }: Pick<KeptBatch, "form">, session: Session): RowContext {
  return { today: session.today(), nowMs: session.host.clock.now(), tagged: form.tagged };
}

/** Each row is planned when its turn comes, so that the moment in a request is the moment of sending it. */
async function* rowsToSend(batch: KeptBatch, session: Session, lines: Sending["lines"]): AsyncGenerator<RowToSend> {
  const { path, form } = batch;
  const sheet = await openBatchFile(ignoringSignals(session.host), path, form);
  for await (const rows of sheet.rows) {
    for (const row of rows) {
      const { line, order, expired } = planRow(row, sheet.header, form, rowContextNow(batch, session));
      if (order !== undefined && expired.length === 0 && lines?.has(line) !== false) yield { line, order };
    }
  }
}
