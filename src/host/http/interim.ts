import type { Socket } from "node:net";

/**
 * The limit of interim answers before one answer: a service sends one or two; with more, the answer will never come.
 */
export const interimMaxCount = 100;
/** The head of an interim answer, as long as Node lets that of an answer be. */
const headMaxBytes = 16 * 1024;

/**
 * `HTTP/1.1 100` and the following characters: the allowed characters at each position of an interim answer's first
 * line.
 */
const firstLine = ["H", "T", "T", "P", "/", "1", ".", "01", " ", "1", "0", "023", " \r"];
const headEnd = "\r\n\r\n";

/**
 * Makes a socket skip interim answers (100, 102, 103; RFC 9110, 15.2), so that a service may send them unasked, for
 * money too: undici hangs up on an unexpected `100 Continue`. All other bytes are left to undici. 101 is not skipped:
 * what follows it isn't HTTP.
 *
 * Node passes everything that arrives to the socket's own `push`, with and without TLS.
 */
export function passOverInterim(socket: Socket): Socket {
  const interim = new InterimAnswers();
  const push = socket.push.bind(socket);
  const stop = () => void Reflect.deleteProperty(socket, "push");
  socket.push = (bytes: Uint8Array | null) => {
    if (bytes === null) {
      stop();
      const rest = interim.held;
      if (rest.length > 0) push(rest);
      return push(null);
    }
    const passed = interim.take(bytes);
    if (interim.isFlood) {
      socket.destroy(new InterimFlood());
      return false;
    }
    if (interim.isOver) stop();
    return passed.length === 0 || push(passed);
  };
  return socket;
}

/** Separates the bytes of interim answers, which may be cut anywhere, from those of the answer. */
class InterimAnswers {
  #held: Uint8Array = Buffer.alloc(0);
  #count = 0;
  #isOver = false;

  /** The beginning of what may become an interim answer. */
  get held(): Uint8Array {
    return this.#held;
  }

  /** True when the answer itself has begun. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isFlood(): boolean {
    return this.#count > interimMaxCount;
  }

  /** What of these bytes, and of those held before, is not of an interim answer. */
  take(bytes: Uint8Array): Uint8Array {
    let text = Buffer.concat([this.#held, bytes]);
    for (let length = interimLength(text); length !== "more"; length = interimLength(text)) {
      if (length === 0 || this.isFlood) return this.#passOn(text);
      this.#count += 1;
      text = text.subarray(length);
    }
    this.#held = text;
    return Buffer.alloc(0);
  }

  #passOn(bytes: Uint8Array): Uint8Array {
    this.#isOver = true;
    this.#held = Buffer.alloc(0);
    return bytes;
  }
}

/** The length of the interim answer at the beginning: 0 where there is none, `more` where it is incomplete. */
function interimLength(bytes: Buffer): number | "more" {
  const begins = firstLine.every((allowed, at) => at >= bytes.length || allowed.includes(charAt(bytes, at)));
  if (!begins) return 0;
  const end = bytes.indexOf(headEnd);
  if (end >= 0) return end + headEnd.length;
  return bytes.length > headMaxBytes ? 0 : "more";
}

function charAt(bytes: Buffer, at: number): string {
  return String.fromCharCode(bytes[at] ?? 0);
}

/** The server sends interim answers without end. */
class InterimFlood extends Error {
  override readonly name = "InterimFlood";
  readonly code = "TOO_MANY_INTERIM";

  constructor() {
    super(`More than ${interimMaxCount} interim answers came`);
  }
}
