/** A row of a sheet, cell by cell as text. */
export interface SheetRow {
  /** Where it begins in the file; a quoted cell can hold further lines. In a workbook it is the number of the row. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Cells of a workbook that hold no value that can be used. */
  readonly faults?: readonly CellFault[];
  /** True for a row of a workbook that a person does not see. */
  readonly isHidden?: boolean;
}

/** A cell of a workbook with a violation, in words that follow its place. */
export interface CellFault {
  /** Sheet and cell: `Payments!B7`. */
  readonly cell: string;
  readonly problem: string;
}
