/** One side of the comparison: its origin, and a hash by which the same input is recognized. */
export interface ComparedSource {
  readonly source: "statement" | "book" | "journal";
  /** A file's path, or the name of the request. */
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}
