import type { JsonObject, JsonValue } from "../values/json.ts";
import { JsonError } from "./json-error.ts";
import { JsonPieces } from "./pieces.ts";
import type { JsonReader } from "./reader.ts";
import { MoreNeeded } from "./tokens.ts";
import { setMember } from "./member.ts";

/** How long one element of a list may be, the white space before it included. */
export const elementMaxBytes = 1_048_576;
/** How long all that is not the list may be together, white space included. */
export const restMaxBytes = 1_048_576;

const elementTooLong = `an element is longer than ${elementMaxBytes} bytes`;
const restTooLong = `what is not the list is longer than ${restMaxBytes} bytes`;

/** What a document holds besides the list. */
export interface Rest {
  /** False if no array stood at the path: then `document` is all there was, an error body for instance. */
  readonly found: boolean;
  /** The document without the list; undefined if the document was the list. */
  readonly document: JsonValue | undefined;
}

/** A list that is being read: batches of its elements first, then what stood around it. */
export interface Elements extends AsyncIterable<JsonValue[]> {
  /** Known when all batches are read; it throws before that. */
  readonly rest: Rest;
}

/**
 * Reads a list of any length out of a JSON document that comes in pieces: the array that stands at `path`
 * (`["result", "statement"]`; `[]` for a document that is the array). One piece and one element more is all that is
 * held, and a batch is what was complete in a piece. Strings may share the memory of their piece, so copy what is to
 * outlive its batch in large numbers.
 *
 * The whole document is read as strictly as by `decodeJson`, what stands behind the list included, and a byte order
 * mark is refused. There is one difference: where `JSON.parse` lets the last of equal names win, a name of the path
 * that stands again behind the list is an error, because the elements are out already.
 * @throws {JsonError} from the iteration, when the document is not JSON or a limit is passed.
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

/** Reads as many elements as are complete: at least one, or the end of the list. */
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
  /** The objects that lead to the list, outermost first; they go on behind it. */
  readonly around: readonly JsonObject[];
}

/** Reads up to the list and into it; or the whole document, if no array stands at the path. */
function readHead(reader: JsonReader, path: readonly string[]): Head {
  const around: JsonObject[] = [];
  const document = readUpToList(reader, path, around);
  return document === undefined ? { found: true, document: around[0], around } : { found: false, document, around: [] };
}

/** Reads a value that may be or hold the list. No value comes back if it does: the reader stands in the list then. */
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

/** Puts the object that leads further to the list in its place; the list itself leaves no member, not even an earlier one. */
function leaveOpen(object: JsonObject, name: string, inner: JsonObject | undefined): void {
  if (inner === undefined) delete object[name];
  else setMember(object, name, inner);
}

/** Reads the rest of the objects around the list, innermost first, and makes sure that nothing follows. Reading it again sets the same members. */
function readTail(reader: JsonReader, path: readonly string[], around: readonly JsonObject[]): void {
  for (const [depth, object] of [...around.entries()].toReversed()) {
    for (let member = reader.member(false); member !== undefined; member = reader.member(false)) {
      if (member === path[depth]) throw reader.fault("a name that leads to the list stands twice");
      setMember(object, member, reader.value(depth + 1));
    }
  }
  reader.end();
}
