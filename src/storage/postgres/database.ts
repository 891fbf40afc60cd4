import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresRecord, PostgresSettings, Statement } from "../../host/databases/postgres.ts";
import { ownCodes, PostgresError } from "../../host/databases/postgres.ts";
import { interruption } from "../../values/failure.ts";
import { ConnectionPool } from "./pool.ts";
import type { Access } from "./denied.ts";
import { DeniedError, deniedState, groupsSql } from "./denied.ts";
import { heldCode, isLost, isPassing, isSilent, lockedState, noStandby, readOnlyState } from "./error-states.ts";
import { Notifications } from "./notifications.ts";

export const connectTimeoutMs = 10_000;
/** How long to wait for others' locks: within ten seconds, the user should learn who holds them. */
export const lockTimeoutMs = 8_000;
/**
 * A commit waits for a synchronous standby without limit, and no server timeout ends that: after this time we check
 * why. Longer than the lock timeout of the statements sent with it.
 */
const commitAnswerMs = lockTimeoutMs + 1_000;
/** The limit of one statement: the longest reads a page of rows. */
const statementTimeoutMs = 30_000;
/** The server ends a process that stalls inside a transaction, before others that wait for it give up. */
export const idleTimeoutMs = 5_000;
/** Longer than all of these: a server that hasn't answered by then won't. */
export const answerTimeoutMs = 45_000;
/** How long to wait for a server that went away, where waiting can't lose anything. */
export const patienceMs = 15_000;
const retryAfterMs = 200;

/**
 * A role or a database may have settings that change what a literal, a list or a file's bytes mean, or that refuse what
 * row policies allow.
 */
export const plainly = `SET LOCAL standard_conforming_strings = on; SET LOCAL bytea_output = hex;
  SET LOCAL array_nulls = on; SET LOCAL row_security = on`;
/**
 * Functions and operators are the server's own: other users may have created theirs earlier on the search path.
 * Statements are short and many: compiling them takes longer than it saves.
 */
const safely = `SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL jit = off; ${plainly};
  SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`;
const beginReading: Statement = {
  text: `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${safely}; SET LOCAL statement_timeout = ${answerTimeoutMs}`,
};

/**
 * Overrides the server's settings. With `isOnDisk`, a commit is on the server's disk when it is answered, and on that
 * of a synchronous standby if there is one. Set in each transaction, since a pooler in between would forget it.
 */
const begin = (isOnDisk: boolean, writer: number | undefined) => `BEGIN ISOLATION LEVEL READ COMMITTED;
  ${safely};${writer === undefined ? "" : `\n  SET LOCAL partner.writer = '${writer}';`}
  SET LOCAL synchronous_commit = ${isOnDisk ? "on" : "off"};
  SET LOCAL statement_timeout = ${statementTimeoutMs}`;
const commit: Statement = { text: "COMMIT", answerTimeoutMs: commitAnswerMs };
/**
 * Waits until everything committed before is on the disk, and on a synchronous standby: the server's log is sequential,
 * and the commit of this message, which is never read, comes last.
 */
const waitForDisk: readonly Statement[] = [
  {
    text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on;
  SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs};
  SELECT pg_catalog.pg_logical_emit_message(true, 'partner', '')`,
  },
  commit,
];

export interface SharedDatabaseOptions {
  readonly settings: PostgresSettings;
  /** Turns PostgreSQL's errors, and `DamageError`, into the caller's failures. */
  readonly explain: (error: unknown) => unknown;
  /** The format version that this writer knows: `partner.writer`, which the tables' triggers check. */
  readonly writer?: number | undefined;
  /** How many transactions may be open at a time, each on its own connection; default: one. */
  readonly maxConnections?: number | undefined;
}

/** One transaction, from its first statement to its end. */
export interface Transaction {
  /** Sends all statements at once; returns the rows of each. */
  run(...statements: readonly Statement[]): Promise<readonly (readonly PostgresRecord[])[]>;
  /** Sends these last, together with the commit. */
  finish(...statements: readonly Statement[]): void;
  /** The same; `use` gets the rows of each statement once it is committed. */
  finishWith(statements: readonly Statement[], use: (answers: readonly (readonly PostgresRecord[])[]) => void): void;
  /** Registers a call for when the commit is on the disk. */
  afterwards(call: () => void): void;
}

type Work<T> = (transaction: Transaction, attempt: number) => Promise<T>;

/**
 * A PostgreSQL database that several hosts share. It reconnects after a lost connection. Writes are on the server's
 * disk when their promise resolves.
 */
export class SharedDatabase {
  readonly #host: Pick<Host, "clock" | "postgres" | "signal">;
  /** How it connects. */
  readonly settings: PostgresSettings;
  readonly #writer: number | undefined;
  /** Turns an error into the caller's failure. */
  readonly explain: (error: unknown) => unknown;
  readonly #pool: ConnectionPool;
  readonly #closing = new AbortController();

  constructor(
    host: Pick<Host, "clock" | "postgres" | "signal">,
    { settings, explain, writer, maxConnections = 1 }: SharedDatabaseOptions,
  ) {
    this.#host = host;
    this.settings = settings;
    this.#writer = writer;
    this.explain = explain;
    const connect = async (signal = this.#closing.signal) => (await host.postgres()).connect(settings, signal);
    this.#pool = new ConnectionPool(connect, maxConnections);
  }

  /** Reads with one statement. */
  async read(text: string, values: Statement["values"] = []): Promise<readonly PostgresRecord[]> {
    return this.persist(() => this.#pool.use((connection) => readWith(connection, { text, values })));
  }

  /**
   * Runs the work in a transaction and commits it. After a lost connection, it runs again from the beginning, and has
   * to check whether it was already done: a commit whose answer was lost may have succeeded.
   */
  write<T>(work: Work<T>, within = patienceMs): Promise<T> {
    return this.#write(work, within, true);
  }

  /**
   * The same for work with locks that many wait for: others get the locks as soon as it is committed, without waiting
   * for the disk. What they read then may still be lost with the power. But what they commit comes later in the
   * server's log: neither the disk nor a standby ever has only that.
   */
  writeInTurn<T>(work: Work<T>, within = patienceMs): Promise<T> {
    return this.#write(work, within, false);
  }

  /** Waits until everything that was read from this server so far is on its disk. */
  async waitForDisk(): Promise<void> {
    await this.persist(() => this.#pool.use((connection) => connection.run(waitForDisk)));
  }

  #write<T>(work: Work<T>, within: number, isOnDisk: boolean): Promise<T> {
    let attempt = 0;
    const transact = (connection: PostgresConnection) => this.#transact(connection, work, (attempt += 1), isOnDisk);
    return this.persist(() => this.#pool.use(transact), within, "write to");
  }

  /**
   * Reads without waiting for an unavailable server, as the first statement of a run. Nothing depends on it yet, so
   * Ctrl-C and TERM end the wait. Later they don't: outcomes of money have to be recorded.
   * @throws {Failure} interrupted
   */
  async firstRead(text: string): Promise<readonly PostgresRecord[]> {
    const { signal } = this.#host;
    try {
      return await this.#pool.use((connection) => readWith(connection, { text, values: [] }), signal);
    } catch (error) {
      throw signal.aborted && isLost(error) ? interruption(signal) : await this.named(error);
    }
  }

  /**
   * Retries after a lost connection or another process's lock, until it succeeds or `within` ms are over. The time
   * counts from the first failure: a server that went away silently is noticed late, and may be back by then.
   * @throws {Failure} as `explain` returns it
   */
  async persist<T>(use: () => Promise<T>, within = patienceMs, access: Access = "read"): Promise<T> {
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
        // A connection opened after `close` would never be closed, and would keep the program from ending.
        if (!isWorthIt || this.#closing.signal.aborted) throw this.explain(await this.named(error, access));
      }
    }
  }

  /** Lends the connection itself, for the caller's own transactions. Errors are unchanged. */
  lend<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#pool.use(work, this.#host.signal).catch(async (error: unknown) => {
      throw await this.named(error);
    });
  }

  /** Listens for notifications on a channel of this database, over a connection of its own. */
  news(channel: string): Notifications {
    return new Notifications(this.#host, this.settings, channel);
  }

  /** Waits for current work, and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.close();
  }

  async #transact<T>(connection: PostgresConnection, work: Work<T>, attempt: number, isOnDisk: boolean): Promise<T> {
    let opening: Statement[] = [{ text: begin(isOnDisk, this.#writer) }];
    const afterwards: (() => void)[] = [];
    let last: readonly Statement[] = [];
    let useAnswers: ((answers: readonly (readonly PostgresRecord[])[]) => void) | undefined;
    const run = async (...statements: readonly Statement[]) => {
      const before = opening;
      opening = [];
      // Kept plans save the server's time, and others wait less.
      const asked = isOnDisk ? statements : statements.map((statement) => ({ ...statement, isRepeated: true }));
      return (await connection.run([...before, ...asked])).slice(before.length);
    };
    try {
      const finishWith: Transaction["finishWith"] = (statements, use) => void ([last, useAnswers] = [statements, use]);
      const finish: Transaction["finish"] = (...statements) => void ([last, useAnswers] = [statements, undefined]);
      const later: Transaction["afterwards"] = (call) => void afterwards.push(call);
      const result = await work({ run, finish, finishWith, afterwards: later }, attempt);
      const answers = await run(...last, ...(isOnDisk ? [commit] : [{ text: commit.text }, ...waitForDisk]));
      useAnswers?.(answers);
      for (const call of afterwards) call();
      return result;
    } catch (error) {
      // Work that throws before its first statement has not begun a transaction.
      if (opening.length === 0 && !isLost(error)) await connection.run([{ text: "ROLLBACK" }]);
      throw error;
    }
  }

  /** For an error about a lock, a right or a server that only reads, adds who or why: the server's error doesn't say. */
  async named(error: unknown, access: Access = "read"): Promise<unknown> {
    if (!(error instanceof PostgresError)) return error;
    if (error.code === deniedState) {
      const groups = await this.#look(groupsSql);
      return groups.length === 0 ? error : new DeniedError(error, access, groups);
    }
    if (error.code === readOnlyState) {
      const [{ is_standby: isStandby } = {}] = await this.#look("SELECT pg_is_in_recovery() AS is_standby");
      return isStandby === false ? new PostgresError("refused", error.message, ownCodes.readOnly, error) : error;
    }
    if (error.code !== lockedState) return error;
    const [{ name, pid, is_waiting: isWaiting } = {}] = await this.#look(holderSql);
    if (isWaiting === true) return noStandby(error);
    const isNamed = typeof name === "string";
    return isNamed ? new PostgresError("refused", `${name} (process ${String(pid)})`, heldCode, error) : error;
  }

  /** True where a commit of ours is waiting for a standby. */
  async #waitsForStandby(): Promise<boolean> {
    return (await this.#look(waitingSql)).length > 0;
  }

  /** Empty where the server doesn't answer this either. */
  #look(text: string): Promise<readonly PostgresRecord[]> {
    return this.#pool.use((connection) => readWith(connection, { text, values: [] })).catch(() => []);
  }
}

/** Finds who holds locks on our tables, or advisory locks: the oldest open transaction. */
const holderSql = `SELECT a.usename::text AS name, a.pid, coalesce(a.wait_event = 'SyncRep', false) AS is_waiting FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND a.pid <> pg_backend_pid() AND a.datname = current_database() AND (l.locktype = 'advisory'
    OR l.relation IN (SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'partner'))
  ORDER BY a.xact_start NULLS LAST, a.backend_start LIMIT 1`;
const waitingSql = "SELECT pid FROM pg_stat_activity WHERE usename = session_user AND wait_event = 'SyncRep' LIMIT 1";

/** A COMMIT also ends a failed transaction. */
async function readWith(connection: PostgresConnection, statement: Statement): Promise<readonly PostgresRecord[]> {
  const [, rows = []] = await connection.run([beginReading, statement, { text: "COMMIT" }]);
  return rows;
}
