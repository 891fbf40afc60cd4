import { closest } from "../values/text/closest.ts";
import { quote } from "../values/text/text.ts";

/** More than any of our sheets has, and few enough to list. */
const columnsMaxCount = 200;

export interface ExpectedColumns {
  readonly known?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
  /** Columns whose values are given elsewhere: in the sheet, they would conflict. */
  readonly elsewhere?: ReadonlySet<string> | undefined;
  /** Another way to fix a wrong header. */
  readonly advice?: string | undefined;
}

/** All violations in a header: empty, repeated, unknown and missing names. */
export function headerViolations(
  header: readonly string[],
  { known, required = [], elsewhere }: ExpectedColumns,
): string[] {
  if (header.length > columnsMaxCount) return [`it has ${header.length} columns; ${columnsMaxCount} are the most`];
  // Where additional columns are allowed, their names don't matter.
  const isRead = (name: string) => known !== undefined || required.includes(name);
  return [
    ...header.flatMap((name, index) => (name === "" && isRead(name) ? [`column ${index + 1} has no name`] : [])),
    ...repeated(header.filter((name) => name !== "" && isRead(name))).map((name) => `${quote(name)} occurs twice`),
    ...header
      .filter((name) => name !== "" && known?.includes(name) === false)
      .map((name) =>
        elsewhere?.has(name) === true ? `${quote(name)} is given for every row already` : unknown(name, known ?? []),
      ),
    ...required.filter((name) => !header.includes(name)).map((name) => `${quote(name)} is missing`),
  ];
}

/** The cells of a header up to the last name: spreadsheets append empty ones. */
export function namedCells(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((name) => name.trim() !== "");
  return cells.slice(0, last + 1);
}

/**
 * The names of a header in their known spelling, whatever their case. Where additional columns are allowed, spaces around
 * a name don't matter either; where not, a name with spaces is unknown, and that is said.
 */
export function canonicalNames(
  header: readonly string[],
  { known, required = [], elsewhere = new Set() }: ExpectedColumns,
): readonly string[] {
  const folded = (name: string) => (known === undefined ? name.trim() : name).toLowerCase();
  const names = new Map([...(known ?? []), ...required, ...elsewhere].map((name) => [folded(name), name]));
  const isExact = new Set(names.values());
  return header.map((name) => (isExact.has(name) ? name : (names.get(folded(name)) ?? name)));
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function unknown(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return `${quote(name)} isn't a column${near === undefined ? "" : ` (${quote(near)} is one)`}`;
}
