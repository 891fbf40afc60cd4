import { codeOf } from "../system-error.ts";

/** The file system, as far as this program uses it. Errors are Node's own (`code`: ENOENT, EACCES, ENOSPC …). */
export interface Files {
  /**
   * A whole file.
   * @throws {FileTooLarge} beyond `maxBytes`
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** A file in pieces, for files of any size. A named pipe is refused (ESPIPE): opening it would block. */
  chunks(path: string): AsyncIterable<Uint8Array>;
  /** What is at the path itself (links are not followed); undefined where nothing is. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** The names in a folder; empty where it doesn't exist. */
  names(path: string): Promise<string[]>;
  /** True where both are the same file, under any names and through any links. */
  isSame(one: string, other: string): Promise<boolean>;
  /** Where a write to the path goes once every link is followed; undefined where its folder does not exist. */
  leadsTo(path: string): Promise<Target | undefined>;
  /**
   * Identifies a folder or a file, but not its copies, on any machine or container, for `isOtherPlace`. Undefined where
   * it doesn't exist.
   */
  placeId(path: string): Promise<string | undefined>;
  /**
   * A new file beside `path` that replaces it as a whole on `commit`.
   * @param mode its permissions, less the umask; `kept` uses those of the existing file, through a link, or those of
   * any new file
   */
  draft(path: string, mode: number | "kept"): Promise<FileDraft>;
  /**
   * Appends to a file, synchronously. A file that this creates is readable by this user alone. A link is not followed.
   * @param text given as a function, it gets the time of this change by the file system, as `changedMs` has it after
   * @param isSynced true to have the text on the disk when this returns
   */
  append(path: string, text: Appended, isSynced: boolean): void;
  /** Makes the folder and its missing parents; their names are on the disk then. */
  makeFolder(path: string, mode: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Renames a folder atomically, on the disk as well, or not at all; the target must not exist. */
  renameFolder(from: string, to: string): Promise<void>;
  /** Removes a folder of ours with its content. */
  removeFolder(path: string): Promise<void>;
  /** Waits for the lock at `path`, and acquires it; returns a function that releases it. */
  lock(path: string, limits: { readonly waitMs: number; readonly staleMs: number }): Promise<() => Promise<void>>;
  /** An empty temporary folder of this user; `remove` deletes it with its content. */
  temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }>;
  /** Keeps up to `memoryMaxBytes` in memory, and more in an unnamed temporary file. */
  spool(memoryMaxBytes: number): Spool;
}

export interface FileFacts {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Permission bits, such as 0o600; meaningless on Windows. */
  readonly mode: number;
  readonly ownerId: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** The last change of content, permissions or names: no program can set it, as one that restores files would. */
  readonly changedMs: number;
}

/**
 * What is appended; it begins on a line of its own. A function gets the file system's time, in milliseconds since 1970.
 */
export type Appended = string | ((changedMs: number) => string);

/** A file being written, beside its final place: a full disk or a kill leaves the old file intact. */
export interface FileDraft {
  write(bytes: Uint8Array | string): Promise<void>;
  /**
   * fsync, rename over the final path, fsync of the folder.
   * @throws {UnsyncedName} where only the last one failed
   */
  commit(): Promise<void>;
  /** Discards what was written; the file at the final path stays as it was. Does nothing after `commit`. */
  abandon(): Promise<void>;
}

/** Bytes set aside until all of them are known to be good. */
export interface Spool {
  readonly sizeBytes: number;
  write(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when everything written is kept; an earlier write may have failed without an error until then. */
  flush(): Promise<void>;
  /**
   * From the start, as often as asked. A chunk is valid until the next one is asked for, and has at most
   * `pieceMaxBytes`.
   */
  chunks(pieceMaxBytes?: number): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
}

/** A file is complete and in its place, but after a power loss the one before it may be there. */
export class UnsyncedName extends Error {
  override readonly name = "UnsyncedName";
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super("The folder of the file could not be synced", { cause });
    this.code = codeOf(cause);
  }
}

/** A file, or the path of a file to create. */
export interface Target {
  /** Absolute, without links. */
  readonly path: string;
  /** How many hard links it has; 0 where it doesn't exist. */
  readonly namesCount: number;
}
