import type { Rows } from "../../contract/endpoint.ts";
import type { Renderer } from "../../report/renderer.ts";
import type { Day } from "../../values/time/day.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { EntryShape } from "../entry.ts";
import { textIn } from "../entry.ts";
import type { ExportedRow } from "./export-state.ts";
import type { KnownRows } from "./known-rows.ts";

/** How the rows of a run become lines of its file. */
export interface MarkedLines {
  readonly shape: EntryShape;
  /** Where a row without a day stands. */
  readonly endDate: Day;
  /** `YYYY-MM-DD` from which on rows count; all do where it is left out. */
  readonly since: string | undefined;
  /** A new one for every use. */
  renderer(): Renderer;
  /** Hears of each row that does not count. */
  leaveOut?(): void;
}

/** The rows as lines of the file, each told whether the file has it already. */
export async function* markedLines(rows: Rows, known: KnownRows, run: MarkedLines): AsyncGenerator<ExportedRow> {
  const { shape, endDate, since = "" } = run;
  const renderer = run.renderer();
  for await (const batch of rows) {
    for (const row of batch) {
      const day = dayOfTimestamp(textIn(row, "valueDate")) ?? endDate.toString();
      if (day < since) {
        run.leaveOut?.();
        continue;
      }
      const line = await renderer.body([row]);
      yield { day, reference: textIn(row, shape.reference), line, isNew: !known.crossOff(line) };
    }
  }
}
