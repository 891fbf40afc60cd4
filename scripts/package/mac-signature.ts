import { createHash } from "node:crypto";

/** Numbers of Apple's file formats. A program's headers are little-endian, what signs it is big-endian. */
const program64 = 0xfeedfacf;
const segmentCommand = 0x19;
const signatureCommand = 0x1d;
const headerBytes = 32;
const commandBytes = 16;
const sectionBytes = 80;
const signatureAlignmentBytes = 16;
/** What Apple's processors map at once. */
const mappedPageBytes = 0x4000;
const hashedPageBytes = 4096;
const hashBytes = 32;
const wrapperBytes = 20;
const directoryBytes = 88;

interface Segment {
  readonly name: string;
  /** Where its command stands. */
  readonly at: number;
  readonly fileOffset: number;
  readonly fileBytes: number;
  /** Where its first section's bytes are; none for a segment without sections. */
  readonly firstSection: number;
}

/**
 * A macOS program with an ad-hoc signature: the hash of each of its pages, and nobody's name. Apple's processors run no
 * program without one, and putting the build into Node has made its own invalid. What a stranger's machine asks of a
 * download, a Developer ID and a notarization, only the owner of one can add. A file of another kind is given back as
 * it is.
 * @throws {Error} for a program that is laid out in another way
 */
export function signForMac(file: Buffer, identifier: string): Buffer {
  if (file.readUInt32LE(0) !== program64) return file;
  const { segments, end, isSigned } = commandsOf(file);
  const [text, last] = ["__TEXT", "__LINKEDIT"].map((name) => segments.find((segment) => segment.name === name));
  const room = Math.min(...segments.map(({ firstSection }) => firstSection)) - end;
  if (text === undefined || last === undefined || isSigned || room < commandBytes)
    throw new Error("This program cannot be signed.");
  const codeBytes = align(file.length, signatureAlignmentBytes);
  const signatureBytes = sizeOf(identifier, codeBytes);
  const code = Buffer.concat([file, Buffer.alloc(codeBytes - file.length)]);
  code.writeUInt32LE(file.readUInt32LE(16) + 1, 16);
  code.writeUInt32LE(file.readUInt32LE(20) + commandBytes, 20);
  [signatureCommand, commandBytes, codeBytes, signatureBytes].forEach((value, index) =>
    code.writeUInt32LE(value, end + 4 * index),
  );
  const lastBytes = codeBytes + signatureBytes - last.fileOffset;
  code.writeBigUInt64LE(BigInt(align(lastBytes, mappedPageBytes)), last.at + 32);
  code.writeBigUInt64LE(BigInt(lastBytes), last.at + 48);
  return Buffer.concat([code, signature(code, identifier, text)]);
}

function commandsOf(file: Buffer): { segments: Segment[]; end: number; isSigned: boolean } {
  const segments: Segment[] = [];
  let [at, isSigned] = [headerBytes, false];
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const command = file.readUInt32LE(at);
    if (command === segmentCommand) segments.push(segmentAt(file, at));
    if (command === signatureCommand) isSigned = true;
    at += file.readUInt32LE(at + 4);
  }
  return { segments, end: at, isSigned };
}

function segmentAt(file: Buffer, at: number): Segment {
  const offsets = Array.from({ length: file.readUInt32LE(at + 64) }, (_, index) =>
    file.readUInt32LE(at + 72 + index * sectionBytes + 48),
  );
  return {
    name: file.toString("latin1", at + 8, at + 24).replace(/\0+$/, ""),
    at,
    fileOffset: Number(file.readBigUInt64LE(at + 40)),
    fileBytes: Number(file.readBigUInt64LE(at + 48)),
    firstSection: Math.min(...offsets.filter((offset) => offset > 0)),
  };
}

function sizeOf(identifier: string, codeBytes: number): number {
  return wrapperBytes + directoryBytes + identifier.length + 1 + Math.ceil(codeBytes / hashedPageBytes) * hashBytes;
}

/** A wrapper around one directory: what the hashes are of, and the hashes. */
function signature(code: Buffer, identifier: string, text: Segment): Buffer {
  const pages = Math.ceil(code.length / hashedPageBytes);
  const head = Buffer.alloc(wrapperBytes + directoryBytes);
  const bytes = sizeOf(identifier, code.length);
  const hashesAt = directoryBytes + identifier.length + 1;
  const adHocByLinker = 0x20002;
  const words = [0xfade0cc0, bytes, 1, 0, wrapperBytes, 0xfade0c02, bytes - wrapperBytes, 0x20400, adHocByLinker];
  [...words, hashesAt, directoryBytes, 0, pages, code.length].forEach((word, index) =>
    head.writeUInt32BE(word, 4 * index),
  );
  const sha256 = 2;
  head.set([hashBytes, sha256, 0, Math.log2(hashedPageBytes)], wrapperBytes + 36);
  const mainProgram = 1;
  [text.fileOffset, text.fileBytes, mainProgram].forEach((value, index) =>
    head.writeBigUInt64BE(BigInt(value), wrapperBytes + 64 + 8 * index),
  );
  const hashes = Array.from({ length: pages }, (_, page) =>
    createHash("sha256")
      .update(code.subarray(page * hashedPageBytes, (page + 1) * hashedPageBytes))
      .digest(),
  );
  return Buffer.concat([head, Buffer.from(`${identifier}\0`), ...hashes]);
}

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}
