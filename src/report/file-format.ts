/** A file format in which some commands can write their result, for other programs. */
export interface FileFormat {
  /** As `--output` names it. */
  readonly name: string;
  /** The file name ending that implies it, such as `.ofx`. */
  readonly ending?: string | undefined;
  /** True where the file isn't text: it never goes to a terminal. */
  readonly isBinary: boolean;
}

/** The formats of commands that can write their list as a workbook. */
export const listFormats: readonly FileFormat[] = [{ name: "xlsx", ending: ".xlsx", isBinary: true }];
