import { rowsSheet } from "../../report/workbook/rows-workbook.ts";
import { writeWorkbook } from "../../report/workbook/workbook.ts";
import type { Day } from "../../values/time/day.ts";
import type { CloseHead, CloseSection } from "./close-tables.ts";
import { verdictOf } from "./close-tables.ts";

/** The close as a workbook: a sheet for each part, and on the first what to look at. */
export function closeWorkbook(
  head: CloseHead,
  sections: readonly CloseSection[],
  day: Day,
): AsyncGenerator<Uint8Array> {
  const { title, profile, period, problems, accepted, changed, remarks } = head;
  const said = problems.length === 0 ? [verdictOf(head)] : problems.map((alarm) => ({ alarm }));
  const sheets = sections.map(({ name, columns, rows }, at) => ({
    ...rowsSheet(name, columns, rows),
    titles:
      at === 0
        ? [title, profile, period, ...said, ...changed.map((alarm) => ({ alarm })), ...accepted, ...remarks]
        : [`${title}: ${name}`],
  }));
  return writeWorkbook({ title, day, sheets });
}
