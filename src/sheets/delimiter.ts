import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";

/** What spreadsheets put between cells. */
export const delimiters = [",", ";", "\t", "|"] as const;
/** Quoted cells, and what ends the first line. */
const quoted = /"[^"]*"/g;
const lineEnd = /[\r\n]/;

/**
 * The delimiter that stands most often between the names of the header. A header of one column has none, and then it
 * does not matter.
 * @throws {Failure} usage where two are equally often
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
