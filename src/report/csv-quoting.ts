import { stringify } from "csv-stringify/sync";

/** What separates lines and cells. */
export interface CsvForm {
  readonly delimiter: string;
  readonly lineEnd: "\n" | "\r\n";
}

/** The only place that loads csv-stringify: for lines whose cells contain line ends, and lines that would be empty. */
export function quotedLine(cells: readonly string[], form: CsvForm): string {
  return stringify([[...cells]], {
    delimiter: form.delimiter,
    record_delimiter: form.lineEnd,
    // A lone LF would start a new row for most readers also where lines end in CRLF.
    quote_record_delimiter: true,
    // A line of one empty cell would be an empty line, and readers skip those.
    quoted_empty: cells.length === 1,
    eof: false,
  });
}
