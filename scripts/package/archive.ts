import { gzipSync } from "node:zlib";

/** A file that goes into an archive; its folders come by themselves. */
export interface ArchiveFile {
  /** From the archive's root, with slashes: `usr/bin/partner`. */
  readonly path: string;
  readonly content: Buffer;
  readonly executable?: boolean;
}

const blockBytes = 512;
const systemByte = 9;
const unknownSystem = 255;
const names = {
  name: 0,
  mode: 100,
  user: 108,
  group: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  magic: 257,
} as const;
const ownerName = 265;
const groupName = 297;

/** The files as a tar archive: sorted, owned by root, all of one age, so that the same files give the same bytes. */
export function tar(files: readonly ArchiveFile[], moment: Date): Buffer {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const folders = new Set(sorted.flatMap(({ path }) => foldersAbove(path)));
  const parts = [
    ...["./", ...[...folders].toSorted()].map((folder) => tarHeader(folder, 0o755, 0, "5", moment)),
    ...sorted.flatMap(({ path, content, executable }) => [
      tarHeader(`./${path}`, executable === true ? 0o755 : 0o644, content.length, "0", moment),
      content,
      Buffer.alloc(-content.length & (blockBytes - 1)),
    ]),
  ];
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

function foldersAbove(path: string): string[] {
  const words = path.split("/").slice(0, -1);
  return words.map((_, index) => `./${words.slice(0, index + 1).join("/")}/`);
}

function tarHeader(path: string, mode: number, size: number, type: string, moment: Date): Buffer {
  const header = Buffer.alloc(blockBytes);
  if (Buffer.byteLength(path) > names.mode) throw new Error(`${path} is too long for the archive.`);
  header.write(path, names.name);
  header.write(octal(mode, 7), names.mode);
  header.write(octal(0, 7), names.user);
  header.write(octal(0, 7), names.group);
  header.write(octal(size, 11), names.size);
  header.write(octal(secondsOf(moment), 11), names.time);
  header.write(" ".repeat(8), names.sum);
  header.write(type, names.type);
  header.write("ustar\x0000", names.magic, "latin1");
  header.write("root", ownerName);
  header.write("root", groupName);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, names.sum);
  return header;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

/** The members as an ar archive, which is what a Debian package is. */
export function ar(members: readonly ArchiveFile[], moment: Date): Buffer {
  const parts = members.flatMap(({ path, content }) => [
    Buffer.from(
      `${path.padEnd(16)}${String(secondsOf(moment)).padEnd(12)}0     0     100644  ${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.length % 2 === 0 ? "" : "\n"),
  ]);
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}

/** Compressed, without a time, a name or the system that it was done on. */
export function gzip(content: Buffer): Buffer {
  const compressed = gzipSync(content, { level: 9 });
  compressed[systemByte] = unknownSystem;
  return compressed;
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
