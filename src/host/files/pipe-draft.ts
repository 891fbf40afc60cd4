import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileDraft } from "./files.ts";
import { SlabWriter } from "./buffered-writer.ts";
import { codeOf } from "../system-error.ts";
import { elapsedMs } from "../process/elapsed-ms.ts";

/** How long the reader of the pipe may take to open it. */
const readerWaitMs = 10_000;
const lookAgainMs = 20;

/**
 * A named pipe, written to directly. Neither opening nor writing blocks a thread; Node's own functions would block
 * until a program reads, and nothing could end the process then.
 * @throws {Error} ENXIO where no program reads from it; the signal's reason
 */
export async function pipeDraft(path: string, signal: AbortSignal, waitMs = readerWaitMs): Promise<FileDraft> {
  return new PipeDraft(await openPipe(path, signal, elapsedMs() + waitMs), signal);
}

async function openPipe(path: string, signal: AbortSignal, endMs: number): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      const isUnread = codeOf(error) === "ENXIO";
      if (!isUnread || elapsedMs() >= endMs) throw error;
    }
    if (signal.aborted) throw signal.reason;
    await sleep(lookAgainMs);
  }
}

class PipeDraft implements FileDraft {
  readonly #socket: Socket;
  readonly #writer: SlabWriter;
  #error: unknown;

  constructor(descriptor: number, signal: AbortSignal) {
    const socket = new Socket({ fd: descriptor, readable: false, writable: true });
    this.#socket = socket;
    this.#writer = new SlabWriter((bytes) => this.#send(bytes));
    const stop = () => {
      this.#error ??= signal.reason;
      socket.destroy();
    };
    socket.on("error", (error) => (this.#error ??= error));
    socket.once("close", () => signal.removeEventListener("abort", stop));
    signal.addEventListener("abort", stop, { once: true });
  }

  write(bytes: Uint8Array | string): Promise<void> {
    return this.#writer.write(bytes);
  }

  async commit(): Promise<void> {
    await this.#writer.flush();
    this.#socket.end();
    await finished(this.#socket, { readable: false }).catch((error: unknown) => {
      throw this.#error ?? error;
    });
  }

  async abandon(): Promise<void> {
    this.#socket.destroy();
  }

  #send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        if (error) reject(this.#error ?? error);
        else resolve();
      });
    });
  }
}
