import { isUtf8 } from "node:buffer";
import { unreadableLine, unreadableSheet } from "./sheet-failures.ts";

const lineEnd = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf];
/** Workbooks (.xlsx) are ZIP archives, which begin like this. */
const zipStart = [0x50, 0x4b];
/** Old Excel workbooks, and all workbooks with a password. */
const oldStart = [0xd0, 0xcf, 0x11, 0xe0];

/** The kind of a file by its beginning, whatever its name. */
export function fileKind(head: Uint8Array): "text" | "workbook" | "old workbook" {
  if (begins(head, zipStart) && (head[2] ?? 0) < 0x20) return "workbook";
  return begins(head, oldStart) ? "old workbook" : "text";
}

/**
 * Recognizes files other than UTF-8 text by their beginning.
 * @throws {Failure} usage
 */
export function checkEncoding(head: Uint8Array, path: string): void {
  if (isUtf16(head)) throw unreadableSheet(path, "it is UTF-16 text (Excel calls it Unicode Text)");
  if (head.includes(carriageReturn) && !head.includes(lineEnd) && isOldMac(head))
    throw unreadableSheet(path, "its lines end as on old Macintoshes");
}

/** The text after a byte order mark, if there is one. */
export function withoutMark(head: Uint8Array): Uint8Array {
  return begins(head, byteOrderMark) ? head.subarray(byteOrderMark.length) : head;
}

/**
 * Whole lines as text.
 * @param line the number of the first line
 * @throws {Failure} usage, with the line that isn't UTF-8 or has a zero character
 */
export function decodeLines(bytes: Uint8Array, line: number, path: string): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw unreadableLine(path, line + lineEndsIn(bytes.subarray(0, zero)), "it has a NUL character in it");
  try {
    return decode(bytes);
  } catch {
    throw unreadableLine(path, line + goodLines(bytes), "it isn't UTF-8 text");
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/**
 * How many lines from the start can be decoded. No UTF-8 character contains the byte of a line end, so each line is
 * valid or not by itself: the first invalid one is found by bisection.
 */
function goodLines(bytes: Uint8Array): number {
  let [good, wrong] = [0, bytes.length];
  while (good < wrong) {
    const middle = (good + wrong) >> 1;
    const end = bytes.indexOf(lineEnd, middle);
    const next = end < 0 ? bytes.length : end + 1;
    if (isUtf8(bytes.subarray(0, next))) good = next;
    else wrong = middle;
  }
  return lineEndsIn(bytes.subarray(0, good));
}

/** By its byte order mark, or by the zeros next to ASCII letters. */
function isUtf16(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const pairs = Math.floor(head.length / 2);
  const zeros = head.filter((byte) => byte === 0).length;
  return pairs > 0 && zeros >= pairs / 2 && head.subarray(0, 2).filter((byte) => byte === 0).length === 1;
}

/** True where more text follows the first carriage return. */
function isOldMac(head: Uint8Array): boolean {
  const first = head.indexOf(carriageReturn);
  return first < head.length - 1;
}

function begins(head: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => head[index] === byte);
}

function lineEndsIn(bytes: Uint8Array): number {
  return bytes.filter((byte) => byte === lineEnd).length;
}
