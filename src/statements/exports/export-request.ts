import type { Rows } from "../../contract/endpoint.ts";
import type { Renderer } from "../../report/renderer.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { EntryShape } from "../entry.ts";

/** An export whose files grow from run to run. */
export interface ExportRequest {
  readonly accountNo: string;
  readonly shape: EntryShape;
  readonly strict: boolean;
  /** The name of the file for rows of that value date. */
  fileOf(day: Day): string;
  /** The path of the export's state. */
  readonly memoryPath: string;
  /** Needed for the first run only. */
  readonly startDate: Day | undefined;
  /** The last day that was asked for; today where none was. */
  readonly endDate: Day;
  readonly today: Day;
  /** Days that were exported already and are read again. */
  readonly overlapDays: number;
  /** True forgets earlier runs, and replaces the files. */
  readonly restart: boolean;
  /** Decides where a row ends: CSV has line ends within quotes. */
  readonly format: "csv" | "ndjson";
  /** A new renderer, which turns rows into the text of a file. */
  renderer(): Renderer;
  read(period: Period): Promise<Rows>;
  /** The balances that the service gives now (it may give more than one); none where it gives none. */
  balancesNow(): Promise<readonly Decimal[]>;
  /** Prints a line for a person. */
  note(line: string): Promise<void>;
}
