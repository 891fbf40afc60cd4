import type { PostgresConnection } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";

/** SQLSTATE: the server has no connection left. */
const tooManyState = "53300";

/** Connections to one server, opened when needed; work that finds none free waits for its turn. */
export class ConnectionPool {
  readonly #connect: (signal: AbortSignal | undefined) => Promise<PostgresConnection>;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #maxRunning: number;

  /** @param max how many connections there may be at a time */
  constructor(connect: (signal: AbortSignal | undefined) => Promise<PostgresConnection>, max: number) {
    this.#connect = connect;
    this.#maxRunning = max;
  }

  /**
   * Runs work on a connection that nothing else uses meanwhile. A lost connection is not used again.
   * @param signal ends the wait for a new connection
   */
  async use<T>(work: (connection: PostgresConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#running.size >= this.#maxRunning) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const run = this.#run(work, signal);
    const over = run.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(over);
    try {
      return await run;
    } catch (error) {
      const others = this.#running.size - 1;
      if (!isTooMany(error) || others === 0) throw error;
      // The server has no more connections for us than these.
      this.#maxRunning = others;
      this.#leave(over);
      return await this.use(work, signal);
    } finally {
      this.#leave(over);
    }
  }

  /** Waits for current work, and closes the connections. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #run<T>(work: (connection: PostgresConnection) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const connection = this.#idle.pop() ?? (await this.#connect(signal));
    try {
      const result = await work(connection);
      this.#idle.push(connection);
      return result;
    } catch (error) {
      if (error instanceof PostgresError && error.kind === "lost") await connection.close();
      else this.#idle.push(connection);
      throw error;
    }
  }

  #leave(over: Promise<unknown>): void {
    if (this.#running.delete(over)) this.#waiting.shift()?.();
  }
}

function isTooMany(error: unknown): boolean {
  return error instanceof PostgresError && error.code === tooManyState;
}
