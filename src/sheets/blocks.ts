import type { Files } from "../host/files/files.ts";
import { interruption } from "../values/failure.ts";
import { BegunRecord } from "./begun-record.ts";
import { checkEncoding, decodeLines, fileKind, withoutMark } from "./encoding.ts";
import { explainReading, unreadableLine, unreadableSheet } from "./sheet-failures.ts";

/** A million rows of a large book have a tenth of this. */
export const sheetMaxBytes = 1024 * 1024 * 1024;
const sheetLimit = `${sheetMaxBytes / 1024 ** 3} GiB`;
/** A workbook is in memory as a whole while it is read: 100,000 rows have about 5 MiB. */
const workbookMaxBytes = 64 * 1024 * 1024;
/** The longest row, with the line ends in its quoted cells. */
export const recordMaxBytes = 1024 * 1024;
/** Objects made from a piece of this size are collected before V8 treats them as long-lived. */
const pieceMaxBytes = 64 * 1024;
/** How much of a file is needed to recognize its format. */
const headBytes = 512;

const lineEnd = 0x0a;
const quoteMark = 0x22;

/** What is needed to read a sheet. */
export interface SheetHost {
  readonly files: Pick<Files, "facts" | "chunks">;
  readonly signal: AbortSignal;
}

/** Whole records of a sheet as text. */
export interface RecordBlock {
  readonly text: string;
  /** The line of the file in which it begins; line 1 is the header. */
  readonly line: number;
  /** False where it has no quotes. */
  readonly quoted: boolean;
}

/** The content of a file: text in pieces that end at a record's end, or a workbook as a whole. */
export type SheetContent =
  | { readonly kind: "text"; readonly blocks: AsyncGenerator<RecordBlock> }
  | { readonly kind: "workbook" | "old workbook"; readonly bytes: Buffer };

/**
 * Opens a file by its content, whatever its name. Text is read in bounded memory, and must be UTF-8 to the last byte.
 * @throws {Failure} usage (unreadable content, with the line) | interrupted
 */
export async function openContent(host: SheetHost, path: string): Promise<SheetContent> {
  const chunks = boundedChunks(host, path);
  try {
    const head = await headOf(chunks);
    const kind = fileKind(head);
    if (kind !== "text") return { kind, bytes: await restOf(head, chunks, path) };
    checkEncoding(head, path);
    return { kind, blocks: blocksOf(withoutMark(head), chunks, path) };
  } catch (error) {
    await chunks.return(undefined);
    throw error;
  }
}

async function headOf(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < headBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function restOf(head: Uint8Array, chunks: AsyncGenerator<Uint8Array>, path: string): Promise<Buffer> {
  const pieces = [head];
  let total = head.length;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > workbookMaxBytes) throw tooLarge(path, `${workbookMaxBytes / 1024 ** 2} MiB`);
    pieces.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(pieces);
}

async function* blocksOf(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
  path: string,
): AsyncGenerator<RecordBlock> {
  const begun = new BegunRecord();
  let line = 1;
  const take = (bytes: Uint8Array): RecordBlock => {
    const block = { text: decodeLines(bytes, line, path), line, quoted: bytes.includes(quoteMark) };
    line += count(bytes, lineEnd);
    return block;
  };
  try {
    const whole = begun.add(head);
    if (whole !== undefined) yield take(whole);
    for await (const chunk of chunks) {
      const more = begun.add(chunk);
      if (more !== undefined) yield take(more);
      if (begun.length > recordMaxBytes) throw tooLong(begun.bytes, line, path);
    }
    if (begun.length > 0) yield take(begun.bytes);
  } finally {
    await chunks.return(undefined);
  }
}

async function* boundedChunks({ files, signal }: SheetHost, path: string): AsyncGenerator<Uint8Array> {
  try {
    await checkPlace(files, path);
    let total = 0;
    for await (const chunk of untilSignal(files.chunks(path), signal)) {
      total += chunk.length;
      if (total > sheetMaxBytes) throw tooLarge(path, sheetLimit);
      for (let at = 0; at < chunk.length; at += pieceMaxBytes) yield chunk.subarray(at, at + pieceMaxBytes);
    }
  } catch (error) {
    throw explainReading(path, error);
  }
}

/** Pieces as they arrive. A signal ends the wait for the next one, since the writer of a pipe may take forever. */
async function* untilSignal(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = Promise.withResolvers<never>();
  stop.promise.catch(() => undefined);
  const end = () => stop.reject(interruption(signal));
  signal.addEventListener("abort", end, { once: true });
  const reading = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      if (signal.aborted) end();
      const next = await Promise.race([stop.promise, reading.next()]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    const closed = reading.return?.();
    if (!signal.aborted) await closed;
  }
}

/** Refuses a file that is too large, a pipe or a device, before anything is read. */
async function checkPlace(files: SheetHost["files"], path: string): Promise<void> {
  const facts = await files.facts(path);
  if (facts?.kind === "other")
    throw unreadableSheet(path, "it is a pipe or a device", { hint: "Name a file, or /dev/stdin for what is piped." });
  if (facts?.kind === "file" && facts.sizeBytes > sheetMaxBytes) throw tooLarge(path, sheetLimit);
}

function tooLarge(path: string, limit: string) {
  return unreadableSheet(path, `it is larger than ${limit}`, { hint: "Split it." });
}

function tooLong(rest: Uint8Array, line: number, path: string) {
  const why = rest.includes(quoteMark)
    ? "a quote opens in this row, or is alone in it, and is never closed"
    : `it is longer than ${recordMaxBytes / 1024 ** 2} MiB`;
  return unreadableLine(path, line, why, "Correct the row. A quote within a cell is written twice, in quotes.");
}

function count(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}
