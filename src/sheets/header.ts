import { closest } from "../values/text/closest.ts";
import { quote } from "../values/text/text.ts";

/** More than any sheet of ours has, and few enough to be told one by one. */
const columnsMaxCount = 200;

export interface Columns {
  readonly known?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
  /** Columns whose cells are given otherwise: in the sheet they would say something twice. */
  readonly elsewhere?: ReadonlySet<string> | undefined;
  /** What else can be done about a wrong header. */
  readonly advice?: string | undefined;
}

/** Everything that is wrong with the names on top of a sheet: empty, repeated, unknown and missing ones. */
export function headerViolations(header: readonly string[], { known, required = [], elsewhere }: Columns): string[] {
  if (header.length > columnsMaxCount) return [`it has ${header.length} columns; ${columnsMaxCount} are the most`];
  // Where any columns may stand, what those are called that nobody reads is their writer's business.
  const isRead = (name: string) => known !== undefined || required.includes(name);
  return [
    ...header.flatMap((name, index) => (name === "" && isRead(name) ? [`column ${index + 1} has no name`] : [])),
    ...header.flatMap((name, index) =>
      name !== "" && isRead(name) && header.indexOf(name) !== index ? [`${quote(name)} stands there twice`] : [],
    ),
    ...header
      .filter((name) => name !== "" && known?.includes(name) === false)
      .map((name) =>
        elsewhere?.has(name) === true ? `${quote(name)} is given for every row already` : unknown(name, known ?? []),
      ),
    ...required.filter((name) => !header.includes(name)).map((name) => `${quote(name)} is missing`),
  ];
}

function unknown(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return `${quote(name)} is no column${near === undefined ? "" : ` (${quote(near)} is one)`}`;
}
