import type { Files } from "../host/files/files.ts";
import type { Output } from "../host/host.ts";

/** How a result can look. Statements know further formats; those are files of their own, not views of rows. */
export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** What the flags that every command has say about its result. */
export interface ReportOptions {
  readonly format: Format;
  /** The file to write instead of stdout. */
  readonly save?: string | undefined;
  /** The service's names of the fields to show, in this order. */
  readonly columns?: readonly string[] | undefined;
  /** The first key decides, the next one where the first is equal. */
  readonly sort?: readonly SortKey[] | undefined;
  /** False leaves the line of names out of tables and CSV. */
  readonly header: boolean;
  /** CSV without the guard against formulas. */
  readonly raw: boolean;
  /** CSV as Excel wants it: a byte order mark, and CRLF at the end of lines. */
  readonly excel: boolean;
  /** The delimiter between the cells of a CSV; see `parseDelimiter`. */
  readonly delimiter: string;
  /** No notes on stderr. */
  readonly quiet: boolean;
  readonly colour: boolean;
  /** Characters that a line of the terminal holds; undefined where lines may be of any length. */
  readonly width?: number | undefined;
  /** `YYYY-MM-DD` in Dar es Salaam: on a terminal, times of today need no day. */
  readonly today?: string | undefined;
  /** What people call accounts, by their numbers: shown beside them. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface SortKey {
  readonly name: string;
  readonly descending: boolean;
}

/** Where a result goes, and notes about it. */
export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: Files;
  /** Aborted by Ctrl-C and TERM. */
  readonly signal: AbortSignal;
}

/** The destination of a result: only a terminal has a width and executes control characters. */
export interface View {
  readonly terminal: boolean;
  readonly width: number | undefined;
  readonly colour: boolean;
}
