import type { Movement } from "../movement.ts";

/** A file that has the history of orders which the journal keeps no longer. */
export interface ArchiveFile {
  /** Without its folder. */
  readonly name: string;
  /** The hash of its last line. */
  readonly head: string;
}

/** An order that is in an archive, with the hashes of its lines of history, the oldest first. */
export interface ArchivedOrder {
  readonly id: string;
  readonly hashes: readonly string[];
}

/** What a journal does for archives. */
export interface Archiving {
  /** Orders that are over and have no line of history since then, which an archive can take. */
  archivable(before: number): AsyncIterable<Movement>;
  /**
   * Leaves of orders what a repeated reference, statements, heads and marks are compared with: all else is in the file. One that has
   * another history by now is left as it is.
   * @returns how many were archived
   */
  archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number>;
  /** True where lines of history are in an archive. */
  hasArchived(): Promise<boolean>;
}

/** What an archive step says: the file that has the lines before it; undefined for every other step. */
export function archiveOf({ step, replaced }: { readonly step: string; readonly replaced: string | null }) {
  if (step !== "archive") return undefined;
  const { file }: { file?: unknown } = Object(JSON.parse(replaced ?? "{}"));
  return `Archived in ${typeof file === "string" ? file : "a file"}`;
}
