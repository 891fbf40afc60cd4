import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import type { ResultScene } from "../../movements/batch/result.ts";
import { resultFields, resultRows, RowCounts } from "../../movements/batch/result.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RowsReport } from "../../report/report.ts";
import { writeReport } from "../../report/write.ts";
import { sceneNow, steadyFiles } from "./sending.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/** What is known of a batch's rows, and what this run has to say of them besides. */
export interface RowsKnown extends Pick<ResultScene, "left" | "underWay"> {
  readonly journal: Journal;
}

/** A batch's rows as they stand, with the columns of the file and what became of each. */
export async function batchRows(
  batch: KeptBatch,
  { journal, left, underWay }: RowsKnown,
  session: Session,
): Promise<RowsReport & { readonly counts: RowCounts }> {
  const counts = new RowCounts();
  const sheet = await openBatchFile(steadyFiles(session), batch.path, batch.form);
  const scene = { ...sceneNow(batch, session), scope: batch.scope, journal, left, underWay };
  return {
    shape: "rows",
    columns: resultFields(sheet.header),
    rows: resultRows(sheet, batch, scene, (state) => counts.add(state)),
    whenEmpty: "The batch has no rows.",
    mustShow: true,
    counts,
  };
}

/** How many rows of a batch came to what. */
export async function countRows(batch: KeptBatch, known: RowsKnown, session: Session): Promise<RowCounts> {
  const { rows, counts } = await batchRows(batch, known, session);
  for await (const some of rows) void some;
  return counts;
}

/**
 * The file of `--report`: the columns of the input and what became of each row, all of it or the old file.
 * @throws {Failure} usage | unavailable
 */
export async function writeRowsFile(path: string, batch: KeptBatch, known: RowsKnown, session: Session): Promise<void> {
  const report = await batchRows(batch, known, session);
  const { host, result } = session;
  const { raw, excel } = result;
  const { delimiter } = batch.form;
  const options = {
    raw,
    excel,
    delimiter,
    format: "csv",
    save: path,
    header: true,
    quiet: true,
    colour: false,
  } as const;
  // A signal that stops the sending does not stop the telling.
  const { stdout, stderr, files } = host;
  try {
    await writeReport(report, options, { stdout, stderr, files, signal: new AbortController().signal });
  } catch (error) {
    throw error instanceof Failure ? aboutReport(error) : error;
  }
}

/**
 * Nobody's input is written over with its own outcome by a slip.
 * @throws {Failure} usage
 */
export async function refuseOwnFile(
  flag: "--report" | "--save",
  path: string | undefined,
  source: string,
  { host }: Session,
): Promise<void> {
  if (path === undefined || !(await host.files.isSame(path, source))) return;
  throw new Failure("usage", `${flag} names the file of the batch itself; nothing was sent.`, {
    hint: "Name another file.",
    money: "not moved",
  });
}

/** The same trouble by the name of the flag that was typed. */
function aboutReport({ ending, message, hint = "", cause }: Failure): Failure {
  const [words, advice] = [message, hint].map((text) => text.replaceAll("--save", "--report"));
  return new Failure(ending, words ?? "", { hint: advice, cause });
}
