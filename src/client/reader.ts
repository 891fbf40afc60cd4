import type { Credentials } from "../contract/authentication.ts";
import { requestHeaders, secretOf } from "../contract/authentication.ts";
import type { Endpoint, Rows, RowsEndpoint } from "../contract/endpoint.ts";
import { isRead } from "../contract/endpoint.ts";
import type { RawParts } from "../contract/raw-read.ts";
import { RawRead } from "../contract/raw-read.ts";
import type { EncodedRequest } from "../contract/request.ts";
import { encodeRequest } from "../contract/request.ts";
import type { Host } from "../host/host.ts";
import type { WireLimits, WireResponse } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import { Failure } from "../values/failure.ts";
import type { ServiceClock } from "../values/time/service-clock.ts";
import { arrivingRows, checkRawAnswer } from "./answer.ts";
import { checkForm, checkPlace } from "./form-check.ts";
import { AnswerReader } from "./answer-reader.ts";
import { Connection } from "./connection.ts";
import * as limits from "./limits.ts";
import { maskedBody } from "./masked-body.ts";
import type { AskedRequest } from "./refusal.ts";
import { isWholeSuccess } from "./refusal.ts";
import { Transient, withRetries } from "./retry.ts";

/** The failure reason of a read that took longer than an order waits for one. */
export const lateReason = "late";

export interface ReaderSettings {
  readonly connection: Connection;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Learns the service's time from each answer. */
  readonly serviceClock: ServiceClock;
  readonly onWait?: ((waitMs: number, cause: Failure) => void) | undefined;
}

/**
 * Reads from the service, and can do nothing else: an endpoint that moves money does not fit its type. A read is checked
 * before it is sent, retried where that can help, and its answer is used only when it is complete.
 */
export class Reader {
  readonly #host: Host;
  readonly #settings: ReaderSettings;
  readonly #answers: AnswerReader;

  constructor(host: Host, settings: ReaderSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#answers = new AnswerReader(host);
  }

  /**
   * One answer of the service.
   * @throws {Failure} usage (the request's form, a live-only endpoint elsewhere) | setup (credentials) | refused |
   * unavailable | interrupted
   */
  async read<Input extends object, Output>(endpoint: Endpoint<"reads", Input, Output>, input: Input): Promise<Output> {
    return this.#read(endpoint, input, { retries: this.#settings.retries });
  }

  /** The same in one attempt, for reads that are repeated later anyway. */
  async readOnce<Input extends object, Output>(endpoint: Endpoint<"reads", Input, Output>, input: Input) {
    return this.#read(endpoint, input, { retries: 0 });
  }

  /**
   * A read whose result a person sees before an order. It must not delay the order: it is given up after `lookMaxMs`.
   * @param what is read, in words: `names and balances`
   * @param isTriedAgain true to retry within that time
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
      const message = `The service did not give ${what} within ${withinMs / 1000} s`;
      throw new Failure("unavailable", message, { requestId: error.requestId, reason: lateReason, cause: error });
    }
  }

  /** An optional read: one attempt, undefined when it fails. */
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
   * A list, passed to `use` while it arrives. Where the answer breaks off, `use` is called again with the rows of a new
   * one, so its effects must not be visible before the last row.
   * @throws {Failure} as `read`; and whatever `use` throws
   */
  async stream<Input extends object, Result>(
    endpoint: RowsEndpoint<Input>,
    input: Input,
    use: (rows: Rows) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = this.#host;
    const take: Take<Result> = async (response, asked) => {
      const inWords = (error: unknown) => this.#answers.explain(error, asked.requestId, "rows");
      try {
        return await use(arrivingRows(response.body, endpoint.response.at, asked, { inWords, signal }));
      } finally {
        // `use` may have failed before it began to read.
        response.leave();
      }
    };
    return this.#ask(endpoint, input, { retries: this.#settings.retries }, take);
  }

  /**
   * A request as it was typed, and the bytes of its answer as received. As in every read, the answer must be complete,
   * JSON, and not a refusal.
   * @throws {Failure} as `read`
   */
  async raw(request: RawRead): Promise<AsyncIterable<Uint8Array>> {
    const attempted = RawRead.partsOf(request);
    const { endpoint } = attempted;
    checkPlace(endpoint, this.#settings.connection.service);
    return this.#attempts(attempted, { retries: this.#settings.retries }, async (response, asked) => {
      try {
        const answer = await this.#answers.whole(response);
        await checkRawAnswer(answer, endpoint, asked, this.#host.signal);
        return answer.chunks();
      } catch (error) {
        throw this.#answers.explain(error, asked.requestId, endpoint.response.kind);
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
        return await this.#answers.decode(endpoint, await this.#answers.whole(response), asked);
      } catch (error) {
        throw this.#answers.explain(error, asked.requestId, endpoint.response.kind);
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
        // After a timeout there is no time left for another attempt.
        throw leftMs !== undefined && error instanceof Transient && isTimeout(error.failure) ? error.failure : error;
      }
    };
    return withRetries(attempt, { retries, waitMaxMs: leftMs, clock, ids, signal, onWait });
  }

  /** Removes the temporary files of the answers that were read. */
  close(): Promise<void> {
    return this.#answers.discard();
  }

  /** Sends a request; returns an answer with a success status, with its body unread and without our secret. */
  async #send(
    endpoint: Endpoint<"reads">,
    encoded: EncodedRequest,
    credentials: Credentials,
    asked: AskedRequest,
    deadlineMs?: number,
  ): Promise<WireResponse> {
    const { connection, timeoutMs, serviceClock } = this.#settings;
    const askedMs = this.#host.clock.now();
    try {
      const received = await Connection.transportOf(connection)({
        method: endpoint.method,
        url: connection.service.address(endpoint.auth, encoded.target),
        headers: requestHeaders(credentials, asked.requestId),
        body: encoded.body,
        limits: { ...wireLimits(timeoutMs, endpoint.response.kind), ...(deadlineMs && { deadlineMs }) },
        signal: this.#host.signal,
      });
      serviceClock.observe({ headers: received.headers, askedMs, answeredMs: this.#host.clock.now() });
      const response = { ...received, body: maskedBody(received.body, secretOf(credentials)) };
      if (!isWholeSuccess(response.status)) throw await this.#answers.refused(response, asked);
      return response;
    } catch (error) {
      throw this.#answers.explain(error, asked.requestId, endpoint.response.kind);
    }
  }
}

function isTimeout({ cause }: Failure): boolean {
  return cause instanceof WireError && cause.kind === "timeout";
}

/** The number of retries, and the time left for all attempts; undefined where each attempt has its own limit. */
interface Patience {
  readonly retries: number;
  readonly leftMs?: () => number;
}

/** Uses an answer with a success status. */
type Take<Result> = (response: WireResponse, asked: AskedRequest) => Promise<Result>;

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
