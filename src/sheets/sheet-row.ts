/** A row of a sheet, cell by cell as text. */
export interface SheetRow {
  /** The line in which it begins; a quoted cell can contain more lines. In a workbook, the number of the row. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Cells of a workbook without a usable value. */
  readonly faults?: readonly CellFault[];
  /** True for a hidden row of a workbook. */
  readonly isHidden?: boolean;
}

/** A cell of a workbook with a violation, in words that follow its place. */
export interface CellFault {
  /** Sheet and cell: `Payments!B7`. */
  readonly cell: string;
  readonly problem: string;
}
