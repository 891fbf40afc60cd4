import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresRecord, PostgresSettings, Statement } from "../../host/databases/postgres.ts";
import { ownCodes, PostgresError } from "../../host/databases/postgres.ts";
import { interruption } from "../../values/failure.ts";
import { ConnectionPool } from "./pool.ts";
import { News } from "./news.ts";

export const connectTimeoutMs = 10_000;
/** How long others may hold what is wanted here: who waits is to hear within ten seconds who holds it. */
export const lockTimeoutMs = 8_000;
/**
 * A commit waits for a synchronous standby as long as it takes, and no timeout of the server's ends that: who waits longer
 * looks why. Longer than locks may take that what is sent with it waits for.
 */
const commitAnswerMs = lockTimeoutMs + 1_000;
/** How long one statement may take: the longest reads a page of rows. */
const statementTimeoutMs = 30_000;
/** A process that stands still in the middle of a transaction is let go, before those who wait for it give up. */
export const idleTimeoutMs = 5_000;
/** Longer than any of these: who has not answered then does not answer any more. */
export const answerTimeoutMs = 45_000;
/** How long a server that went away is waited for, where nothing can be lost by waiting. */
export const patienceMs = 15_000;
const retryAfterMs = 200;
/** Locks that others hold, and a deadlock that was broken up. */
const busyStates = /^(55P03|40P01|40001)$/;
/** Waited for as long as it may be: another attempt would wait as long again. */
const lockedState = "55P03";
const givenUpState = "57014";

/**
 * Functions and operators are the server's own: others may have put theirs where they would be found, to be run by us.
 */
const safely = "SET LOCAL search_path = pg_catalog, pg_temp";
const beginReading: Statement = { text: `BEGIN READ ONLY; ${safely}; SET LOCAL lock_timeout = ${lockTimeoutMs}` };

/**
 * Whatever the server's own settings are: a commit is on its disk when it is answered, and on that of a synchronous
 * standby where there is one. Said in each transaction, since a pooler between us and the server forgets it in between.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
  ${safely};
  SET LOCAL synchronous_commit = on;
  SET LOCAL lock_timeout = ${lockTimeoutMs};
  SET LOCAL statement_timeout = ${statementTimeoutMs};
  SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`;

export interface SharedDatabaseOptions {
  readonly settings: PostgresSettings;
  /** Makes of PostgreSQL's errors, and of `Damage`, what the caller is to hear of. */
  readonly explain: (error: unknown) => unknown;
  /** How many transactions may be under way at a time, each over a connection of its own; one where left out. */
  readonly maxConnections?: number | undefined;
}

/** One transaction, from its first statement until it is committed or not. */
export interface Transaction {
  /** Sends them at once; the rows of each. */
  run(...statements: readonly Statement[]): Promise<readonly (readonly PostgresRecord[])[]>;
  /** What is sent last, together with the commit. */
  finish(...statements: readonly Statement[]): void;
}

/**
 * A PostgreSQL database that several hosts share. A connection that is lost is made anew. What is committed is on the
 * server's disk.
 */
export class SharedDatabase {
  readonly #host: Pick<Host, "clock" | "postgres" | "signal">;
  readonly #settings: PostgresSettings;
  /** An error as what the caller is to hear of. */
  readonly explain: (error: unknown) => unknown;
  readonly #pool: ConnectionPool;
  readonly #closing = new AbortController();

  constructor(
    host: Pick<Host, "clock" | "postgres" | "signal">,
    { settings, explain, maxConnections = 1 }: SharedDatabaseOptions,
  ) {
    this.#host = host;
    this.#settings = settings;
    this.explain = explain;
    const connect = async (signal = this.#closing.signal) => (await host.postgres()).connect(settings, signal);
    this.#pool = new ConnectionPool(connect, maxConnections);
  }

  /** Reads outside of any transaction of ours. */
  async read(text: string, values: Statement["values"] = []): Promise<readonly PostgresRecord[]> {
    return this.persist(() => this.#pool.use((connection) => readWith(connection, { text, values })));
  }

  /**
   * Does the work in a transaction and commits it. Where the connection is lost it is done again from its beginning,
   * and then has to find out by itself whether it was done already: a commit whose answer is lost may have happened.
   */
  write<T>(work: (transaction: Transaction, attempt: number) => Promise<T>, within = patienceMs): Promise<T> {
    let attempt = 0;
    return this.persist(() => this.#pool.use((connection) => this.#transact(connection, work, (attempt += 1))), within);
  }

  /**
   * Reads without waiting for a server that is not there: what a run begins with. Nothing depends on it yet, so that
   * Ctrl-C and TERM end the waiting for it, which they do not do later: what was done with money is to be written down.
   * @throws {Failure} interrupted
   */
  async firstRead(text: string): Promise<readonly PostgresRecord[]> {
    const { signal } = this.#host;
    try {
      return await this.#pool.use((connection) => readWith(connection, { text, values: [] }), signal);
    } catch (error) {
      throw signal.aborted && isLost(error) ? interruption(signal) : await this.#named(error);
    }
  }

  /**
   * Does it until it succeeds, as long as a lost connection or a lock of others is all that is in the way. How long is
   * counted from when that is noticed: a server that went away without a word is missed late, and may be back by then.
   * @throws {Failure} what `explain` makes of it
   */
  async persist<T>(use: () => Promise<T>, within = patienceMs): Promise<T> {
    const { clock } = this.#host;
    let failedAt: number | undefined;
    for (;;) {
      try {
        return await use();
      } catch (error) {
        failedAt ??= clock.elapsed();
        if (isSilent(error) && (await this.#waitsForStandby())) throw this.explain(noStandby(error));
        const isOver = clock.elapsed() - failedAt + retryAfterMs > within;
        const isWorthIt = !isOver && isPassing(error);
        if (isWorthIt) await clock.sleep(retryAfterMs, this.#closing.signal).catch(() => undefined);
        // A connection that is made after the end is ended by nobody, and keeps the whole program from ending.
        if (!isWorthIt || this.#closing.signal.aborted) throw this.explain(await this.#named(error));
      }
    }
  }

  /** Hears what is told on a channel of this database, over a connection of its own. */
  news(channel: string): News {
    return new News(this.#host, this.#settings, channel);
  }

  /** Waits for what is going on, and ends the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.close();
  }

  async #transact<T>(
    connection: PostgresConnection,
    work: (transaction: Transaction, attempt: number) => Promise<T>,
    attempt: number,
  ): Promise<T> {
    let opening: Statement[] = [{ text: begin }];
    let last: readonly Statement[] = [];
    const run = async (...statements: readonly Statement[]) => {
      const before = opening;
      opening = [];
      return (await connection.run([...before, ...statements])).slice(before.length);
    };
    try {
      const result = await work({ run, finish: (...statements) => void (last = statements) }, attempt);
      await run(...last, { text: "COMMIT", answerTimeoutMs: commitAnswerMs });
      return result;
    } catch (error) {
      // Work that throws before it asked for anything has begun nothing.
      if (opening.length === 0 && !isLost(error)) await connection.run([{ text: "ROLLBACK" }]);
      throw error;
    }
  }

  /** Whose lock it was, where it was one; the server does not say so itself. */
  async #named(error: unknown): Promise<unknown> {
    if (!(error instanceof PostgresError) || error.code !== lockedState) return error;
    const [{ name, pid, is_waiting: isWaiting } = {}] = await this.#look(holderSql);
    if (isWaiting === true) return noStandby(error);
    const isNamed = typeof name === "string";
    return isNamed ? new PostgresError("refused", `${name} (process ${String(pid)})`, heldCode, error) : error;
  }

  /** True where a commit of ours stands there and waits. */
  async #waitsForStandby(): Promise<boolean> {
    return (await this.#look(waitingSql)).length > 0;
  }

  /** Nothing, where the server does not answer that either. */
  #look(text: string): Promise<readonly PostgresRecord[]> {
    return this.#pool.use((connection) => readWith(connection, { text, values: [] })).catch(() => []);
  }
}

/** Locks on tables of ours, and locks that have only a number; the transaction that is open longest. */
const holderSql = `SELECT a.usename::text AS name, a.pid, coalesce(a.wait_event = 'SyncRep', false) AS is_waiting FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND a.pid <> pg_backend_pid() AND a.datname = current_database() AND (l.locktype = 'advisory'
    OR l.relation IN (SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'partner'))
  ORDER BY a.xact_start NULLS LAST, a.backend_start LIMIT 1`;
const waitingSql = "SELECT pid FROM pg_stat_activity WHERE usename = session_user AND wait_event = 'SyncRep' LIMIT 1";
/** The code of an error whose words name who holds a lock. */
export const heldCode = "LOCK_HELD";

/** A transaction that failed is ended by its commit all the same. */
async function readWith(connection: PostgresConnection, statement: Statement): Promise<readonly PostgresRecord[]> {
  const [, rows = []] = await connection.run([beginReading, statement, { text: "COMMIT" }]);
  return rows;
}

/** True for what another attempt may get through. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof PostgresError) || error.code === lockedState) return false;
  return error.kind === "lost" || isGivenUp(error) || isBusyState(error);
}

/** True where others hold what was wanted. */
export function isBusyState(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "refused" && busyStates.test(error.code ?? "");
}

/** True where the server gave a statement up before it was done, most often because it took too long. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "refused" && error.code === givenUpState;
}

/** True where an answer did not come in time. */
function isSilent(error: unknown): boolean {
  return isLost(error) && error instanceof PostgresError && error.code === "ETIMEDOUT";
}

function noStandby(cause: unknown): PostgresError {
  return new PostgresError("refused", "no synchronous standby has it", ownCodes.noStandby, cause);
}

function isLost(error: unknown): boolean {
  return error instanceof PostgresError && error.kind === "lost";
}
