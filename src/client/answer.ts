import type { Endpoint, Rows } from "../contract/endpoint.ts";
import { elementMaxBytes, elements } from "../json/elements.ts";
import { JsonError } from "../json/json-error.ts";
import { decodeClaim, decodeJson } from "../contract/wire.ts";
import type { Spool } from "../host/files/files.ts";
import type { WireResponse } from "../host/http/transport.ts";
import { Failure, interruption } from "../values/failure.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import type { AskedRequest } from "./refusal.ts";
import { hiddenRefusal } from "./refusal.ts";
import { documentMaxBytes } from "./limits.ts";

/** The size of one piece of an arriving answer. */
const pieceBytes = 32 * 1024;
/**
 * The longest run of white space. It is shorter than an element may be, so that white space is reported as what it is.
 */
const whiteSpaceMaxBytes = elementMaxBytes / 2;

/** Reads the whole answer. It throws where the wire does, so that a broken answer is never half used. */
export async function receiveAnswer(response: WireResponse, answer: Spool): Promise<void> {
  for await (const chunk of limitWhiteSpace(response.body)) await answer.write(chunk).catch(spoolFailed);
  await answer.flush().catch(spoolFailed);
}

/**
 * Passes the body on. A run of white space is not read to its end, which may never come.
 * @throws {JsonError} where a run is longer than `whiteSpaceMaxBytes`
 */
async function* limitWhiteSpace(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [whiteSpaceBytes, position] = [0, 0];
  for await (const chunk of body) {
    whiteSpaceBytes = isWhiteSpace(chunk) ? whiteSpaceBytes + chunk.length : 0;
    if (whiteSpaceBytes > whiteSpaceMaxBytes)
      throw new JsonError(`more than ${whiteSpaceMaxBytes} bytes of white space in a row`, position);
    position += chunk.length;
    yield chunk;
  }
}

function spoolFailed(cause: unknown): never {
  throw new SpoolError(cause);
}

/** The answer could not be spooled: the temporary folder is full or missing. */
export class SpoolError extends Error {
  override readonly name = "SpoolError";

  constructor(cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    super(`The service's answer could not be stored in the temporary folder${code}.`, { cause });
  }
}

/** True where every byte is white space of JSON. */
function isWhiteSpace(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/**
 * Decodes a small answer. Invalid UTF-8 in a text becomes U+FFFD and is not an error.
 * @param isClaim true where a repeated member makes the answer unreadable
 * @throws {JsonError} where it isn't JSON
 */
export async function decodeAnswer(answer: Spool, isClaim = false): Promise<JsonValue> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.chunks()) text += decoder.decode(chunk, { stream: true });
  text += decoder.decode();
  return isClaim ? decodeClaim(text) : decodeJson(text);
}

/**
 * The rows of a list of any length, decoded while they are read, from the start each time.
 * @throws {Failure} while they are read: unavailable where the answer isn't a list of objects; refused, setup … where
 * it is an error body with a success status; interrupted
 */
export function decodeRows(answer: Spool, at: readonly string[], asked: AskedRequest, signal: AbortSignal): Rows {
  return { [Symbol.asyncIterator]: () => rowsOf(answer.chunks(), at, asked, signal) };
}

/**
 * The same while they arrive, once only.
 * @throws {Failure} while they are read: as above
 * @throws what `inWords` makes of an error of the wire
 */
export function arrivingRows(
  body: AsyncIterable<Uint8Array>,
  at: readonly string[],
  asked: AskedRequest,
  { inWords, signal }: { readonly inWords: (error: unknown) => unknown; readonly signal: AbortSignal },
): Rows {
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) throw new Error("Rows can be read once while they arrive.");
      isRead = true;
      return rowsOf(inPieces(worded(body, inWords)), at, asked, signal);
    },
  };
}

async function* worded(
  body: AsyncIterable<Uint8Array>,
  inWords: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* limitWhiteSpace(body);
  } catch (error) {
    throw inWords(error);
  }
}

/** The same bytes in larger pieces: compressed answers come in small ones, which cost more each. */
async function* inPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [chunks, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield chunks.length === 1 ? chunk : Buffer.concat(chunks);
    [chunks, bytes] = [[], 0];
  }
  yield Buffer.concat(chunks);
}

const byteOrderMark = Buffer.from("\uFEFF");

/** The bytes after a byte order mark, where there is one: an answer that is decoded whole may have it, too. */
async function* withoutMark(answer: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = Buffer.alloc(0);
  for await (const chunk of answer) {
    if (start === undefined) yield chunk;
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < byteOrderMark.length) continue;
      yield byteOrderMark.equals(start.subarray(0, byteOrderMark.length))
        ? start.subarray(byteOrderMark.length)
        : start;
      start = undefined;
    }
  }
  if (start !== undefined) yield start;
}

async function* rowsOf(
  answer: AsyncIterable<Uint8Array>,
  at: readonly string[],
  asked: AskedRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonObject[]> {
  const list = elements(withoutMark(answer), at);
  try {
    for await (const batch of list) {
      if (signal.aborted) throw interruption(signal, { requestId: asked.requestId });
      yield objectsOf(batch, asked);
    }
  } catch (error) {
    if (error instanceof JsonError) throw unreadable(error.message, asked.requestId, error);
    throw error;
  }
  const { document, found } = list.rest;
  const refused = document === undefined ? undefined : hiddenRefusal(document, asked);
  if (refused !== undefined) throw refused;
  if (!found) throw unreadable("It holds no list.", asked.requestId);
}

/** An answer with a success status that is not what the specification describes. */
export function unreadable(why: string, requestId: string, cause?: unknown): Failure {
  return new Failure("unavailable", `The service's answer could not be read. ${why}`, {
    hint: "Check that the base URL is the service's: partner profile show. Look at the answer: --debug",
    requestId,
    cause,
  });
}

function objectsOf(batch: readonly JsonValue[], asked: AskedRequest): readonly JsonObject[] {
  if (batch.every(isJsonObject)) return batch;
  throw unreadable("An entry of the list isn't an object.", asked.requestId);
}

/**
 * Checks an answer that is passed on without decoding: it must be JSON, and not a refusal under a success status. A
 * long list is read row by row.
 * @throws {JsonError | Failure}
 */
export async function checkRawAnswer(
  answer: Spool,
  { response }: Endpoint<"reads">,
  asked: AskedRequest,
  signal: AbortSignal,
): Promise<void> {
  if (response.kind === "rows" && answer.sizeBytes > documentMaxBytes) {
    const rows = decodeRows(answer, response.at, asked, signal)[Symbol.asyncIterator]();
    while ((await rows.next()).done !== true);
    return;
  }
  const refused = hiddenRefusal(await decodeAnswer(answer), asked);
  if (refused !== undefined) throw refused;
}
