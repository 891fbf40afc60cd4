import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresSettings } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";

/**
 * Notifications of a database on a channel, over a separate connection, instead of constant polling. They may not
 * arrive: a pooler in transaction mode doesn't pass them on, and a standby sends none. Callers still have to poll from
 * time to time.
 */
export class Notifications {
  readonly #host: Pick<Host, "clock" | "postgres">;
  readonly #settings: PostgresSettings;
  readonly #channel: string;
  #connection: PostgresConnection | undefined;
  #notified = new AbortController();

  constructor(host: Pick<Host, "clock" | "postgres">, settings: PostgresSettings, channel: string) {
    this.#host = host;
    this.#settings = settings;
    this.#channel = channel;
  }

  /** From now on, any notification ends the next `wait`. Call it before reading. */
  async listen(signal: AbortSignal): Promise<void> {
    this.#notified = new AbortController();
    if (this.#connection !== undefined) return;
    try {
      const connection = await (await this.#host.postgres()).connect(this.#settings, signal);
      this.#connection = connection;
      connection.onEvent((event) => {
        if (this.#connection !== connection) return;
        if (event === "end") this.#connection = undefined;
        this.#notified.abort();
      });
      await connection.run([{ text: `LISTEN ${this.#channel}` }]);
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error;
      await this.close();
    }
  }

  /** Waits until there was a notification since `listen`, its connection ends, the time is over, or a signal comes. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#host.clock.sleep(ms, AbortSignal.any([signal, this.#notified.signal])).catch(() => undefined);
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }
}
