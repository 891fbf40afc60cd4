import { stringify } from "csv-stringify/sync";
import type { CsvForm } from "./csv.ts";

/** The door to csv-stringify: lines whose cells hold quotes, delimiters or line ends. */
export function quotedLines(lines: readonly (readonly string[])[], form: CsvForm): string {
  return stringify([...lines], {
    delimiter: form.delimiter,
    record_delimiter: form.lineEnd,
    // A lone LF would start a new row for most readers also where lines end in CRLF.
    quote_record_delimiter: true,
    // A line of one empty cell would be an empty line, and readers skip those.
    quoted_empty: lines[0]?.length === 1,
  });
}
