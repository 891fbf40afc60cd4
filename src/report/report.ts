import type { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";

/** One row: the service's field names and what came under them. Rows hold fields that no column names, too. */
export type Row = Readonly<Record<string, JsonValue | undefined>>;

/** Rows in the pieces in which they came, so that a million of them never stand in memory together. */
export type Batches = AsyncIterable<readonly Row[]>;

/** What a command says. It never prints: one place renders this as table, JSON, NDJSON or CSV. */
export type Report = RowsReport | RecordReport | TextReport | FileReport;

export interface RowsReport {
  readonly shape: "rows";
  /** In the order of the specification. `fromRows`: columns are whatever fields come, documented ones first. */
  readonly columns: readonly Field[] | "fromRows";
  readonly rows: readonly Row[] | Batches;
  /** What a terminal shows where nobody names columns, in its order; the columns of the table elsewhere, where left out. */
  readonly onTerminal?: readonly Field[] | undefined;
  /** True shows ids and account numbers to their last character on a terminal, too. */
  readonly wholeIds?: boolean | undefined;
  /** In JSON these fields are one object with the rows, which come last, as `rows`. */
  readonly frame?: Row | undefined;
  /** One sentence for people when there is no row. */
  readonly whenEmpty: string;
  /** The currency of every amount, where rows do not say it themselves; shown in table headings. */
  readonly currency?: string | undefined;
  /** Lines under a table, asked for after the last row; for so many columns of a terminal, where there is one. */
  readonly footer?: ((width?: number) => readonly string[]) | undefined;
  /** True where a terminal shows those lines without any row, too. */
  readonly hasFooterWhenEmpty?: boolean | undefined;
  /** What the rows turned out to be, asked for after the last row. */
  readonly findings?: (() => Findings) | undefined;
  /**
   * True where the rows tell what was done with money: a name in `--columns` or `--sort` that does not exist is then
   * a note and no failure, which would say that nothing was sent. A record is always shown.
   */
  readonly mustShow?: boolean | undefined;
  /** The same as of a record: what has happened whether or not the rows can be shown. */
  readonly happened?: string | undefined;
}

export interface RecordReport {
  readonly shape: "record";
  readonly columns: readonly Field[] | "fromRows";
  readonly record: Row;
  /** Fields that hold rows of their own, with their columns: a person sees them as a table under the rest. */
  readonly lists?: Readonly<Record<string, readonly Field[]>> | undefined;
  readonly currency?: string | undefined;
  readonly findings?: (() => Findings) | undefined;
  /**
   * What has happened whether or not it can be shown, such as an order that was sent: said when the result cannot be
   * written, and the run then ends as it would have.
   */
  readonly happened?: string | undefined;
}

/** Text that is the same in every format, such as a completion script. */
export interface TextReport {
  readonly shape: "text";
  readonly text: string;
}

/** A file of a form of its own, such as a bank statement for another program. */
export interface FileReport {
  readonly shape: "file";
  /** In the pieces in which it is made; text in whole lines. */
  readonly content: AsyncIterable<string | Uint8Array>;
  /** True for sentences: a terminal breaks their lines between words. */
  readonly isProse?: boolean | undefined;
  /** What the rows in it turned out to be, asked for after the last piece. */
  readonly findings?: (() => Findings) | undefined;
  /** The same as of a record: what has happened whether or not the file can be written. */
  readonly happened?: string | undefined;
}

/** What is said on stderr once the rows are known, and how the run ends. */
export interface Findings {
  readonly notes: readonly string[];
  /** Keeps stdout empty and the old file in place. */
  readonly failure?: Failure | undefined;
  /** Ends the run as well, but after the result was shown: what happened to money, what a doctor found. */
  readonly carried?: Failure | undefined;
}
