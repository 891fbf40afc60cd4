/** PostgreSQL. */
export interface Postgres {
  /**
   * Opens one connection.
   * @param signal ends the waiting for it
   * @throws {PostgresError} `lost` where no server answers, or a signal came | `refused` where one says no
   */
  connect(settings: PostgresSettings, signal?: AbortSignal): Promise<PostgresConnection>;
}

/** One of the servers that may be the one. */
export interface PostgresServer {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly password: string | undefined;
  /** False: the bytes travel as they are. */
  readonly isEncrypted: boolean;
}

/** What TLS is given: certificates to trust besides the system's own, and our own with its key, each as PEM text. */
export interface PostgresTls {
  readonly extraCertificates: string | undefined;
  readonly own: { readonly certificate: string; readonly key: string } | undefined;
}

export interface PostgresSettings {
  /** At least one; they are tried in this order. */
  readonly servers: readonly PostgresServer[];
  readonly database: string;
  readonly user: string;
  readonly tls: PostgresTls;
  /** Which of the servers is meant, by what it does; as libpq names it. */
  readonly session: "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";
  /** For each server. */
  readonly connectTimeoutMs: number;
  /** How long an answer may take before the connection counts as lost. */
  readonly answerTimeoutMs: number;
}

/** Without values it may hold several statements. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly PostgresValue[] | undefined;
  /** How long its answer may take, where that is longer than for others. */
  readonly answerTimeoutMs?: number | undefined;
}

export type PostgresValue = string | number | boolean | null | Uint8Array | readonly (string | null)[];
export type PostgresRecord = Readonly<Record<string, unknown>>;

/** What a statement gives, each value as the server writes it. */
export interface PostgresTable {
  /** With the OID of its type. */
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface PostgresConnection {
  /**
   * Sends all of them at once and waits for all answers: the rows of each. Eight-byte integers are numbers.
   * @throws {PostgresError} the first that failed
   */
  run(statements: readonly Statement[]): Promise<readonly (readonly PostgresRecord[])[]>;
  /** Hears of each notification on a channel that was listened to, and of the end of the connection. */
  hear(heard: (what: "notification" | "end") => void): void;
  /**
   * Runs one statement, and refuses several: a table with its names, in which two columns may have the same.
   * @throws {PostgresError}
   */
  table(text: string): Promise<PostgresTable>;
  close(): Promise<void>;
}

/** Codes of what is found out on this side, and before anything is asked. */
export const ownCodes = {
  noPassword: "NO_PASSWORD",
  noTls: "NO_TLS",
  noTrust: "NO_TRUST",
  /** It asks for the password itself, and nothing has proved who it is. */
  clearPassword: "CLEAR_PASSWORD",
  /** Whoever learns the proof that it asks for can guess the password from it. */
  weakProof: "WEAK_PROOF",
  /** It let us in without having proved what it began to prove. */
  noProof: "NO_PROOF",
  /** Its socket lies there for a user who is none of those that it may be. */
  strangeSocket: "STRANGE_SOCKET",
  /** The name of this machine leads to another one. */
  notHere: "NOT_HERE",
  /** None of several servers is of the kind that was asked for. */
  noTarget: "NO_TARGET",
  /** What was committed is on this server alone: the standby that has to have it too did not answer. */
  noStandby: "NO_STANDBY",
} as const;
export type OwnCode = (typeof ownCodes)[keyof typeof ownCodes];

/**
 * `lost`: nobody answers, or not any more, and what was asked last may have been done or not. `refused`: the server
 * said no and did nothing of it.
 */
export class PostgresError extends Error {
  override readonly name = "PostgresError";
  readonly kind: "lost" | "refused";
  /** The server's SQLSTATE, the socket's error code or one of our own, as far as there is one. */
  readonly code: string | undefined;

  constructor(kind: "lost" | "refused", message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.code = code;
  }
}
