import { basename, dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { FileDraft, FileFacts, Files, Spool } from "../../src/host/files/files.ts";
import { FileTooLarge } from "../../src/host/files/files.ts";
import type { Sqlite } from "../../src/host/databases/sqlite.ts";

/** A disk in memory: its files outlive a process, and in its databases only commits do. */
export interface TownDisk {
  readonly files: Files;
  readonly sqlite: Sqlite;
  /** Copies a file, or a folder with its contents, to an unused path; of a database, the committed state. */
  copy(from: string, to: string, onto?: TownDisk): Promise<void>;
  /** Writes a file to this path. */
  put(path: string, content: Buffer | DatabaseSync): Promise<void>;
  /** Removes a file, or a folder with its contents. */
  remove(path: string): void;
  close(): void;
}

const ownerId = process.getuid?.() ?? 0;
/** The size of a database from outside; once created it is never empty. */
const databaseBytes = 8192;
let databasesMade = 0;

/** A database in memory, kept as long as a connection is open. */
interface KeptDatabase {
  readonly address: URL;
  readonly keeper: DatabaseSync;
}

function newDatabase(): KeptDatabase {
  databasesMade += 1;
  const address = new URL(`file:town-${databasesMade}?mode=memory&cache=shared`);
  return { address, keeper: new DatabaseSync(address) };
}

export function openDisk(): TownDisk {
  const contents = new Map<string, Buffer>();
  const folders = new Set<string>();
  const databases = new Map<string, KeptDatabase>();
  const databaseAt = (path: string) => {
    const database = databases.get(path);
    if (database !== undefined) return database;
    throw Object.assign(new Error("unable to open database file"), { code: "ERR_SQLITE_ERROR", errcode: 14 });
  };

  const facts = async (path: string): Promise<FileFacts | undefined> => {
    const plain = path.replace(/\/\.$/, "");
    if (folders.has(plain)) return { kind: "folder", mode: 0o700, ownerId, sizeBytes: 0, modifiedMs: 0, changedMs: 0 };
    const sizeBytes = databases.has(plain) ? databaseBytes : contents.get(plain)?.length;
    return sizeBytes === undefined
      ? undefined
      : { kind: "file", mode: 0o600, ownerId, sizeBytes, modifiedMs: 0, changedMs: 0 };
  };
  const read = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const content = contents.get(path);
    if (content === undefined) throw Object.assign(new Error(`There is no ${path}`), { code: "ENOENT" });
    if (content.length > maxBytes) throw new FileTooLarge(`${path} is larger than ${maxBytes} bytes`);
    return content;
  };

  const put = async (path: string, content: Buffer | DatabaseSync): Promise<void> => {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.add(folder);
    if (Buffer.isBuffer(content)) return void contents.set(path, content);
    const made = newDatabase();
    await backup(content, made.address);
    return void databases.set(path, made);
  };

  const disk: TownDisk = {
    put,
    async copy(from, to, onto = disk) {
      const files: (readonly [string, Buffer | DatabaseSync])[] = [
        ...contents,
        ...Array.from(databases, ([path, { keeper }]) => [path, keeper] as const),
      ];
      for (const [path, content] of files) if (isIn(path, from)) await onto.put(to + path.slice(from.length), content);
    },
    remove(from) {
      for (const path of [...contents.keys()].filter((path) => isIn(path, from))) contents.delete(path);
      for (const path of [...folders].filter((path) => isIn(path, from))) folders.delete(path);
      for (const [path, { keeper }] of databases)
        if (isIn(path, from)) {
          databases.delete(path);
          keeper.close();
        }
    },
    files: {
      read,
      facts,
      names: async (folder) =>
        [...contents.keys()].flatMap((path) => (dirname(path) === folder ? [basename(path)] : [])),
      isSame: async (one, other) => one === other,
      leadsTo: async (path) => ({ path, namesCount: contents.has(path) ? 1 : 0 }),
      placeId: async () => undefined,
      async *chunks(path) {
        yield await read(path, Infinity);
      },
      append(path, text) {
        contents.set(
          path,
          Buffer.concat([
            contents.get(path) ?? Buffer.alloc(0),
            Buffer.from(typeof text === "string" ? text : `\n${text(0)}`),
          ]),
        );
      },
      draft: async (path) => draftOf((content) => void contents.set(path, content)),
      async makeFolder(path) {
        for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) folders.add(folder);
      },
      async remove(path) {
        contents.delete(path);
      },
      lock: lockEach(),
      temporaryFolder: async () => ({ path: "/tmp/town", remove: async () => undefined }),
      renameFolder: () => Promise.reject(new Error("No folder of the town is renamed.")),
      removeFolder: () => Promise.reject(new Error("No folder of the town is removed.")),
      spool: () => spoolOf(),
    },
    sqlite: {
      open(path, use) {
        if (use === "create" && !databases.has(path)) databases.set(path, newDatabase());
        return new DatabaseSync(databaseAt(path).address);
      },
      openToRead: (path) => new DatabaseSync(databaseAt(path).address),
      openUnlocked: (path) => new DatabaseSync(databaseAt(path).address),
      openInMemory: () => new DatabaseSync(":memory:"),
      openLog: () => ({
        sync: () => Promise.resolve(),
        isEmpty: () => true,
        renew: () => undefined,
        close: () => undefined,
      }),
    },
    close() {
      for (const { keeper } of databases.values()) keeper.close();
    },
  };
  return disk;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Each path has one lock at a time, and others wait. */
function lockEach(): Files["lock"] {
  const held = new Map<string, Promise<void>>();
  return async (path) => {
    for (let holder = held.get(path); holder !== undefined; holder = held.get(path)) await holder;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(path, promise);
    return async () => {
      if (held.get(path) === promise) held.delete(path);
      resolve();
    };
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
