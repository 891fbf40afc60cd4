import type { Movement } from "../movement.ts";

/** A file with the history of orders that the journal no longer keeps. */
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
  /** Orders that can be archived: finished, without a line of history since then (milliseconds since 1970). */
  archivable(before: number): AsyncIterable<Movement>;
  /**
   * Reduces orders to what a repeated reference, statements, heads and marks are compared with: all else is in the
   * file. An order whose history has changed since is left as it is.
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
