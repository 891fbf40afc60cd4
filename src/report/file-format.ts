/** A kind of file that some commands make of their result, for other programs to read. */
export interface FileFormat {
  /** As `--output` names it. */
  readonly name: string;
  /** The file name ending that implies it, such as `.ofx`. */
  readonly ending?: string | undefined;
  /** True where the file isn't text: it never goes to a terminal. */
  readonly isBinary: boolean;
}

/** What commands offer that can write their list as a workbook. */
export const listFormats: readonly FileFormat[] = [{ name: "xlsx", ending: ".xlsx", isBinary: true }];
