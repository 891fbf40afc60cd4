import type { Journal } from "../../journal/journal.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { writeReport } from "../../report/write.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import type { RowsKnown } from "./rows.ts";
import { batchRows } from "./rows.ts";
import { ignoringSignals } from "./ignore-signals.ts";

/** Updates of the file take at most about a twentieth of the time. */
const restForWork = 20;

/**
 * The file of `--report` while a batch runs: written before the first row, periodically, and at the end, each time as a
 * whole. A run that is killed leaves a correct file: rows that were not finished are unknown there.
 */
export class BatchReportFile {
  readonly #path: string;
  readonly #batch: KeptBatch;
  readonly #session: Session;
  readonly #midway: RowsKnown;
  #writing: Promise<void> | undefined;
  #restsUntilMs = 0;

  constructor(path: string, batch: KeptBatch, journal: Journal, session: Session) {
    this.#path = path;
    this.#batch = batch;
    this.#session = session;
    const doubt = `The run had not ended when this was written: partner batch report ${batch.id}`;
    this.#midway = { journal, doubt };
  }

  /**
   * Checks before anything is sent whether the file can be written.
   * @throws {Failure} usage | unavailable
   */
  begin(): Promise<void> {
    return this.#write(this.#midway);
  }

  /** Updates the file when that is due. An error is reported at the end, if it persists. */
  follow(): void {
    if (this.#writing !== undefined || this.#session.host.clock.elapsed() < this.#restsUntilMs) return;
    this.#writing = this.#write(this.#midway)
      .catch(() => undefined)
      .finally(() => (this.#writing = undefined));
  }

  /** Writes the final file. The money has moved by now: a write error is only reported. */
  async end(known: RowsKnown): Promise<void> {
    await this.#writing;
    try {
      await this.#write(known);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const again = `partner batch report ${this.#batch.id} --save FILE`;
      await this.#session.host.stderr.write(`${visible(`${error.message} Write it again: ${again}`)}\n`);
    }
  }

  async #write(known: RowsKnown): Promise<void> {
    const { clock } = this.#session.host;
    const startedMs = clock.elapsed();
    await writeRows(this.#path, this.#batch, known, this.#session);
    const endedMs = clock.elapsed();
    this.#restsUntilMs = endedMs + restForWork * (endedMs - startedMs);
  }
}

/**
 * Writes the columns of the input and the outcome of each row; after an error the old file stays.
 * @throws {Failure} usage | unavailable
 */
async function writeRows(path: string, batch: KeptBatch, known: RowsKnown, session: Session): Promise<void> {
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
  try {
    await writeReport(report, options, ignoringSignals(host));
  } catch (error) {
    throw error instanceof Failure ? aboutReport(error) : error;
  }
}

/** The same failure, with the name of the flag that was typed. */
function aboutReport({ ending, message, hint = "", cause }: Failure): Failure {
  const [words, advice] = [message, hint].map((text) => text.replaceAll("--save", "--report"));
  return new Failure(ending, words ?? "", { hint: advice, cause });
}
