import type { Files } from "../host/files/files.ts";
import type { Output } from "../host/host.ts";

/** The formats of a result. Statements have more formats: these are files, not views of rows. */
export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** How to show a result, from the flags that every command has. */
export interface ReportOptions {
  readonly format: Format;
  /** The file to write instead of stdout. */
  readonly save?: string | undefined;
  /** The service's names of the fields to show, in this order. */
  readonly columns?: readonly string[] | undefined;
  /** The first key decides; later ones decide between rows that are equal so far. */
  readonly sort?: readonly SortKey[] | undefined;
  /** False omits the line of names in tables and CSV. */
  readonly header: boolean;
  /** CSV without the guard against formulas. */
  readonly raw: boolean;
  /** CSV for Excel: with a byte order mark and CRLF line ends. */
  readonly excel: boolean;
  /** The delimiter between the cells of a CSV; see `parseDelimiter`. */
  readonly delimiter: string;
  /** No notes on stderr. */
  readonly quiet: boolean;
  readonly colour: boolean;
  /** Columns of a terminal line; undefined for unlimited lines. */
  readonly width?: number | undefined;
  /** `YYYY-MM-DD` in Dar es Salaam: on a terminal, times of today are shown without the day. */
  readonly today?: string | undefined;
  /** Names of accounts, by their numbers; shown next to these. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface SortKey {
  readonly name: string;
  readonly descending: boolean;
}

/** Where a result and notes about it go. */
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
