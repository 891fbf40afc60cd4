import type { Endpoint } from "../contract/endpoint.ts";
import { readProblem } from "../contract/answers/problem.ts";
import { Unreadable } from "../contract/answers/response.ts";
import type { Spool } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import type { WireResponse } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import { JsonError } from "../json/json-error.ts";
import { Failure, interruption } from "../values/failure.ts";
import { decodeAnswer, decodeRows, receiveAnswer, unreadable, SpoolError } from "./answer.ts";
import { answerMemoryMaxBytes, documentMaxBytes } from "./limits.ts";
import type { AskedRequest } from "./refusal.ts";
import { hiddenRefusal, isTransient, refusal } from "./refusal.ts";
import { retryAfter, Transient } from "./retry.ts";
import { isLasting, unreachable } from "./wire-failure.ts";

const roomHint = "Make room there, or set TMPDIR to a folder with room.";

/** Turns the answers of one reader into values or failures, each kept in a spool until `discard`. */
export class AnswerReader {
  readonly #host: Host;
  readonly #spools: Spool[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /** Reads an answer to its end. */
  async whole(response: WireResponse): Promise<Spool> {
    const answer = this.#host.files.spool(answerMemoryMaxBytes);
    this.#spools.push(answer);
    await receiveAnswer(response, answer);
    return answer;
  }

  /** @throws {Unreadable | JsonError | Failure | Transient} the latter two for a refusal under a success status */
  async decode<Input extends object, Output>(
    endpoint: Endpoint<"reads", Input, Output>,
    answer: Spool,
    asked: AskedRequest,
  ): Promise<Output> {
    const { response } = endpoint;
    if (response.kind === "rows") return response.of(decodeRows(answer, response.at, asked, this.#host.signal));
    const body = await decodeAnswer(answer, response.isClaim);
    const refused = hiddenRefusal(body, asked, response.isClaim);
    if (refused !== undefined) throw isTransient(refused.http ?? 0) ? new Transient(refused) : refused;
    return response.decode(body);
  }

  /** The failure of an answer without a success status; `Transient` where another attempt may succeed. */
  async refused(response: WireResponse, asked: AskedRequest): Promise<Failure | Transient> {
    const answer = await this.whole(response);
    const body = answer.sizeBytes > documentMaxBytes ? undefined : await decodeAnswer(answer).catch(() => undefined);
    const problem = body === undefined ? undefined : readProblem(body);
    if (!isTransient(response.status)) return refusal(response.status, problem, asked);
    const waitMs = retryAfter(response.headers["retry-after"], this.#host.clock.now());
    return new Transient(refusal(response.status, problem, { ...asked, waitMs }), waitMs);
  }

  /** Removes the temporary files of all answers. */
  async discard(): Promise<void> {
    await Promise.all(this.#spools.splice(0).map((spool) => spool.discard()));
  }

  /** An error of the wire or of an answer as a failure; any other error unchanged. */
  explain(error: unknown, requestId: string, asked: "whole" | "rows"): unknown {
    if (this.#host.signal.aborted) return interruption(this.#host.signal, { requestId });
    if (error instanceof Unreadable || error instanceof JsonError) return unreadable(error.message, requestId, error);
    if (error instanceof SpoolError)
      return new Failure("unavailable", error.message, { hint: roomHint, requestId, cause: error });
    if (!(error instanceof WireError)) return error;
    const failure = unreachable(error, requestId, asked);
    return isLasting(error) ? failure : new Transient(failure);
  }
}
