import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { headMaxBytes, interimStatuses, skipInterim } from "./interim.ts";
import type { HttpClient, HttpRequest, ProgressController, ProgressHandler } from "./http-client.ts";

/** NODE_OPTIONS cannot change how an answer is read. */
const parsing = { insecureHTTPParser: false, maxHeaderSize: headMaxBytes };

/**
 * A client of one server over Node's own HTTP, on sockets that `dial` opens. A request is written only after
 * `onRequestStart`: until then no byte can leave.
 */
export function openClient(dial: () => Promise<Socket>): HttpClient {
  const http = process.getBuiltinModule("node:http");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = (_options, callback) => void handOver(dial, callback ?? ignore);
  return {
    dispatch({ method, path, headers, body, reset = false, ...limits }, progress) {
      const bytes = body === null ? undefined : Buffer.from(body);
      const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
      const { host, ...others } = headers;
      const all = { host, connection: reset ? "close" : "keep-alive", ...others, ...length };
      const outgoing = http.request({ ...parsing, agent, method, path, headers: all, setHost: false });
      follow(outgoing, bytes, limits, progress);
    },
    destroy() {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

type Callback = NonNullable<Parameters<Agent["createConnection"]>[1]>;

async function handOver(dial: () => Promise<Socket>, callback: Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await dial();
  } catch (error) {
    // There is no socket to hand over, whatever the type says.
    Reflect.apply(callback, undefined, [error]);
    return;
  }
  callback(null, skipInterim(socket));
}

function ignore(): void {}

type Limits = Pick<HttpRequest, "headersTimeout" | "bodyTimeout">;

/** Sends a request over its socket once it has one, and reports its progress. */
function follow(
  outgoing: ClientRequest,
  body: Uint8Array | undefined,
  { headersTimeout, bodyTimeout }: Limits,
  progress: ProgressHandler,
): void {
  let answer: IncomingMessage | undefined;
  const silence = new Silence((code) => outgoing.destroy(new SilenceError(code)));
  const controller = controllerOf(outgoing, { silence, bodyTimeout, answer: () => answer });
  const fail = (error: unknown) => {
    silence.end();
    progress.onResponseError(controller, error);
  };
  // An answer that is whole stays so, whatever comes after it.
  outgoing.on("error", (error) => {
    if (answer?.complete !== true) fail(error);
  });
  outgoing.once("socket", () => write(outgoing, body, () => progress.onRequestStart(controller)));
  refuseOther1xx(outgoing, silence, ({ statusCode = 0, headers }) =>
    progress.onResponseStart(controller, statusCode, headers),
  );
  outgoing.once("finish", () => {
    if (answer === undefined) silence.begin("HEADERS_TIMEOUT", headersTimeout);
  });
  outgoing.once("response", (response) => {
    answer = response;
    silence.begin("BODY_TIMEOUT", bodyTimeout);
    response.on("error", fail);
    response.once("end", () => {
      silence.end();
      if (response.complete) progress.onResponseEnd();
    });
    progress.onResponseStart(controller, response.statusCode ?? 0, response.headers);
    response.on("data", (bytes: Uint8Array) => {
      silence.begin("BODY_TIMEOUT", bodyTimeout);
      progress.onResponseData(controller, bytes);
    });
  });
}

function controllerOf(
  outgoing: ClientRequest,
  {
    silence,
    bodyTimeout,
    answer,
  }: {
    readonly silence: Silence;
    readonly bodyTimeout: number;
    readonly answer: () => IncomingMessage | undefined;
  },
): ProgressController {
  return {
    pause() {
      silence.end();
      answer()?.pause();
    },
    resume() {
      const paused = answer();
      if (paused?.isPaused() !== true) return;
      silence.begin("BODY_TIMEOUT", bodyTimeout);
      paused.resume();
    },
    abort: (reason) => void outgoing.destroy(reason),
  };
}

/** Writes the request once its connection is open, unless `start` throws: then no byte leaves. */
function write(outgoing: ClientRequest, body: Uint8Array | undefined, start: () => void): void {
  try {
    start();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  outgoing.end(body);
}

/** Reports 1xx answers other than interim ones, such as 101, which end no request. */
function refuseOther1xx(
  outgoing: ClientRequest,
  silence: Silence,
  refuse: (answer: Pick<IncomingMessage, "statusCode" | "headers">) => void,
): void {
  outgoing.on("information", (interim) => {
    if (!interimStatuses.has(interim.statusCode)) refuse(interim);
  });
  outgoing.once("upgrade", (switching, socket) => {
    silence.end();
    socket.destroy();
    refuse(switching);
  });
}

/** A limit on the time without data. */
class Silence {
  readonly #onTooLong: (code: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #code = "";

  constructor(onTooLong: (code: string) => void) {
    this.#onTooLong = onTooLong;
  }

  /** Starts or restarts the limit. */
  begin(code: string, maxMs: number): void {
    if (this.#timer !== undefined && this.#code === code) {
      this.#timer.refresh();
      return;
    }
    this.end();
    this.#code = code;
    this.#timer = setTimeout(() => this.#onTooLong(code), maxMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The server was silent for too long in the phase that the code names. */
class SilenceError extends Error {
  override readonly name = "SilenceError";
  readonly code: string;

  constructor(code: string) {
    super("The server was silent for too long");
    this.code = code;
  }
}
