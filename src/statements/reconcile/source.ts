/** What was compared: where it came from, and the hash that tells whether it is the same again. */
export interface Source {
  readonly source: "statement" | "book" | "journal";
  /** A file's path, or what was asked for. */
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}
