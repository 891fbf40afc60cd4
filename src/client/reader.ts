import type { Credentials } from "../contract/authentication.ts";
import { requestHeaders } from "../contract/authentication.ts";
import type { Endpoint, Rows, RowsEndpoint } from "../contract/endpoint.ts";
import { isRead } from "../contract/endpoint.ts";
import { readProblem } from "../contract/problem.ts";
import type { RawParts } from "../contract/raw-read.ts";
import { RawRead } from "../contract/raw-read.ts";
import type { EncodedRequest } from "../contract/request.ts";
import { encodeRequest } from "../contract/request.ts";
import { JsonError } from "../json/json-error.ts";
import { Unreadable } from "../contract/response.ts";
import type { Spool } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import type { WireLimits, WireResponse } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import { Failure, interruption } from "../values/failure.ts";
import type { ServiceClock } from "../values/time/service-clock.ts";
import { checkRawAnswer } from "./raw-answer.ts";
import { checkForm, checkPlace } from "./form-check.ts";
import { arrivingRows, decodeAnswer, decodeRows, receive, unreadable, Unkept } from "./answer.ts";
import { Connection } from "./connection.ts";
import * as limits from "./limits.ts";
import type { Asked } from "./refusal.ts";
import { hiddenRefusal, isTransient, refusal, isWholeSuccess } from "./refusal.ts";
import { retryAfter, Transient, withRetries } from "./retry.ts";
import { isLasting, unreachable } from "./wire-failure.ts";

/** The reason of a failure to tell in time what holds no order up. */
export const late = "late";
const roomHint = "Make room there, or set TMPDIR to a folder with room.";

export interface ReaderSettings {
  readonly connection: Connection;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Hears what time it is there. */
  readonly serviceClock: ServiceClock;
  readonly onWait?: ((waitMs: number, cause: Failure) => void) | undefined;
}

/**
 * Reads from the service and cannot do anything else: an endpoint that moves money does not fit its type. A read is
 * checked before it is sent, tried again when that can help, and nothing of its answer is shown before it is whole.
 */
export class Reader {
  readonly #host: Host;
  readonly #settings: ReaderSettings;
  readonly #spools: Spool[] = [];

  constructor(host: Host, settings: ReaderSettings) {
    this.#host = host;
    this.#settings = settings;
  }

  /**
   * One answer of the service.
   * @throws {Failure} usage (the request's form, a live-only endpoint elsewhere) | setup (credentials) | refused |
   * unavailable | interrupted
   */
  async read<Input extends object, Output>(endpoint: Endpoint<"reads", Input, Output>, input: Input): Promise<Output> {
    return this.#read(endpoint, input, { retries: this.#settings.retries });
  }

  /** The same in one attempt, for what is asked again later anyway. */
  async readOnce<Input extends object, Output>(endpoint: Endpoint<"reads", Input, Output>, input: Input) {
    return this.#read(endpoint, input, { retries: 0 });
  }

  /**
   * What a person should see before an order, and what holds no order up: it is given up after `lookMaxMs`.
   * @param what it tells, in words: `names and balances`
   * @param isTriedAgain true for further attempts, as far as they fit in
   * @throws {Failure} as `read`; with the reason `late` where it was given up
   */
  async look<Input extends object, Output>(
    endpoint: Endpoint<"reads", Input, Output>,
    input: Input,
    { what, isTriedAgain = false }: { readonly what: string; readonly isTriedAgain?: boolean },
  ): Promise<Output> {
    const { clock } = this.#host;
    const withinMs = Math.min(this.#settings.timeoutMs, limits.lookMaxMs);
    const endsAt = clock.elapsed() + withinMs;
    const leftMs = () => endsAt - clock.elapsed();
    try {
      return await this.#read(endpoint, input, { retries: isTriedAgain ? this.#settings.retries : 0, leftMs });
    } catch (error) {
      if (!(error instanceof Failure) || !isTimeout(error)) throw error;
      const message = `The service did not tell ${what} within ${withinMs / 1000} s`;
      throw new Failure("unavailable", message, { requestId: error.requestId, reason: late, cause: error });
    }
  }

  /** What is good to know and not worth waiting for: one attempt, undefined when it fails. */
  async tryRead<Input extends object, Output>(
    endpoint: Endpoint<"reads", Input, Output>,
    input: Input,
  ): Promise<Output | undefined> {
    try {
      return await this.#read(endpoint, input, { retries: 0 });
    } catch (error) {
      if (error instanceof Failure && error.ending !== "interrupted") return undefined;
      throw error;
    }
  }

  /**
   * A list, handed to `use` while it arrives. Where the answer breaks off, `use` begins again with the rows of another
   * one, so nothing of what it does may be seen before it has come to the last row.
   * @throws {Failure} as `read`; and whatever `use` throws
   */
  async stream<Input extends object, Result>(
    endpoint: RowsEndpoint<Input>,
    input: Input,
    use: (rows: Rows) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = this.#host;
    const take: Take<Result> = async (response, asked) => {
      const inWords = (error: unknown) => this.#inWords(error, asked.requestId, "rows");
      try {
        return await use(arrivingRows(response.body, endpoint.response.at, asked, { inWords, signal }));
      } finally {
        // It may have failed before it began to read.
        response.leave();
      }
    };
    return this.#ask(endpoint, input, { retries: this.#settings.retries }, take);
  }

  /**
   * A request as it was typed, and the bytes of its answer as they came. The answer counts as for every other read: it
   * is whole, JSON and no refusal.
   * @throws {Failure} as `read`
   */
  async raw(request: RawRead): Promise<AsyncIterable<Uint8Array>> {
    const attempted = RawRead.partsOf(request);
    const { endpoint } = attempted;
    checkPlace(endpoint, this.#settings.connection.service);
    return this.#attempts(attempted, { retries: this.#settings.retries }, async (response, asked) => {
      try {
        const answer = await this.#whole(response);
        await checkRawAnswer(answer, endpoint, asked, this.#host.signal);
        return answer.chunks();
      } catch (error) {
        throw this.#inWords(error, asked.requestId, endpoint.response.kind);
      }
    });
  }

  #read<Input extends object, Output>(
    endpoint: Endpoint<"reads", Input, Output>,
    input: Input,
    patience: Patience,
  ): Promise<Output> {
    return this.#ask(endpoint, input, patience, async (response, asked) => {
      try {
        return await this.#decode(endpoint, await this.#whole(response), asked);
      } catch (error) {
        throw this.#inWords(error, asked.requestId, endpoint.response.kind);
      }
    });
  }

  async #ask<Input extends object, Result>(
    endpoint: Endpoint<"reads", Input>,
    input: Input,
    patience: Patience,
    take: Take<Result>,
  ): Promise<Result> {
    if (!isRead(endpoint)) throw new Error(`${endpoint.name} is not a read of the specification`);
    checkForm(endpoint, input, this.#settings.connection.service);
    return this.#attempts(
      { endpoint, encoded: encodeRequest(endpoint, input), accountNo: accountIn(input) },
      patience,
      take,
    );
  }

  async #attempts<Result>(
    { endpoint, encoded, accountNo }: RawParts,
    { retries, leftMs }: Patience,
    take: Take<Result>,
  ): Promise<Result> {
    const { onWait, connection } = this.#settings;
    const credentials = await connection.service.credentials(endpoint.auth);
    const { clock, ids, signal } = this.#host;
    const attempt = async () => {
      const asked = { what: endpoint.name, accountNo, requestId: ids.uuid(), group: endpoint.auth };
      try {
        return await take(await this.#send(endpoint, encoded, credentials, asked, leftMs?.()), asked);
      } catch (error) {
        // What took all of the time leaves none for another attempt.
        throw leftMs !== undefined && error instanceof Transient && isTimeout(error.failure) ? error.failure : error;
      }
    };
    return withRetries(attempt, { retries, waitMaxMs: leftMs, clock, ids, signal, onWait });
  }

  /** Gives up the temporary files of the answers that were read. */
  async close(): Promise<void> {
    await Promise.all(this.#spools.splice(0).map((spool) => spool.discard()));
  }

  /** The answer with a success status, of which nothing is read yet. */
  async #send(
    endpoint: Endpoint<"reads">,
    encoded: EncodedRequest,
    credentials: Credentials,
    asked: Asked,
    deadlineMs?: number,
  ): Promise<WireResponse> {
    const { connection, timeoutMs, serviceClock } = this.#settings;
    const askedMs = this.#host.clock.now();
    try {
      const response = await Connection.transportOf(connection)({
        method: endpoint.method,
        url: connection.service.address(endpoint.auth, encoded.target),
        headers: requestHeaders(credentials, asked.requestId),
        body: encoded.body,
        limits: { ...wireLimits(timeoutMs, endpoint.response.kind), ...(deadlineMs && { deadlineMs }) },
        signal: this.#host.signal,
      });
      serviceClock.hear({ headers: response.headers, askedMs, answeredMs: this.#host.clock.now() });
      if (!isWholeSuccess(response.status)) throw await this.#refused(response, asked);
      return response;
    } catch (error) {
      throw this.#inWords(error, asked.requestId, endpoint.response.kind);
    }
  }

  async #whole(response: WireResponse): Promise<Spool> {
    const answer = this.#host.files.spool(limits.answerMemoryMaxBytes);
    this.#spools.push(answer);
    await receive(response, answer);
    return answer;
  }

  async #decode<Input extends object, Output>(
    endpoint: Endpoint<"reads", Input, Output>,
    answer: Spool,
    asked: Asked,
  ): Promise<Output> {
    const { response } = endpoint;
    if (response.kind === "rows") return response.of(decodeRows(answer, response.at, asked, this.#host.signal));
    const body = await decodeAnswer(answer, response.isClaim);
    const refused = hiddenRefusal(body, asked);
    if (refused !== undefined) throw isTransient(refused.http ?? 0) ? new Transient(refused) : refused;
    return response.decode(body);
  }

  async #refused(response: WireResponse, asked: Asked): Promise<Failure | Transient> {
    const answer = await this.#whole(response);
    const body =
      answer.sizeBytes > limits.documentMaxBytes ? undefined : await decodeAnswer(answer).catch(() => undefined);
    const problem = body === undefined ? undefined : readProblem(body);
    if (!isTransient(response.status)) return refusal(response.status, problem, asked);
    const waitMs = retryAfter(response.headers["retry-after"], this.#host.clock.now());
    return new Transient(refusal(response.status, problem, { ...asked, waitMs }), waitMs);
  }

  #inWords(error: unknown, requestId: string, asked: "whole" | "rows"): unknown {
    if (this.#host.signal.aborted) return interruption(this.#host.signal, { requestId });
    if (error instanceof Unreadable || error instanceof JsonError) return unreadable(error.message, requestId, error);
    if (error instanceof Unkept)
      return new Failure("unavailable", error.message, { hint: roomHint, requestId, cause: error });
    if (!(error instanceof WireError)) return error;
    const failure = unreachable(error, requestId, asked);
    return isLasting(error) ? failure : new Transient(failure);
  }
}

function isTimeout({ cause }: Failure): boolean {
  return cause instanceof WireError && cause.kind === "timeout";
}

/** How often something is tried, and how much time is left for all of that; each attempt has its own where none is said. */
interface Patience {
  readonly retries: number;
  readonly leftMs?: () => number;
}

/** What is made of an answer with a success status. */
type Take<Result> = (response: WireResponse, asked: Asked) => Promise<Result>;

function accountIn(input: object): string | undefined {
  return "accountNo" in input && typeof input.accountNo === "string" ? input.accountNo : undefined;
}

function wireLimits(timeoutMs: number, kind: "whole" | "rows"): WireLimits {
  return {
    connectTimeoutMs: Math.min(timeoutMs, limits.connectTimeoutMs),
    headersTimeoutMs: Math.min(timeoutMs, limits.headersTimeoutMs),
    bodyTimeoutMs: Math.min(timeoutMs, limits.bodyTimeoutMs),
    deadlineMs: timeoutMs,
    responseMaxBytes: kind === "rows" ? limits.statementMaxBytes : limits.documentMaxBytes,
  };
}
