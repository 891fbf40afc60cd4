import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";

/** Delimiters that spreadsheets use between cells. */
export const delimiters = [",", ";", "\t", "|"] as const;
/** Quoted cells, which may contain delimiters and line ends. */
const quoted = /"[^"]*"/g;
const lineEnd = /[\r\n]/;

/**
 * The most frequent delimiter between the names of the header. A header with one column has none, and needs none.
 * @throws {Failure} usage where two are equally frequent
 */
export function findDelimiter(text: string, path: string): string {
  const [header = ""] = text.replaceAll(quoted, "").split(lineEnd, 1);
  const counts = delimiters.map((delimiter) => ({ delimiter, count: header.split(delimiter).length - 1 }));
  const most = Math.max(...counts.map(({ count }) => count));
  const [found, other] = counts.filter(({ count }) => count === most);
  if (found === undefined || most === 0) return ",";
  if (other === undefined) return found.delimiter;
  throw new Failure("usage", `The delimiter between the cells of ${visible(path)} cannot be read from its header.`, {
    hint: "Name the columns without commas, semicolons, bars and tabs in their names.",
  });
}
