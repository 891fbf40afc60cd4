import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresSettings } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";

/**
 * What a database tells on a channel, over a connection of its own, so that nobody has to ask all the time. It may not
 * arrive: a pooler in transaction mode does not pass it on, and a standby tells nothing. Whoever waits for it asks again
 * after a while all the same.
 */
export class News {
  readonly #host: Pick<Host, "clock" | "postgres">;
  readonly #settings: PostgresSettings;
  readonly #channel: string;
  #connection: PostgresConnection | undefined;
  #heard = new AbortController();

  constructor(host: Pick<Host, "clock" | "postgres">, settings: PostgresSettings, channel: string) {
    this.#host = host;
    this.#settings = settings;
    this.#channel = channel;
  }

  /** From here on whatever is told ends the next `wait`: for the moment before one looks. */
  async listen(signal: AbortSignal): Promise<void> {
    this.#heard = new AbortController();
    if (this.#connection !== undefined) return;
    try {
      const connection = await (await this.#host.postgres()).connect(this.#settings, signal);
      this.#connection = connection;
      connection.hear((what) => {
        if (this.#connection !== connection) return;
        if (what === "end") this.#connection = undefined;
        this.#heard.abort();
      });
      await connection.run([{ text: `LISTEN ${this.#channel}` }]);
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error;
      await this.close();
    }
  }

  /** Until something was told since `listen`, the connection for it ended, the time is over, or a signal comes. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#host.clock.sleep(ms, AbortSignal.any([signal, this.#heard.signal])).catch(() => undefined);
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }
}
