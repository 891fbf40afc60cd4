import type { Reader } from "../client/reader.ts";

/** The ways to read from the service. */
export type ServiceReads = Pick<Reader, "read" | "readOnce" | "look" | "tryRead" | "stream" | "raw">;

/** Reads from the service of one account. The connection is opened by the first read. */
export class LazyReader implements ServiceReads {
  readonly #open: () => Promise<Reader>;
  #reader: Promise<Reader> | undefined;

  constructor(open: () => Promise<Reader>) {
    this.#open = open;
  }

  readonly read: ServiceReads["read"] = async (endpoint, input) => (await this.#opened()).read(endpoint, input);
  readonly readOnce: ServiceReads["readOnce"] = async (endpoint, input) =>
    (await this.#opened()).readOnce(endpoint, input);
  readonly look: ServiceReads["look"] = async (endpoint, input, how) =>
    (await this.#opened()).look(endpoint, input, how);
  readonly tryRead: ServiceReads["tryRead"] = async (endpoint, input) =>
    (await this.#opened()).tryRead(endpoint, input);
  readonly stream: ServiceReads["stream"] = async (endpoint, input, use) =>
    (await this.#opened()).stream(endpoint, input, use);
  readonly raw: ServiceReads["raw"] = async (request) => (await this.#opened()).raw(request);

  /** Closes the reader, where one was opened. */
  async close(): Promise<void> {
    const reader = await this.#reader?.catch(() => undefined);
    await reader?.close();
  }

  #opened(): Promise<Reader> {
    return (this.#reader ??= this.#open());
  }
}
