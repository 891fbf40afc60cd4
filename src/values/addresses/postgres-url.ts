import { isLoopback } from "./loopback.ts";

/** What a `postgres://` address says, and nothing that it leaves out. */
export interface PostgresUrl {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** False where the bytes stay on this machine and TLS was not asked for. */
  readonly isEncrypted: boolean;
  /** A file of certificates to trust besides the system's own. */
  readonly rootCertificates: string | undefined;
}

const defaultPort = 5432;
const parameters = ["host", "sslmode", "sslrootcert"];
/** Each of them means the last one here: a certificate that nobody looks at protects nothing. */
const encryptedModes = ["require", "verify-ca", "verify-full"];

/**
 * Reads the address of a database.
 * @returns what is wrong with it, in words that follow its name and never repeat it, where it will not do
 */
export function readPostgresUrl(text: string): PostgresUrl | string {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must start with postgres://";
  if (/[\s\p{Cc}\\#]/u.test(text))
    return "holds a blank, a backslash, a # or a control character: write them as %20, %5C, %23";
  const url = URL.parse(text);
  if (url === null)
    return "isn't a valid address: write special characters of names and passwords as %40 (@), %2F (/) and the like";
  const given = [...url.searchParams.keys()];
  if (given.some((name, index) => !parameters.includes(name) || given.indexOf(name) !== index))
    return `has a parameter twice, or one that is not known here: it may have ${parameters.join(", ")}`;
  const decoded = decode([url.username, url.password, url.pathname.slice(1), url.hostname]);
  if (decoded === undefined) return "has a % without a character, or with one that cannot be typed";
  const [user = "", password = "", database = "", name = ""] = decoded;
  if (database === "" || database.includes("/")) return "must end in the name of a database: postgres://HOST/DATABASE";
  const socket = url.searchParams.get("host") ?? undefined;
  if (socket?.startsWith("/") === false)
    return "has a host= other than the folder of a Unix socket: name a host before the /";
  const host = socket ?? name.replace(/^\[(.*)\]$/, "$1");
  if (host === "" || url.port === "0")
    return "names no host or port: postgres://HOST/DATABASE, or postgres:///DATABASE?host=/FOLDER for a Unix socket";
  const mode = url.searchParams.get("sslmode") ?? undefined;
  const staysHere = socket !== undefined || isLoopback(url.hostname);
  const problem = modeProblem(mode, staysHere);
  if (problem !== undefined) return problem;
  return {
    host,
    port: url.port === "" ? defaultPort : Number(url.port),
    database,
    user: user === "" ? undefined : user,
    password: password === "" ? undefined : password,
    isEncrypted: socket === undefined && (mode === undefined ? !staysHere : mode !== "disable"),
    rootCertificates: url.searchParams.get("sslrootcert") ?? undefined,
  };
}

/** The database as it may be shown and remembered: without user, password and the way to it. */
export function namePostgres({ host, port, database }: Pick<PostgresUrl, "host" | "port" | "database">): string {
  const place = host.startsWith("/") ? encodeURIComponent(host) : host.includes(":") ? `[${host}]` : host;
  return `postgres://${place}:${port}/${encodeURIComponent(database)}`;
}

function modeProblem(mode: string | undefined, staysHere: boolean): string | undefined {
  if (mode === undefined || encryptedModes.includes(mode)) return undefined;
  if (mode !== "disable")
    return `has an sslmode that is not known here: it may be disable or ${encryptedModes.join(", ")}`;
  return staysHere
    ? undefined
    : "says sslmode=disable: without TLS only this machine can be reached (localhost, 127.0.0.1, [::1], a Unix socket)";
}

function decode(texts: readonly string[]): string[] | undefined {
  try {
    const decoded = texts.map((text) => decodeURIComponent(text));
    return decoded.some((text) => /\p{Cc}/u.test(text)) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
