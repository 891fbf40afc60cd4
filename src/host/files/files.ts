/** The file system, as far as this program uses it. Errors are Node's own (`code`: ENOENT, EACCES, ENOSPC …). */
export interface Files {
  /**
   * A whole file.
   * @throws {FileTooLarge} beyond `maxBytes`
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** A file in pieces, for files of any size. A pipe with a name is none (ESPIPE): it would be waited for. */
  chunks(path: string): AsyncIterable<Uint8Array>;
  /** What stands at the path itself (a link is not followed), or undefined where nothing stands. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** The names of what is in a folder; none where there is no such folder. */
  names(path: string): Promise<string[]>;
  /** True where both lead to one file, whatever they call it and whatever links lie between. */
  isSame(one: string, other: string): Promise<boolean>;
  /** Where writing to the path leads, every link followed; undefined where its folder does not exist. */
  leadsTo(path: string): Promise<Target | undefined>;
  /**
   * What tells a folder from a copy of it, whatever machine or container looks at it: its number in its file system and
   * when it was made, apart by a blank; `0` where that isn't known. Undefined where there is no such folder.
   */
  folderId(path: string): Promise<string | undefined>;
  /**
   * A new file beside `path` that takes its place as a whole on `commit`.
   * @param mode its permissions, cut by the umask; `kept` gives it those of the file that stands there or that a link
   * leads to, and those of any new file where none stands
   */
  draft(path: string, mode: number | "kept"): Promise<FileDraft>;
  /**
   * Adds to the end of a file at once. One that is made for it is this user's alone. A link is not followed.
   * @param isSynced whether all of it, and the file's name, are on the disk when this returns
   */
  append(path: string, text: string, isSynced: boolean): void;
  /** Makes the folder and its missing parents. */
  makeFolder(path: string, mode: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Gives a folder another name beside it, at once; nothing stands there. */
  renameFolder(from: string, to: string): Promise<void>;
  /** Removes a folder of ours with all that is in it. */
  removeFolder(path: string): Promise<void>;
  /** Waits for and takes the lock at `path`; what comes back gives it up again. */
  lock(path: string, limits: { readonly waitMs: number; readonly staleMs: number }): Promise<() => Promise<void>>;
  /** An empty folder of this user's own among the temporary ones; what comes back removes it with all that is in it. */
  temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }>;
  /** Bytes that stay in memory up to `memoryMaxBytes` and go to an unnamed temporary file beyond. */
  spool(memoryMaxBytes: number): Spool;
}

export interface FileFacts {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Permission bits, e.g. 0o600. On Windows they say nothing. */
  readonly mode: number;
  readonly ownerId: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A file in the making: written beside its final place, so that a full disk or a kill leaves the old one whole. */
export interface FileDraft {
  write(bytes: Uint8Array | string): Promise<void>;
  /** fsync, rename over the final path, fsync of the folder. */
  commit(): Promise<void>;
  /** Removes what was written; the file at the final path stays as it was. Does nothing after `commit`. */
  abandon(): Promise<void>;
}

/** Bytes set aside until all of them are known to be good. */
export interface Spool {
  readonly sizeBytes: number;
  write(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when all that was written is kept; until then a write may have failed and not said so. */
  flush(): Promise<void>;
  /**
   * From the start, as often as asked. A chunk is good until the next one is asked for; from a file it is so long at
   * most.
   */
  chunks(pieceMaxBytes?: number): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
}

/** A file that stands somewhere, or would. */
export interface Target {
  /** Absolute, without links. */
  readonly path: string;
  /** How many names it has; 0 where nothing stands there. */
  readonly namesCount: number;
}
