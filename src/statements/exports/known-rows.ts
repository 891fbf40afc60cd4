import type { ExportedRow } from "./export-state.ts";

/** A row that no longer is what was exported; `now` is undefined where it is gone. */
export interface ChangedRow {
  readonly was: ExportedRow;
  readonly now: string | undefined;
}

/** Rows that are told and not counted, beyond this many. */
const toldMaxCount = 10;

/** The exported rows of the days that are read again, each crossed off when it comes. */
export class KnownRows {
  readonly #byLine = new Map<string, ExportedRow[]>();

  constructor(rows: Iterable<ExportedRow>) {
    for (const row of rows) {
      const same = this.#byLine.get(row.line);
      if (same === undefined) this.#byLine.set(row.line, [row]);
      else same.push(row);
    }
  }

  /** True for a row that was exported; each time that it was. */
  crossOff(line: string): boolean {
    const same = this.#byLine.get(line);
    if (same === undefined) return false;
    same.pop();
    if (same.length === 0) this.#byLine.delete(line);
    return true;
  }

  /** What was exported and did not come again. */
  missing(): ExportedRow[] {
    return [...this.#byLine.values()].flat();
  }
}

/**
 * Finds what became of rows that did not come again: a new row with the same reference is the same row, changed. Where
 * a row has no reference nobody can tell, and it counts as gone.
 */
export async function findChanges(
  missing: readonly ExportedRow[],
  lines: AsyncIterable<ExportedRow>,
): Promise<readonly ChangedRow[]> {
  const wanted = new Map<string, string[]>();
  for (const { reference } of missing) if (reference !== "") wanted.set(reference, []);
  for await (const { reference, line, isNew } of lines) if (isNew) wanted.get(reference)?.push(line);
  return missing.map((was) => ({ was, now: wanted.get(was.reference)?.shift() }));
}

/** Both versions of each, for a person to compare. */
export function tellChanges(changes: readonly ChangedRow[]): Record<string, string> {
  const told = changes.slice(0, toldMaxCount).flatMap(({ was, now }, index): [string, string][] => [
    [`row ${index + 1} was`, was.line.trimEnd()],
    [`row ${index + 1} is now`, now?.trimEnd() ?? "(the service no longer has it)"],
  ]);
  const more = changes.length - toldMaxCount;
  return Object.fromEntries(more > 0 ? [...told, ["and", `${more} more`]] : told);
}
