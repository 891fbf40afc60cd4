/** An HTTP server on this machine: the simulator's, the one of `collect --wait`, the webhook receiver's. */
export interface ListenOptions {
  /** An address, `127.0.0.1` unless a person says otherwise. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** The memory for all bodies being received; a sender beyond it is asked to try again. */
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
   * @throws {BodyTooLarge} when it is larger than `maxBytes`; the rest is not read
   * @throws {Crowded} when there is no room for it now
   */
  body(maxBytes: number): Promise<Uint8Array>;
}

export interface OutgoingResponse {
  /** Statuses that are said before the answer itself: 100, 102, 103. */
  readonly interim?: readonly number[] | undefined;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** For simulated faults: the answer breaks off. */
  readonly breaksOff?: BreakOff | undefined;
}

export interface BreakOff {
  /** How many bytes still leave, those of the head included. */
  readonly afterBytes: number;
  /** What the peer meets then: the end of the connection, a reset, or nothing at all. */
  readonly by: "end" | "reset" | "silence";
}

export type Answer = (request: IncomingRequest) => Promise<OutgoingResponse>;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:PORT`, or https. */
  readonly origin: string;
  /** Stops taking connections, lets running answers finish for `graceMs`, then cuts. */
  close(graceMs?: number): Promise<void>;
}

/** The bodies being received leave no room for one more. */
export class Crowded extends Error {
  override readonly name = "Crowded";
}

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}
