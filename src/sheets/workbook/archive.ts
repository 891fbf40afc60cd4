import { crc32 } from "node:zlib";
import { promisify } from "node:util";
import type { Entry, ZipFile } from "yauzl";
import { fromBuffer } from "yauzl";
import { Failure } from "../../values/failure.ts";
import { unreadableSheet } from "../sheet-failures.ts";

/** A workbook of 100,000 rows has a tenth of this; a zip bomb has more. */
const unpackedMaxBytes = 256 * 1024 * 1024;
/** Sheets, styles, pictures: real workbooks have a few dozen parts. */
const partsMaxCount = 10_000;

/** The parts of a workbook by their paths. A workbook is a ZIP archive. */
export interface Archive {
  readonly paths: ReadonlySet<string>;
  /**
   * A part in pieces. A wrong check sum is only found, and thrown, after the last one.
   * @throws {Failure} usage
   */
  part(path: string): AsyncGenerator<Uint8Array>;
}

/**
 * Opens a workbook's archive. The declared sizes are added up before anything is unpacked, and no part yields more than
 * it declares.
 * @throws {Failure} usage: not an archive, damaged, encrypted, or larger than 256 MiB once unpacked
 */
export async function openArchive(bytes: Buffer, path: string): Promise<Archive> {
  const parts = new Map<string, Entry>();
  const zip = await readable(path, () => promisify(openBuffer)(bytes));
  await readable(path, async () => {
    let unpackedBytes = 0;
    for await (const entry of entriesOf(zip)) {
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > unpackedMaxBytes || parts.size >= partsMaxCount) throw tooLarge(path);
      if (entry.isEncrypted()) throw unreadableSheet(path, "it is encrypted", { hint: "Save it without a password." });
      if (parts.has(entry.fileName)) throw damaged(path, "a part of it occurs twice");
      parts.set(entry.fileName, entry);
    }
  });
  return {
    paths: new Set(parts.keys()),
    async *part(name) {
      const entry = parts.get(name);
      if (entry === undefined) throw damaged(path, `it has no part ${name}`);
      yield* unpacked(zip, entry, path);
    },
  };
}

/** The failure of a damaged workbook. */
export function damaged(path: string, why: string, cause?: unknown): Failure {
  return unreadableSheet(path, `as a workbook it is damaged: ${why}`, {
    hint: "Save it again, or name another.",
    cause,
  });
}

function openBuffer(bytes: Buffer, done: (error: Error | null, zip: ZipFile) => void): void {
  fromBuffer(bytes, { lazyEntries: true, autoClose: false }, done);
}

/** The entries of its directory, one at a time. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const next = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.once("entry", resolve);
      zip.once("end", () => resolve(undefined));
      zip.once("error", reject);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (next === undefined) return;
    yield next;
  }
}

async function* unpacked(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Uint8Array> {
  let sum = 0;
  const stream = await readable(path, () =>
    promisify((done: Parameters<ZipFile["openReadStream"]>[1]) => zip.openReadStream(entry, done))(),
  );
  try {
    for await (const piece of stream) {
      if (!(piece instanceof Uint8Array)) continue;
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw error instanceof Failure ? error : damaged(path, `${entry.fileName} cannot be unpacked`, error);
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) throw damaged(path, `the checksum of ${entry.fileName} is wrong`);
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Failure ? error : damaged(path, "its archive cannot be read", error);
  }
}

function tooLarge(path: string): Failure {
  const limit = `${unpackedMaxBytes / 1024 ** 2} MiB`;
  return unreadableSheet(path, `it would be larger than ${limit} once unpacked`, {
    hint: "Split it, or save it as CSV.",
  });
}
