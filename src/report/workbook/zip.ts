import type { DeflateRaw } from "node:zlib";
import { crc32, createDeflateRaw } from "node:zlib";
import type { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";

/** A file in the archive, and its text. */
export interface ZipPart {
  readonly path: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
}

/** Facts about a part after it was written. */
interface Tally {
  readonly path: Buffer;
  readonly offset: number;
  crc: number;
  size: number;
  packed: number;
}

/** Takes a third of the time of zlib's default level, for a file that is a fifth longer. */
const level = 2;
/** The size of zlib's output pieces. */
const chunkSize = 64 * 1024;
/** The most bytes of UTF-8 that one unit of a string can take. */
const unitMaxBytes = 3;
/** The limits of the format's fields. */
const archiveMaxBytes = 0xffff_ffff;
const firstYear = 1980;
const lastYear = 2107;
/** Deflate, and sizes that follow the data: a part's size is known when its last row is. */
const methodAndFlags = { needs: 20, flags: 8, method: 8 };

/**
 * An archive that is generated while it is read, and never kept in memory. All times in it are midnight of the given
 * day: the same parts always give the same bytes.
 * @throws {Failure} usage: beyond 4 GiB, and whatever the parts throw
 */
export async function* zip(parts: AsyncIterable<ZipPart> | Iterable<ZipPart>, day: Day): AsyncGenerator<Uint8Array> {
  const date = dosDate(day);
  const tallies: Tally[] = [];
  let offset = 0;
  for await (const part of parts) {
    const tally: Tally = { path: Buffer.from(part.path), offset, crc: 0, size: 0, packed: 0 };
    const head = localHeader(tally, date);
    yield head;
    for await (const bytes of deflated(part.text, tally)) yield bytes;
    yield descriptor(tally);
    offset += head.length + tally.packed + descriptorBytes;
    if (Math.max(offset, tally.size) > archiveMaxBytes) throw tooLarge();
    tallies.push(tally);
  }
  const directory = Buffer.concat(tallies.map((tally) => directoryEntry(tally, date)));
  yield directory;
  yield endOfDirectory(tallies.length, directory.length, offset);
}

async function* deflated(text: ZipPart["text"], tally: Tally): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level, chunkSize });
  const pumped = pump(text, deflate, tally);
  // After an error, reading `deflate` fails as well, and throws it.
  pumped.catch(() => undefined);
  for await (const bytes of deflate) {
    if (!(bytes instanceof Uint8Array)) continue;
    tally.packed += bytes.length;
    yield bytes;
  }
  await pumped;
}

/** While zlib's thread packs a piece, the next one is generated into the other of two buffers. */
async function pump(text: ZipPart["text"], deflate: DeflateRaw, tally: Tally): Promise<void> {
  let [room, other] = [Buffer.alloc(0), Buffer.alloc(0)];
  let packed: Promise<void> = Promise.resolve();
  try {
    for await (const piece of text) {
      const mostBytes = piece.length * unitMaxBytes;
      if (mostBytes > room.length) room = Buffer.allocUnsafeSlow(mostBytes);
      const bytes = room.subarray(0, room.write(piece));
      tally.crc = crc32(bytes, tally.crc);
      tally.size += bytes.length;
      await packed;
      packed = new Promise((resolve, reject) => {
        deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      packed.catch(() => undefined);
      [room, other] = [other, room];
    }
    await packed;
    deflate.end();
  } catch (error) {
    deflate.destroy(error instanceof Error ? error : undefined);
    throw error;
  }
}

function localHeader({ path }: Tally, date: number): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\u0003\u0004", "latin1");
  writeKind(header, 4, date);
  header.writeUInt16LE(path.length, 26);
  return Buffer.concat([header, path]);
}

const descriptorBytes = 16;

function descriptor(tally: Tally): Buffer {
  const bytes = Buffer.alloc(descriptorBytes);
  bytes.write("PK\u0007\u0008", "latin1");
  writeSizes(bytes, 4, tally);
  return bytes;
}

function directoryEntry(tally: Tally, date: number): Buffer {
  const entry = Buffer.alloc(46);
  entry.write("PK\u0001\u0002", "latin1");
  entry.writeUInt16LE(methodAndFlags.needs, 4);
  writeKind(entry, 6, date);
  writeSizes(entry, 16, tally);
  entry.writeUInt16LE(tally.path.length, 28);
  entry.writeUInt32LE(tally.offset, 42);
  return Buffer.concat([entry, tally.path]);
}

function endOfDirectory(parts: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(parts, 8);
  end.writeUInt16LE(parts, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function writeKind(bytes: Buffer, at: number, date: number): void {
  bytes.writeUInt16LE(methodAndFlags.needs, at);
  bytes.writeUInt16LE(methodAndFlags.flags, at + 2);
  bytes.writeUInt16LE(methodAndFlags.method, at + 4);
  bytes.writeUInt16LE(date, at + 8);
}

function writeSizes(bytes: Buffer, at: number, { crc, packed, size }: Tally): void {
  if (Math.max(packed, size) > archiveMaxBytes) throw tooLarge();
  bytes.writeUInt32LE(crc, at);
  bytes.writeUInt32LE(packed, at + 4);
  bytes.writeUInt32LE(size, at + 8);
}

/** Years outside the format's range become its first or last. */
function dosDate(day: Day): number {
  const [year = 0, month = 1, date = 1] = day.toString().split("-").map(Number);
  const known = Math.min(Math.max(year, firstYear), lastYear);
  return ((known - firstYear) << 9) | (month << 5) | date;
}

function tooLarge(): Failure {
  return new Failure("usage", "The file would be larger than 4 GiB, which is the most that its format can hold.", {
    hint: "Ask for a shorter period, or use --output csv.",
  });
}
