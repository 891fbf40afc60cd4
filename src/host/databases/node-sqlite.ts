import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { LogFile, Sqlite } from "./sqlite.ts";
import { DatabaseAway } from "./sqlite.ts";
import { identityOf } from "../files/identity.ts";
import { codeOf } from "../system-error.ts";

const fileMode = 0o600;
/** How much of a log is in memory while it is rewritten. */
const pieceBytes = 1024 * 1024;

/** Node's own SQLite; the only place that loads it. */
export function nodeSqlite(): Sqlite {
  const { DatabaseSync } = loadQuietly();
  return {
    open(path, use): DatabaseSync {
      if (use === "create") createEmpty(path);
      const address = pathToFileURL(path);
      // Without this, SQLite would create the file.
      address.searchParams.set("mode", "rw");
      return new DatabaseSync(address);
    },
    openToRead(path) {
      const address = pathToFileURL(path);
      address.searchParams.set("mode", "ro");
      return new DatabaseSync(address, { readOnly: true });
    },
    openUnlocked(path) {
      const address = pathToFileURL(path);
      address.searchParams.set("mode", "ro");
      address.searchParams.set("immutable", "1");
      return new DatabaseSync(address, { readOnly: true });
    },
    openInMemory: () => new DatabaseSync(":memory:"),
    openLog,
  };
}

/** SQLite's locks are on the database and on the log's index: closing this file does not drop them. */
function openLog(path: string): LogFile {
  const log = `${path}-wal`;
  const descriptor = openSync(log, "r+");
  const identities = () => [path, log].map((file) => identityOf(file)).join(", ");
  const opened = identities();
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(descriptor, (error) => {
          if (error !== null) reject(error);
          else if (identities() !== opened) reject(new DatabaseAway(`${path} is another file, or none`));
          else resolve();
        });
      }),
    isEmpty: () => fstatSync(descriptor).size === 0,
    renew() {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let at = 0; ;) {
        const length = readSync(descriptor, piece, 0, pieceBytes, at);
        if (length === 0) break;
        for (let written = 0; written < length;)
          written += writeSync(descriptor, piece, written, length - written, at + written);
        at += length;
      }
      fdatasyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

/**
 * Creates the file only if it is missing: closing a file that SQLite has open in this process would drop SQLite's
 * locks.
 */
function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", fileMode));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Some versions of Node warn on stderr that SQLite is experimental; this suppresses only that warning. */
function loadQuietly(): typeof import("node:sqlite") {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]): void => {
    if (!String(warning).includes("SQLite")) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
