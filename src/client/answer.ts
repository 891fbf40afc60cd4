import type { Rows } from "../contract/endpoint.ts";
import { elements } from "../contract/json-elements.ts";
import { JsonError } from "../contract/json-error.ts";
import { readProblem } from "../contract/problem.ts";
import { decodeJson } from "../contract/wire.ts";
import type { Spool } from "../host/files.ts";
import type { WireResponse } from "../host/transport.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import type { Asked } from "./refusal.ts";
import { refusal } from "./refusal.ts";

/** Takes the whole answer in. It throws where the wire does, so that a broken answer is never half used. */
export async function receive(response: WireResponse, answer: Spool): Promise<void> {
  for await (const chunk of response.body) await answer.write(chunk);
}

/**
 * A small answer, decoded.
 * @throws {JsonError} when it is no JSON
 */
export async function decodeAnswer(answer: Spool): Promise<JsonValue> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const chunk of answer.chunks()) text += decoder.decode(chunk, { stream: true });
    text += decoder.decode();
  } catch {
    throw new JsonError("a byte that is not UTF-8", text.length);
  }
  return decodeJson(text);
}

/**
 * The rows of a list of any length, decoded while they are read, from the start each time.
 * @throws {Failure} while they are read: unavailable when the answer is no list of objects; refused, setup … when it is
 * an error body that came with a success status
 */
export function decodeRows(answer: Spool, at: readonly string[], asked: Asked): Rows {
  return { [Symbol.asyncIterator]: () => rowsOf(answer, at, asked) };
}

async function* rowsOf(answer: Spool, at: readonly string[], asked: Asked): AsyncGenerator<readonly JsonObject[]> {
  const list = elements(answer.chunks(), at);
  try {
    for await (const batch of list) yield objectsOf(batch, asked);
  } catch (error) {
    if (error instanceof JsonError) throw unreadable(error.message, asked.requestId, error);
    throw error;
  }
  const problem = list.rest.document === undefined ? undefined : readProblem(list.rest.document);
  if (problem?.statusCode !== undefined && problem.statusCode >= 400) throw refusal(problem.statusCode, problem, asked);
  if (!list.rest.found) throw unreadable("It holds no list.", asked.requestId);
}

/** An answer with a success status that is not what the specification describes. */
export function unreadable(why: string, requestId: string, cause?: unknown): Failure {
  return new Failure("unavailable", `The service's answer could not be read. ${why}`, {
    hint: "Check that the base URL is the service's: partner profile show. Look at the answer: --debug",
    requestId,
    cause,
  });
}

function objectsOf(batch: readonly JsonValue[], asked: Asked): readonly JsonObject[] {
  if (batch.every(isJsonObject)) return batch;
  throw unreadable("An entry of the list is no object.", asked.requestId);
}
