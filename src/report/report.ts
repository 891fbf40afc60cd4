import type { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";

/** One row: values under the service's field names. Rows may have fields without a column. */
export type Row = Readonly<Record<string, JsonValue | undefined>>;

/** Rows in batches as they arrive, so that a million of them are never in memory together. */
export type Batches = AsyncIterable<readonly Row[]>;

/** The result of a command. Commands never print: one place renders it as table, JSON, NDJSON or CSV. */
export type Report = RowsReport | RecordReport | TextReport | FileReport;

export interface RowsReport {
  readonly shape: "rows";
  /** In the order of the specification. `fromRows`: every field in the rows, documented ones first. */
  readonly columns: readonly Field[] | "fromRows";
  readonly rows: readonly Row[] | Batches;
  /** The columns on a terminal without `--columns`, in order; default: those of the table. */
  readonly onTerminal?: readonly Field[] | undefined;
  /** True to show ids and account numbers unshortened on a terminal, too. */
  readonly wholeIds?: boolean | undefined;
  /** Members that come before the rows in JSON; the rows are then under `rows`. */
  readonly frame?: Row | undefined;
  /** One sentence for people where there are no rows. */
  readonly whenEmpty: string;
  /** The currency of every amount, where rows don't contain it; shown in table headings. */
  readonly currency?: string | undefined;
  /** Lines under a table, requested after the last row, with the width of the terminal if there is one. */
  readonly footer?: ((width?: number) => readonly string[]) | undefined;
  /** True to show the footer on a terminal even without rows. */
  readonly hasFooterWhenEmpty?: boolean | undefined;
  /** Requested after the last row. */
  readonly findings?: (() => Findings) | undefined;
  /**
   * True where the rows report what was done with money: a wrong name in `--columns` or `--sort` is then a note. A
   * failure would say that nothing was sent.
   */
  readonly mustShow?: boolean | undefined;
  /** As in `RecordReport`. */
  readonly happened?: string | undefined;
}

export interface RecordReport {
  readonly shape: "record";
  readonly columns: readonly Field[] | "fromRows";
  readonly record: Row;
  /**
   * True where nothing was done: a wrong name in `--columns` is then a failure, as for rows, and no empty value with
   * exit 0. Any other record is always shown.
   */
  readonly isRead?: boolean | undefined;
  /** Fields that contain rows, with their columns: for people, each is a table below the other fields. */
  readonly lists?: Readonly<Record<string, readonly Field[]>> | undefined;
  readonly currency?: string | undefined;
  readonly findings?: (() => Findings) | undefined;
  /**
   * What has happened in any case, such as that an order was sent. It is printed when the result can't be written, and
   * does not change how the run ends.
   */
  readonly happened?: string | undefined;
}

/** Text that is the same in every format, such as a completion script. */
export interface TextReport {
  readonly shape: "text";
  readonly text: string;
}

/** A file in a format of its own, such as a bank statement for another program. */
export interface FileReport {
  readonly shape: "file";
  /** In pieces as they are made; text in whole lines only. */
  readonly content: AsyncIterable<string | Uint8Array>;
  /** True for prose: a terminal breaks its lines between words. */
  readonly isProse?: boolean | undefined;
  /** Requested after the last piece. */
  readonly findings?: (() => Findings) | undefined;
  /** As in `RecordReport`. */
  readonly happened?: string | undefined;
}

/** Known after the last row: notes for stderr, and how the run ends. */
export interface Findings {
  readonly notes: readonly string[];
  /** Ends the run; stdout stays empty and the old file in place. */
  readonly failure?: Failure | undefined;
  /** Ends the run after the result was shown: for outcomes of money, or problems that `doctor` found. */
  readonly carried?: Failure | undefined;
}
