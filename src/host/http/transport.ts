/**
 * The network as one function. Retries, tracing and faults wrap it; nothing above it knows the client. A response that is
 * not 2xx is a response, not an error; only the wire's own failure is a `WireError`.
 */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Absolute http or https URL, concatenated from the base URL, so that a path in the base survives. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, absent on GET. */
  readonly body?: string | undefined;
  readonly limits: WireLimits;
  readonly signal: AbortSignal;
  /** Uses a connection that no other request has used or will use, as money does. */
  readonly freshConnection?: boolean | undefined;
  /** Called after the connection is open and before the first byte leaves; if it throws, nothing is sent. */
  readonly onSending?: (() => void) | undefined;
}

export interface WireLimits {
  readonly connectTimeoutMs: number;
  /** From the request's last byte to the answer's headers. */
  readonly headersTimeoutMs: number;
  /** The longest silence within the answer's body. */
  readonly bodyTimeoutMs: number;
  /** The whole attempt, from connecting to the last byte of the answer, without the time that its reader takes. */
  readonly deadlineMs: number;
  /** Bytes of the answer's body after decompression. */
  readonly responseMaxBytes: number;
}

export interface WireResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. Reading it throws `WireError` where the body breaks off or exceeds a limit. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange, for a caller that doesn't read the body to its end. */
  leave(): void;
}

export type WireErrorKind =
  | "address" // the name does not resolve, or the address isn't one
  | "connection" // refused, unreachable, or too slow to connect
  | "tls" // certificate or handshake
  | "proxy" // the proxy refused or is not one
  | "proxy setting" // a variable names no proxy that can be used
  | "reset" // broken off after the connection was made
  | "timeout" // headers, body or the whole attempt took too long
  | "too large" // the answer is larger than the limit
  | "protocol" // the answer isn't HTTP
  | "aborted"; // our own signal

/** The wire failed. `sent` is false only where no byte of the request can have left. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly kind: WireErrorKind;
  readonly sent: boolean;

  constructor(kind: WireErrorKind, message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.sent = options.sent;
  }
}

/** A header has a character that HTTP doesn't allow, most often a line break in a secret. Nothing was sent. */
export class UnsendableHeader extends Error {
  override readonly name = "UnsendableHeader";
  readonly header: string;

  constructor(header: string) {
    super(`The header ${header} holds a character that HTTP does not allow, perhaps a line break`);
    this.header = header;
  }
}

/** Settings of a transport. */
export interface TransportSettings {
  /** PEM text of certificates trusted besides the system's own (`--ca-cert`). */
  readonly extraCertificates?: string | undefined;
}
