import { ByteQueue, readAnswer } from "./answer-body.ts";
import { Deadline } from "./deadline.ts";
import type { ConnectionTarget } from "./endpoint.ts";
import { authorityOf } from "./endpoint.ts";
import type { AnswerHeaders, ProgressController, ProgressHandler } from "./http-client.ts";
import type { WireRequest, WireResponse, WireErrorKind } from "./transport.ts";
import { WireError } from "./transport.ts";
import { exchangeError } from "./wire-failures.ts";

/**
 * One request and its answer, from connecting to the last byte. The client calls `onRequestStart` when the connection
 * is open, right before the first byte leaves: that moment decides `sent`.
 */
export class Exchange implements ProgressHandler {
  /** Stops all work for the exchange, connecting included. */
  readonly stopped = new AbortController();
  /** Settles when the last byte came or the exchange broke; true when its connection can be reused. */
  readonly finished: Promise<boolean>;
  readonly response: Promise<WireResponse>;
  readonly #request: WireRequest;
  readonly #target: ConnectionTarget;
  readonly #queue: ByteQueue;
  readonly #deadline: Deadline;
  readonly #connecting: NodeJS.Timeout;
  #controller: ProgressController | undefined;
  #sent = false;
  #over = false;
  #resolve: (response: WireResponse) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #finish: (reusable: boolean) => void = () => undefined;

  constructor(request: WireRequest, target: ConnectionTarget) {
    const { limits } = request;
    const server = authorityOf(target);
    this.#request = request;
    this.#target = target;
    this.#queue = new ByteQueue({
      onRoom: () => this.#goOn(),
      onWaiting: () => this.#deadline.resume(),
      onLeft: () => this.#leave(),
    });
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#connecting = setTimeout(
      () => this.#stop("connection", `No connection to ${server} within ${limits.connectTimeoutMs} ms`),
      limits.connectTimeoutMs,
    );
    this.#deadline = new Deadline(
      () => this.#stop("timeout", `The exchange with ${server} took longer than ${limits.deadlineMs} ms`),
      limits.deadlineMs,
    );
    request.signal.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: ProgressController): void {
    this.#controller = controller;
    clearTimeout(this.#connecting);
    try {
      if (this.stopped.signal.aborted) throw this.stopped.signal.reason;
      // A request that has left is never sent again, whatever the client does about a broken connection.
      if (this.#sent) throw new WireError("reset", "The connection broke off", { sent: true });
      this.#request.onSending?.();
    } catch (error) {
      // The client passes on any error.
      this.stopped.abort(error);
      throw error;
    }
    this.#sent = true;
  }

  onResponseStart(controller: ProgressController, status: number, answered: AnswerHeaders): void {
    this.#controller = controller;
    // Interim answers never get here: after any other 1xx, the next one may not be the answer.
    if (status < 200)
      return this.#stop("protocol", `${authorityOf(this.#target)} answered ${status}, which ends no request`);
    const headers = joinHeaders(answered);
    const body = readAnswer(this.#queue, headers["content-encoding"], this.#request.limits.responseMaxBytes);
    this.#resolve({ status, headers, body, leave: () => this.#leave() });
  }

  onResponseData(controller: ProgressController, bytes: Uint8Array): void {
    // The time that the reader takes does not count against the service.
    this.#deadline.pause();
    if (!this.#queue.push(bytes)) controller.pause();
  }

  onResponseEnd(): void {
    this.#queue.end();
    this.#end(true);
  }

  onResponseError(_controller: ProgressController | undefined, error: unknown): void {
    const { signal } = this.stopped;
    this.#fail(signal.aborted ? signal.reason : exchangeError(error, this.#target, this.#sent));
  }

  /** Resumes reading; after the end there is nothing to resume. */
  #goOn(): void {
    if (!this.#over) this.#controller?.resume();
  }

  #leave(): void {
    this.#stop("aborted", "The reader of the answer stopped");
  }

  readonly #onAbort = (): void => this.#stop("aborted", "Interrupted");

  /** Ends the exchange from our side: later events of the wire don't change its outcome. */
  #stop(kind: WireErrorKind, message: string): void {
    if (this.#over) return;
    const error = new WireError(kind, message, { sent: this.#sent, cause: this.#request.signal.reason });
    this.stopped.abort(error);
    this.#controller?.abort(error);
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#queue.fail(error);
    this.#reject(error);
    this.#end(false);
  }

  #end(reusable: boolean): void {
    this.#over = true;
    clearTimeout(this.#connecting);
    this.#deadline.end();
    this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.#finish(reusable);
  }
}

function joinHeaders(answered: AnswerHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(answered)) {
    if (value !== undefined) joined[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  return joined;
}
