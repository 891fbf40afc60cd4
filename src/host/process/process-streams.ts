import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { interruption } from "../../values/failure.ts";
import { FileTooLarge } from "../files/files.ts";
import type { Input, Output } from "../host.ts";

/**
 * Standard input; Node's stream is created only when it is read.
 * @param signal ends a read that waits for a person or a program
 */
export function processInput(signal: AbortSignal): Input {
  return {
    get isTerminal() {
      return isTerminal(0);
    },
    async read(maxBytes) {
      const parts: Uint8Array[] = [];
      let total = 0;
      for await (const part of chunksOf(process.stdin, signal)) {
        total += part.length;
        if (total > maxBytes) throw new FileTooLarge(`stdin is larger than ${maxBytes} bytes`);
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    chunks: () => chunksOf(process.stdin, signal),
  };
}

async function* chunksOf(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => stream.destroy(interruption(signal));
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    for await (const part of stream as AsyncIterable<Buffer>) yield part;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export function processStdout(): Output {
  return new StreamOutput(1, () => process.stdout);
}

/** Failures of stderr are ignored: there is nowhere left to report them. */
export function processStderr(): Output {
  return new StreamOutput(
    2,
    () => process.stderr,
    () => true,
  );
}

class StreamOutput implements Output {
  readonly #descriptor: number;
  readonly #open: () => Writable & { readonly columns?: number };
  readonly #isHarmless: (code: string) => boolean;
  #stream: (Writable & { readonly columns?: number }) | undefined;
  readonly #isFile: boolean;
  #closed = false;
  #broken: Error | undefined;

  constructor(descriptor: number, open: () => Writable & { readonly columns?: number }, isHarmless = isReaderGone) {
    this.#descriptor = descriptor;
    this.#open = open;
    this.#isHarmless = isHarmless;
    this.#isFile = isFile(descriptor);
  }

  get isTerminal(): boolean {
    return isTerminal(this.#descriptor);
  }

  get columns(): number | undefined {
    return this.isTerminal ? this.#started().columns : undefined;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get endsMidLine(): boolean {
    return this.#isFile && endsMidLine(this.#descriptor);
  }

  write(bytes: Uint8Array | string): Promise<void> {
    if (this.#closed || bytes.length === 0) return Promise.resolve();
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#isFile) return this.#writeFile(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
    return new Promise((resolve, reject) => {
      this.#started().write(bytes, (error) => {
        if (error) this.#fail(error);
        if (this.#broken === undefined) resolve();
        else reject(this.#broken);
      });
    });
  }

  /**
   * Writes every byte: Node's own stream for a file ignores a short write, which is what happens just before a disk is
   * full. Writes at the file's position, so that `>>` appends.
   */
  async #writeFile(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done, bytes.length - done);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
      if (this.#broken !== undefined) throw this.#broken;
    }
  }

  #started(): Writable & { readonly columns?: number } {
    if (this.#stream === undefined) {
      this.#stream = this.#open();
      // oclif's own listener throws, which would end the process.
      this.#stream.removeAllListeners("error");
      // The write's callback gets the error, too; without a listener, it would end the process.
      this.#stream.on("error", (error) => this.#fail(error));
    }
    return this.#stream;
  }

  #fail(error: Error): void {
    if (this.#closed || this.#broken !== undefined) return;
    if (this.#isHarmless("code" in error ? String(error.code) : "")) this.#closed = true;
    else this.#broken = error;
  }
}

/** The pipe's reader has closed it (EPIPE, ECONNRESET), or the terminal was closed (EIO). */
function isReaderGone(code: string): boolean {
  return code === "EPIPE" || code === "ECONNRESET" || (code === "EIO" && isDevice(1));
}

/** True for what accepts bytes synchronously: a file, or the null device. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile() || isNullDevice(descriptor);
  } catch {
    return false;
  }
}

/** Reads the last byte by the file's name in `/dev/fd`: what is open for appending can't be read. */
function endsMidLine(descriptor: number): boolean {
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return false;
    const file = openSync(`/dev/fd/${descriptor}`, "r");
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
    } finally {
      closeSync(file);
    }
  } catch {
    // Some systems have no such name, or open nothing else by it.
    return false;
  }
}

/** Loads `node:tty` (4 ms) only for what may be a terminal. */
function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && !isNullDevice(descriptor) && process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** Output that cron discards. Windows has no device numbers: there, false. */
function isNullDevice(descriptor: number): boolean {
  if (process.platform === "win32") return false;
  try {
    return isDevice(descriptor) && fstatSync(descriptor).rdev === statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
