import type { JsonObject, JsonValue } from "../values/json.ts";
import { JsonError } from "./json-error.ts";
import { JsonPieces } from "./pieces.ts";
import type { JsonReader } from "./reader.ts";
import { MoreNeeded } from "./tokens.ts";
import { setMember } from "./member.ts";

/** The longest element of a list, with the white space before it. */
export const elementMaxBytes = 1_048_576;
/** The longest document around a list, white space included. */
export const restMaxBytes = 1_048_576;

const elementTooLong = `an element is longer than ${elementMaxBytes} bytes`;
const restTooLong = `what is not the list is longer than ${restMaxBytes} bytes`;

/** The document around the list. */
export interface Rest {
  /** False where there was no array at the path: then `document` is the whole document, such as an error body. */
  readonly found: boolean;
  /** The document without the list; undefined if the document was the list. */
  readonly document: JsonValue | undefined;
}

/** A list that is being read: batches of its elements first, then the document around it. */
export interface Elements extends AsyncIterable<JsonValue[]> {
  /** Known when all batches are read; throws before that. */
  readonly rest: Rest;
}

/**
 * Reads a list of any length from a JSON document that arrives in pieces: the array at `path` (`["result",
 * "statement"]`; `[]` for a document that is the array). Only one piece and one element are in memory, and a batch has
 * the elements that a piece completes. Strings may share the memory of their piece, so copy them where many outlive
 * their batch.
 *
 * The whole document is read as strictly as by `decodeJson`, including the part after the list, and a byte order mark
 * is refused. There is one difference: with repeated names, `JSON.parse` uses the last one, but a name of the path that
 * is repeated after the list is an error, because the elements have already been passed on.
 * @throws {JsonError} from the iteration, where the document isn't JSON, or a limit is exceeded
 */
export function elements(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, path: readonly string[]): Elements {
  let rest: Rest | undefined;
  return {
    async *[Symbol.asyncIterator]() {
      rest = yield* readDocument(new JsonPieces(pieces), path);
    },
    get rest() {
      if (rest === undefined) throw new Error("What stands around a list is known when the list is read to its end.");
      return rest;
    },
  };
}

async function* readDocument(pieces: JsonPieces, path: readonly string[]): AsyncGenerator<JsonValue[], Rest> {
  try {
    const head = await pieces.read((reader) => readHead(reader, path), restMaxBytes, restTooLong);
    const headBytes = pieces.position;
    if (head.found) yield* readList(pieces, path.length + 1);
    const listEnd = pieces.position;
    const tailMaxBytes = restMaxBytes - headBytes;
    await pieces.read((reader) => readTail(reader, path, head.around), tailMaxBytes, restTooLong);
    if (pieces.position - listEnd > tailMaxBytes) throw new JsonError(restTooLong, pieces.position);
    return { found: head.found, document: head.document };
  } finally {
    await pieces.close();
  }
}

async function* readList(pieces: JsonPieces, depth: number): AsyncGenerator<JsonValue[], void> {
  for (let isFirst = true; ; isFirst = false) {
    const { batch, isLast } = await pieces.read(
      (reader) => readBatch(reader, depth, isFirst),
      elementMaxBytes,
      elementTooLong,
    );
    if (batch.length > 0) yield batch;
    if (isLast) return;
  }
}

/** Reads all complete elements: at least one, or the end of the list. */
function readBatch(reader: JsonReader, depth: number, isFirst: boolean): { batch: JsonValue[]; isLast: boolean } {
  const batch: JsonValue[] = [];
  let doneAt = 0;
  try {
    while (reader.item(isFirst && doneAt === 0)) {
      batch.push(reader.value(depth));
      if (reader.isFurtherThan(elementMaxBytes, doneAt)) throw reader.fault(elementTooLong);
      doneAt = reader.at;
    }
    return { batch, isLast: true };
  } catch (error) {
    if (!(error instanceof MoreNeeded) || doneAt === 0) throw error;
    reader.at = doneAt;
    return { batch, isLast: false };
  }
}

interface Head extends Rest {
  /** The objects around the list, outermost first; they continue after it. */
  readonly around: readonly JsonObject[];
}

/** Reads up to the list and into it; or the whole document, where there is no array at the path. */
function readHead(reader: JsonReader, path: readonly string[]): Head {
  const around: JsonObject[] = [];
  const document = readUpToList(reader, path, around);
  return document === undefined ? { found: true, document: around[0], around } : { found: false, document, around: [] };
}

/** Reads a value that may be or contain the list. Returns undefined in that case, with the reader inside the list. */
function readUpToList(reader: JsonReader, path: readonly string[], around: JsonObject[]): JsonValue | undefined {
  const depth = around.length;
  const name = path[depth];
  if (name === undefined) {
    if (!reader.isAtArray()) return reader.value(depth);
    reader.enter(depth);
    return undefined;
  }
  if (!reader.isAtObject()) return reader.value(depth);
  const object: JsonObject = {};
  around.push(object);
  reader.enter(depth);
  for (let member = reader.member(true); member !== undefined; member = reader.member(false)) {
    const value = member === name ? readUpToList(reader, path, around) : reader.value(depth + 1);
    if (value === undefined) {
      leaveOpen(object, member, around[depth + 1]);
      return undefined;
    }
    setMember(object, member, value);
  }
  around.pop();
  return object;
}

/**
 * Adds the object around the list to its parent. The list itself is not a member, and removes an earlier one of its
 * name.
 */
function leaveOpen(object: JsonObject, name: string, inner: JsonObject | undefined): void {
  if (inner === undefined) delete object[name];
  else setMember(object, name, inner);
}

/**
 * Reads the rest of the objects around the list, innermost first, and checks that nothing follows. A repeated call sets
 * the same members.
 */
function readTail(reader: JsonReader, path: readonly string[], around: readonly JsonObject[]): void {
  for (const [depth, object] of [...around.entries()].toReversed()) {
    for (let member = reader.member(false); member !== undefined; member = reader.member(false)) {
      if (member === path[depth]) throw reader.fault("a name that leads to the list occurs twice");
      setMember(object, member, reader.value(depth + 1));
    }
  }
  reader.end();
}
