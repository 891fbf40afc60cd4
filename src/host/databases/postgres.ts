/** PostgreSQL. */
export interface Postgres {
  /**
   * Opens one connection.
   * @param signal stops the attempt
   * @throws {PostgresError} `lost` where no server answers, or the signal was aborted | `refused` where a server
   * refuses
   */
  connect(settings: PostgresSettings, signal?: AbortSignal): Promise<PostgresConnection>;
}

/** One of several servers to try. */
export interface PostgresServer {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly password: string | undefined;
  /** False for a connection without TLS. */
  readonly isEncrypted: boolean;
}

/** TLS options: certificates to trust besides the system's, and our own certificate with its key, each as PEM text. */
export interface PostgresTls {
  readonly extraCertificates: string | undefined;
  readonly own: { readonly certificate: string; readonly key: string } | undefined;
}

export interface PostgresSettings {
  /** At least one; tried in this order. */
  readonly servers: readonly PostgresServer[];
  readonly database: string;
  readonly user: string;
  readonly tls: PostgresTls;
  /** The kind of server to accept; names as in libpq. */
  readonly session: "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";
  /** For each server. */
  readonly connectTimeoutMs: number;
  /** How long an answer may take before the connection counts as lost. */
  readonly answerTimeoutMs: number;
}

/** Without values, the text may contain several statements. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly PostgresValue[] | undefined;
  /** A longer time limit for its answer. */
  readonly answerTimeoutMs?: number | undefined;
  /**
   * True where it is run again after a lost connection: a statement that is run often may keep its plan on the server.
   */
  readonly isRepeated?: boolean | undefined;
}

export type PostgresValue = string | number | boolean | null | Uint8Array | readonly (string | null)[];
export type PostgresRecord = Readonly<Record<string, unknown>>;

/** The result of a statement, each value as the server writes it. */
export interface PostgresTable {
  /** `type` is the OID of the column's type. */
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface PostgresConnection {
  /**
   * Sends all statements at once, and waits for all answers. Eight-byte integers become numbers.
   * @returns the rows of each statement
   * @throws {PostgresError} the first that failed
   */
  run(statements: readonly Statement[]): Promise<readonly (readonly PostgresRecord[])[]>;
  /** Calls back for each notification on a channel that LISTEN named, and when the connection ends. */
  onEvent(call: (event: "notification" | "end") => void): void;
  /**
   * Runs one statement, and refuses several. Two columns may have the same name.
   * @throws {PostgresError}
   */
  table(text: string): Promise<PostgresTable>;
  close(): Promise<void>;
}

/** Codes of failures that have no SQLSTATE. */
export const ownCodes = {
  noPassword: "NO_PASSWORD",
  tooMuch: "TOO_MUCH",
  noTls: "NO_TLS",
  noTrust: "NO_TRUST",
  /** The server asks for the password itself, without proving its identity. */
  clearPassword: "CLEAR_PASSWORD",
  /** The server asks for a proof from which the password can be guessed. */
  weakProof: "WEAK_PROOF",
  /** The server let us in without completing its own proof. */
  noProof: "NO_PROOF",
  /** The socket belongs to a user who isn't trusted. */
  strangeSocket: "STRANGE_SOCKET",
  /** The name of this machine resolves to another one. */
  notHere: "NOT_HERE",
  /** None of several servers is of the requested kind. */
  noTarget: "NO_TARGET",
  /** A pooler lends a connection for one statement, and no transaction has only one. */
  statementPooling: "STATEMENT_POOLING",
  /** The database or the role is set to read only. */
  readOnly: "READ_ONLY",
  /** The commit is on this server alone: the synchronous standby did not confirm it. */
  noStandby: "NO_STANDBY",
} as const;
export type OwnCode = (typeof ownCodes)[keyof typeof ownCodes];

/**
 * `lost`: no server answers, or no longer does; the last statement may or may not have taken effect. `refused`: the
 * statement had no effect, except with `noStandby`, where the commit is on one server.
 */
export class PostgresError extends Error {
  override readonly name = "PostgresError";
  readonly kind: "lost" | "refused";
  /** The server's SQLSTATE, the socket's error code, or one of `ownCodes`. */
  readonly code: string | undefined;

  constructor(kind: "lost" | "refused", message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.code = code;
  }
}
