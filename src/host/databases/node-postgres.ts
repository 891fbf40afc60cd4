import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Client, Connection, DatabaseError } from "pg";
import type {
  Postgres,
  PostgresConnection,
  PostgresRecord,
  PostgresServer,
  PostgresSettings,
  PostgresTable,
  Statement,
} from "./postgres.ts";
import { ownCodes, PostgresError } from "./postgres.ts";
import { isOfUnknownIssuer } from "../http/trust/trust.ts";
import { guardPassword } from "./password-guard.ts";
import type { TlsOptions } from "./postgres-tls.ts";
import { tlsOfSystem, tlsOptions } from "./postgres-tls.ts";
import { connectToRight } from "./right-server.ts";
import { checkSocketOwner } from "./socket-owner.ts";
import type { StatementNames } from "./statement-names.ts";
import { namesAt } from "./statement-names.ts";
import { limitYoungGeneration } from "../process/gc-tuning.ts";

type Reading = (text: string) => unknown;
/** How the server's texts become values, by OID; our integers always fit into a double. */
const readings: Readonly<Record<number, Reading>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  20: Number,
  23: Number,
};
/** Idle time after which the operating system sends keep-alive probes. */
const keepAliveAfterMs = 10_000;
/** The longest page of a table. */
const tableMaxBytes = 256 * 1024 * 1024;
/** How long to wait for the server to close a connection: a dead network never answers. */
const closeMaxMs = 1_000;
/**
 * The routine whose notice says that the server stopped waiting for a synchronous standby: the commit is only on its
 * own disk.
 */
const waitForStandby = "SyncRepWaitForLSN";
/**
 * SQLSTATEs of a lost connection, of a server that stops or starts, of one without a free connection, and of one that
 * ends connections after a time that was set for them.
 */
const lostStates = /^(08...|57P0[1235]|53300|25P0[34])$/;

/** The client's own error messages, with a code for the same failure. */
const clientWords: Readonly<Record<string, string>> = {
  "The server does not support SSL connections": ownCodes.noTls,
  "Query read timeout": "ETIMEDOUT",
  "timeout expired": "ETIMEDOUT",
  "Connection terminated unexpectedly": "ECONNRESET",
};
/** What pgbouncer says where it lends a connection for one statement; its code is one of lost connections. */
const ofStatementPooling = /statement pooling mode/;

/** The only place that loads the PostgreSQL client. */
export function nodePostgres(): Postgres {
  return { connect };
}

function connect(settings: PostgresSettings, signal?: AbortSignal): Promise<PostgresConnection> {
  return connectToRight(settings, (server) => connectTo(server, settings, signal));
}

/**
 * If the given certificates don't prove the server's identity, the system's are tried: no data has been sent by then.
 */
async function connectTo(
  server: PostgresServer,
  settings: PostgresSettings,
  signal: AbortSignal | undefined,
): Promise<PostgresConnection> {
  const { host, port, isEncrypted } = server;
  if (isSocket(host)) await checkSocketOwner(host, port);
  try {
    return await open(clientOf(server, settings, tlsOptions(settings.tls)), signal);
  } catch (error) {
    if (!isEncrypted || !isOfUnknownIssuer(error)) throw error;
    return open(clientOf(server, settings, tlsOfSystem(settings.tls)), signal);
  }
}

/** True where the host is the folder of a Unix socket. */
function isSocket(host: string): boolean {
  return host.startsWith("/");
}

/** The package's client with the parts that it hides. */
interface Parts {
  readonly client: Client;
  readonly connection: Connection;
  readonly socket: Socket;
  readonly names: StatementNames;
}

function clientOf(
  { host, port, password, isEncrypted }: PostgresServer,
  { database, user, connectTimeoutMs, answerTimeoutMs }: PostgresSettings,
  tls: TlsOptions,
): Parts {
  const socket = new Socket();
  const ssl = isEncrypted ? tls : false;
  const settingsOfConnection = {
    stream: () => socket,
    ssl,
    // Overrides the environment.
    sslNegotiation: "postgres",
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  };
  const connection = new Connection(settingsOfConnection);
  const isProved = isSocket(host) || isEncrypted;
  if (!isProved) socket.once("connect", () => refuseElsewhere(socket));
  const settingsOfClient = {
    connection,
    host,
    port,
    database,
    user,
    // Always set: without a password, the client would look for one elsewhere.
    password: guardPassword(connection, { password, isProved }),
    ssl,
    sslnegotiation: "postgres",
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    application_name: "partner",
    client_encoding: "UTF8",
    pipeline: true,
    types: { getTypeParser },
  } as const;
  const client = new Client(settingsOfClient);
  // Without a listener the end of an idle connection would end the process; the next query reports it.
  client.on("error", () => undefined);
  return { client, connection, socket, names: namesAt(`${host}:${port}/${database}`) };
}

/** @throws {PostgresError} */
async function open(parts: Parts, signal: AbortSignal | undefined): Promise<PostgresConnection> {
  const { client, socket } = parts;
  const opened = new OpenConnection(parts);
  const giveUp = () => void socket.destroy();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const connected = client.connect();
    if (signal?.aborted === true) giveUp();
    await connected;
    return opened;
  } catch (error) {
    client.end().catch(() => undefined);
    throw explained(error);
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

class OpenConnection implements PostgresConnection {
  readonly #parts: Parts;
  /** False as soon as a commit is on this server alone. */
  #isOnStandby = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.client.on("notice", ({ routine }) => void (this.#isOnStandby &&= routine !== waitForStandby));
  }

  async run(statements: readonly Statement[]): Promise<readonly (readonly PostgresRecord[])[]> {
    const { client, connection, names } = this.#parts;
    // Sent together: the server does not hold locks while it waits for the next statement.
    connection.stream.cork();
    const asked = statements.map((statement) => ask(client, names, statement));
    connection.stream.uncork();
    const answers = await Promise.allSettled(asked);
    // Each page of a long read is garbage once the next one arrives.
    limitYoungGeneration();
    const rows = answers.map((answer) => {
      if (answer.status === "fulfilled") return answer.value;
      throw explained(answer.reason);
    });
    if (this.#isOnStandby) return rows;
    this.#isOnStandby = true;
    throw new PostgresError("refused", "no synchronous standby has it", ownCodes.noStandby, undefined);
  }

  onEvent(call: (event: "notification" | "end") => void): void {
    const { client } = this.#parts;
    client.on("notification", () => call("notification"));
    client.on("end", () => call("end"));
  }

  async table(text: string): Promise<PostgresTable> {
    const { client, connection } = this.#parts;
    const count = limitBytes(connection.stream);
    const query = { text, rowMode: "array", queryMode: "extended", types: { getTypeParser: () => String } } as const;
    try {
      const { fields, rows } = await client.query<(string | null)[]>(query);
      limitYoungGeneration();
      return { columns: fields.map(({ name, dataTypeID: type }) => ({ name, type })), rows };
    } catch (error) {
      throw explained(error);
    } finally {
      connection.stream.off("data", count);
    }
  }

  async close(): Promise<void> {
    const { client, socket } = this.#parts;
    const timer = setTimeout(() => socket.destroy(), closeMaxMs);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }
}

/** Ends the connection where the result of a person's own statement is longer: the client keeps all of it in memory. */
function limitBytes(stream: Duplex): (piece: Uint8Array) => void {
  let bytes = 0;
  const count = (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes > tableMaxBytes)
      stream.destroy(new PostgresError("refused", "the answer is too long", ownCodes.tooMuch, undefined));
  };
  stream.on("data", count);
  return count;
}

async function ask(client: Client, names: StatementNames, statement: Statement): Promise<readonly PostgresRecord[]> {
  const { text, values, answerTimeoutMs, isRepeated = false } = statement;
  const name = isRepeated && values !== undefined && values.length > 0 ? names.of(text) : undefined;
  const query = { text, name, values: values?.map((value) => bound(value)), query_timeout: answerTimeoutMs };
  let result: unknown;
  try {
    result = await client.query<PostgresRecord>(query);
  } catch (error) {
    if (name === undefined || !(error instanceof DatabaseError) || !names.areRefused(error.code)) throw error;
    throw new PostgresError("lost", error.message, error.code, error);
  }
  // Several statements in one text have several results, whose rows aren't needed.
  return typeof result === "object" && result !== null && "rows" in result && Array.isArray(result.rows)
    ? result.rows
    : [];
}

function bound(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function getTypeParser(oid: number): Reading {
  return readings[oid] ?? String;
}

/** `localhost` means what this machine's settings say: it may resolve to another machine. */
function refuseElsewhere(socket: Socket): void {
  const { remoteAddress = "" } = socket;
  if (/^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)) return;
  socket.destroy(new PostgresError("refused", "its name leads off this machine", ownCodes.notHere, undefined));
}

function explained(error: unknown): PostgresError {
  if (error instanceof PostgresError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (ofStatementPooling.test(message)) return new PostgresError("refused", message, ownCodes.statementPooling, error);
  const code = codeOf(error) ?? clientWords[message];
  const isState = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && error instanceof DatabaseError;
  const isRefused = code === ownCodes.noTls || (isState && !lostStates.test(code));
  return new PostgresError(
    isRefused ? "refused" : "lost",
    message === "" ? (code ?? "no answer") : message,
    code,
    error,
  );
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code !== "" ? error.code : undefined;
}
