import { isLoopback } from "./loopback.ts";
import type { PostgresWords } from "./postgres-words.ts";
import { parsePostgresWords } from "./postgres-words.ts";

/** One of the servers of an address. */
export interface PostgresServerName {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** False where the connection stays on this machine and TLS was not requested. */
  readonly isEncrypted: boolean;
}

/** The kind of server to use; names as in libpq. */
export const targetSessions = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
export type TargetSession = (typeof targetSessions)[number];

/** The parts of a `postgres://` address, completed from the environment. */
export interface PostgresUrl {
  /** At least one; tried in this order. */
  readonly servers: readonly PostgresServerName[];
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** A file of certificates to trust besides the system's. */
  readonly rootCertificates: string | undefined;
  /** Files of this client's certificate and of its key. */
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  readonly session: TargetSession;
  /** The time limit for connecting to one server; undefined for the default. */
  readonly connectTimeoutMs: number | undefined;
}

const defaultPort = "5432";
const portMax = 65_535;
const secondsMax = 600;
/** All of them mean `verify-full` here: an unchecked certificate protects nothing. */
const encryptedModes = ["require", "verify-ca", "verify-full"];
/**
 * Modes that the environment may set for other programs. They are ignored: every connection that leaves the machine is
 * encrypted.
 */
const looseModes: ReadonlySet<string> = new Set(["allow", "prefer"]);
const noServer =
  "names no host or port: postgres://HOST/DATABASE, or postgres:///DATABASE?host=/FOLDER for a Unix socket";

/**
 * Reads the address of a database.
 * @param defaults for omitted parts, in libpq's words: from the environment, or from a service file
 * @returns the error, in words that follow its name and never repeat it, where it is invalid
 */
export function readPostgresUrl(text: string, defaults: PostgresWords = {}): PostgresUrl | string {
  const own = parsePostgresWords(text);
  if (typeof own === "string") return own;
  const { sslmode: usualMode, ...others } = defaults;
  const usual = usualMode === undefined || looseModes.has(usualMode) ? {} : { sslmode: usualMode };
  // A port in the environment belongs to the host there.
  const { port: _, ...withoutPort } = others;
  const words: PostgresWords = { ...(own.host === undefined ? others : withoutPort), ...usual, ...own };
  const { dbname = "", sslmode: mode, target_session_attrs: session = "any", connect_timeout: seconds } = words;
  if (dbname === "" || dbname.includes("/")) return "must end in the name of a database: postgres://HOST/DATABASE";
  const servers = serversIn(words);
  if (typeof servers === "string") return servers;
  const problem = modeProblem(
    mode,
    servers.every(({ staysHere }) => staysHere),
  );
  if (problem !== undefined) return problem;
  if (!isTargetSession(session))
    return `has a target_session_attrs that is not known here: it may be ${targetSessions.join(", ")}`;
  if (seconds !== undefined && (!/^\d{1,3}$/.test(seconds) || Number(seconds) > secondsMax))
    return `has a connect_timeout that isn't a number of seconds up to ${secondsMax}`;
  if ((words.sslcert === undefined) !== (words.sslkey === undefined))
    return "has one of sslcert and sslkey: a certificate needs its key, each in a file";
  return {
    servers: servers.map(({ host, port, staysHere }) => ({
      host,
      port,
      isEncrypted: !host.startsWith("/") && (mode === undefined ? !staysHere : mode !== "disable"),
    })),
    database: dbname,
    user: words.user,
    password: words.password,
    rootCertificates: words.sslrootcert === "system" ? undefined : words.sslrootcert,
    clientCertificate: words.sslcert,
    clientKey: words.sslkey,
    session,
    connectTimeoutMs: seconds === undefined || Number(seconds) === 0 ? undefined : Number(seconds) * 1000,
  };
}

/** The database in a form to show and store: without user, password and options. */
export function namePostgres({ servers, database }: Pick<PostgresUrl, "servers" | "database">): string {
  const places = servers.map(({ host, port }) => {
    const place = host.startsWith("/") ? encodeURIComponent(host) : host.includes(":") ? `[${host}]` : host;
    return `${place}:${port}`;
  });
  return `postgres://${places.join(",")}/${encodeURIComponent(database)}`;
}

interface NamedServer {
  readonly host: string;
  readonly port: number;
  readonly staysHere: boolean;
}

/** A single port is for all hosts; otherwise each host has its own. */
function serversIn({ host = "", port = "" }: PostgresWords): readonly NamedServer[] | string {
  const [hosts, ports] = [host.split(","), port.split(",")];
  if (hosts.includes("")) return noServer;
  if (ports.length > 1 && ports.length !== hosts.length) return "names another number of ports than of hosts";
  const servers: NamedServer[] = [];
  for (const [index, name] of hosts.entries()) {
    const text = (ports.length === 1 ? ports[0] : ports[index]) || defaultPort;
    if (!/^\d{1,5}$/.test(text) || Number(text) > portMax || !isHost(name))
      return "isn't a valid address: write special characters of names and passwords as %40 (@), %2F (/) and the like";
    if (Number(text) === 0) return noServer;
    const isSocket = name.startsWith("/");
    const spelled = isSocket ? name : name.toLowerCase();
    const staysHere = isSocket || isLoopback(spelled.includes(":") ? `[${spelled}]` : spelled);
    servers.push({ host: spelled, port: Number(text), staysHere });
  }
  return servers;
}

function isHost(name: string): boolean {
  return name.startsWith("/") || /^[\p{L}\p{N}._-]+$|^[0-9a-f:.]+(?:%[\w.-]+)?$/iu.test(name);
}

function isTargetSession(text: string): text is TargetSession {
  return targetSessions.some((known) => known === text);
}

function modeProblem(mode: string | undefined, staysHere: boolean): string | undefined {
  if (mode === undefined || encryptedModes.includes(mode)) return undefined;
  if (mode !== "disable")
    return `has an sslmode that is not known here: it may be disable or ${encryptedModes.join(", ")}`;
  return staysHere
    ? undefined
    : "says sslmode=disable: without TLS only this machine can be reached (localhost, 127.0.0.1, [::1], a Unix socket)";
}
