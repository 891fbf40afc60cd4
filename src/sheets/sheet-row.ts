/** A row of a sheet, cell by cell as text. */
export interface SheetRow {
  /** Where it begins in the file. Line 1 is the header; a quoted cell can hold further lines. */
  readonly line: number;
  readonly cells: readonly string[];
}
