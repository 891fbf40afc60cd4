import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FileDraft, FileFacts, Files, Spool } from "../../src/host/files/files.ts";
import { FileTooLarge } from "../../src/host/files/files.ts";
import type { Sqlite } from "../../src/host/databases/sqlite.ts";

/** A disk that is as fast as memory: files that outlive a process, and databases in which only commits do. */
export interface TownDisk {
  readonly files: Files;
  readonly sqlite: Sqlite;
  close(): void;
}

const ownerId = process.getuid?.() ?? 0;
/** What a database looks like from outside; it is never empty once it was made. */
const databaseBytes = 8192;
let disks = 0;

export function openDisk(): TownDisk {
  disks += 1;
  const disk = disks;
  const contents = new Map<string, Buffer>();
  const folders = new Set<string>();
  // A database in memory lives as long as somebody has it open.
  const databases = new Map<string, DatabaseSync>();
  const addressOf = (path: string) => new URL(`file:${encodeURIComponent(`${disk}${path}`)}?mode=memory&cache=shared`);

  const facts = async (path: string): Promise<FileFacts | undefined> => {
    const plain = path.replace(/\/\.$/, "");
    if (folders.has(plain)) return { kind: "folder", mode: 0o700, ownerId, sizeBytes: 0, modifiedMs: 0 };
    const sizeBytes = databases.has(plain) ? databaseBytes : contents.get(plain)?.length;
    return sizeBytes === undefined ? undefined : { kind: "file", mode: 0o600, ownerId, sizeBytes, modifiedMs: 0 };
  };
  const read = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const content = contents.get(path);
    if (content === undefined) throw Object.assign(new Error(`There is no ${path}`), { code: "ENOENT" });
    if (content.length > maxBytes) throw new FileTooLarge(`${path} is larger than ${maxBytes} bytes`);
    return content;
  };

  return {
    files: {
      read,
      facts,
      names: async (folder) =>
        [...contents.keys()].flatMap((path) => (dirname(path) === folder ? [basename(path)] : [])),
      isSame: async (one, other) => one === other,
      async *chunks(path) {
        yield await read(path, Infinity);
      },
      append(path, text) {
        contents.set(path, Buffer.concat([contents.get(path) ?? Buffer.alloc(0), Buffer.from(text)]));
      },
      draft: async (path) => draftOf((content) => void contents.set(path, content)),
      async makeFolder(path) {
        for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) folders.add(folder);
      },
      async remove(path) {
        contents.delete(path);
      },
      // Within one turn of the loop nobody else is there, and within the lock nobody waits.
      lock: async () => async () => undefined,
      temporaryFolder: async () => ({ path: "/tmp/town", remove: async () => undefined }),
      spool: () => spoolOf(),
    },
    sqlite: {
      open(path) {
        const address = addressOf(path);
        if (!databases.has(path)) databases.set(path, new DatabaseSync(address));
        return new DatabaseSync(address);
      },
      openUnlocked: (path) => new DatabaseSync(addressOf(path)),
      openInMemory: () => new DatabaseSync(":memory:"),
      openLog: () => ({ sync: () => Promise.resolve(), close: () => undefined }),
    },
    close() {
      for (const database of databases.values()) database.close();
    },
  };
}

function draftOf(commit: (content: Buffer) => void): FileDraft {
  const parts: Buffer[] = [];
  return {
    async write(bytes) {
      parts.push(Buffer.from(bytes));
    },
    async commit() {
      commit(Buffer.concat(parts));
    },
    async abandon() {
      parts.length = 0;
    },
  };
}

function spoolOf(): Spool {
  const parts: Buffer[] = [];
  return {
    get sizeBytes() {
      return parts.reduce((sum, part) => sum + part.length, 0);
    },
    async write(bytes) {
      parts.push(Buffer.from(bytes));
    },
    async flush() {},
    async *chunks() {
      yield* parts;
    },
    async discard() {
      parts.length = 0;
    },
  };
}
