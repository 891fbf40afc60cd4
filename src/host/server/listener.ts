/** Options of an HTTP server on this machine: the simulator, `collect --wait`, or the webhook server. */
export interface ListenOptions {
  /** An address; `127.0.0.1` unless the user names another. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** The memory for all bodies being received; senders beyond it are asked to try again. */
  readonly bodiesMaxBytes?: number | undefined;
}

export interface IncomingRequest {
  readonly method: string;
  /** The path and query as they came, undecoded. */
  readonly target: string;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The whole body.
   * @throws {BodyTooLarge} when it is larger than `maxBytes`; it isn't read any further
   * @throws {NoBodyRoom} when there is no room for it now
   */
  body(maxBytes: number): Promise<Uint8Array>;
}

export interface OutgoingResponse {
  /** Statuses of interim answers to send first: 100, 102, 103. */
  readonly interim?: readonly number[] | undefined;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** For simulated faults: the answer breaks off. */
  readonly breaksOff?: BreakOff | undefined;
}

export interface BreakOff {
  /** How many bytes are sent, those of the head included. */
  readonly afterBytes: number;
  /** What the peer gets then: the end of the connection, a reset, or nothing at all. */
  readonly by: "end" | "reset" | "silence";
}

export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingResponse>;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:PORT`, or https. */
  readonly origin: string;
  /** Stops accepting connections, lets running answers finish for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

/** The bodies being received leave no room for one more. */
export class NoBodyRoom extends Error {
  override readonly name = "NoBodyRoom";
}

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}
