import type { Socket } from "node:net";

/**
 * The limit of interim answers before one answer: a service sends one or two; after this many, the answer will never
 * come.
 */
export const interimMaxCount = 100;
/** Interim answers that say nothing about the answer (RFC 9110, 15.2). */
export const interimStatuses: ReadonlySet<number> = new Set([100, 102, 103]);
/** The longest head of an answer, also of an interim one: Node's own limit. */
export const headMaxBytes = 16 * 1024;

/** The allowed characters at each position of an interim answer's first line: `HTTP/1.1 100` and the like. */
const firstLine = ["H", "T", "T", "P", "/", "1", ".", "01", " ", "1", "0", "023", " \r"];
const headEnd = "\r\n\r\n";

/**
 * Makes a socket skip interim answers (100, 102, 103; RFC 9110, 15.2), which a service may send unasked, also for
 * money: clients take some of them for the answer's end. All other bytes go to the client. 101 is not skipped: what
 * follows it isn't HTTP.
 *
 * Node passes everything that arrives to the socket's own `push`, with and without TLS.
 */
export function skipInterim(socket: Socket): Socket {
  const interim = new InterimAnswers();
  const push = socket.push.bind(socket);
  const stop = () => void Reflect.deleteProperty(socket, "push");
  socket.push = (bytes: Uint8Array | null) => {
    if (bytes === null) {
      stop();
      push(interim.held);
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

/** Separates interim answers, whose bytes may be split anywhere, from the answer. */
class InterimAnswers {
  #held: Uint8Array = Buffer.alloc(0);
  #count = 0;
  #isOver = false;

  /** The beginning of a possible interim answer. */
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

  /** Returns those of the held and the new bytes that don't belong to an interim answer. */
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

/** The server keeps sending interim answers. */
class InterimFlood extends Error {
  override readonly name = "InterimFlood";
  readonly code = "TOO_MANY_INTERIM";

  constructor() {
    super(`More than ${interimMaxCount} interim answers came`);
  }
}
