import { posix, win32 } from "node:path";
import type { Host } from "../../host/host.ts";
import type { PostgresServer, PostgresSettings, PostgresTls } from "../../host/databases/postgres.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import type { PostgresUrl } from "../../values/addresses/postgres-url.ts";
import { answerTimeoutMs, connectTimeoutMs } from "./database.ts";

const fileMaxBytes = 4 * 1_048_576;
const othersMayRead = 0o077;
const groupMayWriteOrOthersMayRead = 0o037;

/**
 * How to connect to the database of a URL. A missing user or password comes from PGUSER, PGPASSWORD and the password
 * file, as in other PostgreSQL programs.
 * @param extraCertificates trusted besides the system's own
 * @throws {Failure} setup where a file cannot be used
 */
export async function sharedSettings(
  host: Host,
  url: PostgresUrl,
  extraCertificates: string | undefined,
): Promise<PostgresSettings> {
  const { environment, machine } = host;
  const user = url.user ?? given(environment["PGUSER"]) ?? machine.userName;
  const password = url.password ?? given(environment["PGPASSWORD"]);
  const { rootCertificates: path, database } = url;
  const roots = path === undefined ? undefined : await readFile(host, path, "of sslrootcert");
  const trusted = [extraCertificates, roots].filter((text) => text !== undefined);
  const servers: PostgresServer[] = [];
  for (const server of url.servers)
    servers.push({ ...server, password: password ?? (await storedPassword(host, { ...server, database, user })) });
  return {
    servers,
    database,
    user,
    tls: {
      extraCertificates: trusted.length === 0 ? undefined : trusted.join("\n"),
      own: await ownCertificate(host, url),
    },
    session: url.session,
    connectTimeoutMs: url.connectTimeoutMs ?? connectTimeoutMs,
    answerTimeoutMs,
  };
}

/** A key that others can read is refused. */
async function ownCertificate(host: Host, { clientCertificate, clientKey }: PostgresUrl): Promise<PostgresTls["own"]> {
  if (clientCertificate === undefined || clientKey === undefined) return undefined;
  const facts = await host.files.facts(clientKey).catch(() => undefined);
  const { userId } = host.machine;
  // As in libpq: a key of root may be readable by its group.
  const isRoots = facts?.ownerId === 0 && userId !== 0;
  const tooOpen = isRoots ? groupMayWriteOrOthersMayRead : othersMayRead;
  if (userId !== undefined && facts !== undefined && (facts.mode & tooOpen) !== 0)
    throw new Failure("setup", `The key ${namePath(clientKey)} of sslkey can be read by others.`, {
      hint: `Make it this user's alone: chmod 600 ${namePath(clientKey)}`,
    });
  return {
    certificate: await readFile(host, clientCertificate, "of sslcert"),
    key: await readFile(host, clientKey, "of sslkey"),
  };
}

/**
 * Looks up a password in the password file. A line is `host:port:database:user:password`; `*` matches anything, and a
 * backslash escapes a colon.
 */
async function storedPassword(
  host: Host,
  wanted: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
): Promise<string | undefined> {
  const path = passwordFile(host);
  const facts = path === undefined ? undefined : await host.files.facts(path);
  if (path === undefined || facts?.kind !== "file") return undefined;
  if (host.machine.userId !== undefined && (facts.mode & othersMayRead) !== 0) return undefined;
  const lines = (await readFile(host, path, "of passwords")).split(/\r?\n/);
  const name = wanted.host.startsWith("/") ? "localhost" : wanted.host;
  const sought = [name, String(wanted.port), wanted.database, wanted.user];
  for (const line of lines) {
    if (line.startsWith("#")) continue;
    const fields = fieldsOf(line);
    const password = fields[sought.length];
    if (password !== undefined && sought.every((text, index) => fields[index] === "*" || fields[index] === text))
      return password;
  }
  return undefined;
}

function fieldsOf(line: string): readonly string[] {
  const fields = [""];
  for (const [part, escaped] of line.matchAll(/\\(.)|:|[^:\\]+|\\$/gs)) {
    if (part === ":") fields.push("");
    else fields.push((fields.pop() ?? "") + (escaped ?? part));
  }
  return fields;
}

function passwordFile({ environment, machine }: Host): string | undefined {
  const named = given(environment["PGPASSFILE"]);
  if (named !== undefined) return named;
  const home = given(environment["HOME"]) ?? machine.homeFolder();
  if (machine.platform !== "win32") return home === undefined ? undefined : posix.join(home, ".pgpass");
  const folder = given(environment["APPDATA"]);
  return folder === undefined ? undefined : win32.join(folder, "postgresql", "pgpass.conf");
}

async function readFile(host: Host, path: string, what: string): Promise<string> {
  try {
    return new TextDecoder().decode(await host.files.read(path, fileMaxBytes));
  } catch (cause) {
    throw new Failure("setup", `The file ${namePath(path)} ${what} cannot be read.`, {
      hint: "Make it readable for this user, or leave it out of the address and the environment (PGSSLCERT and the like).",
      cause,
    });
  }
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
