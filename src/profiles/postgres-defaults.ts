import { posix } from "node:path";
import type { Host } from "../host/host.ts";
import type { PostgresWord, PostgresWords } from "../values/addresses/postgres-words.ts";
import { postgresWords, serviceOf } from "../values/addresses/postgres-words.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { quote } from "../values/text/text.ts";

const fileMaxBytes = 1024 * 1024;
/** Where Debian's PostgreSQL packages look for the machine's service file. */
const systemFolder = "/etc/postgresql-common";

/** The variables from which PostgreSQL programs take what an address omits. Passwords are read where they are used. */
const variables: readonly (readonly [variable: string, word: PostgresWord])[] = [
  ["PGHOST", "host"],
  ["PGPORT", "port"],
  ["PGDATABASE", "dbname"],
  ["PGSSLMODE", "sslmode"],
  ["PGSSLROOTCERT", "sslrootcert"],
  ["PGSSLCERT", "sslcert"],
  ["PGSSLKEY", "sslkey"],
  ["PGCONNECT_TIMEOUT", "connect_timeout"],
  ["PGTARGETSESSIONATTRS", "target_session_attrs"],
];

/**
 * Defaults for what an address omits. The service that it or PGSERVICE names takes precedence over the other variables.
 * @throws {Failure} setup where no service file has the service, or one can't be read
 */
export async function postgresDefaults(host: Host, address: string): Promise<PostgresWords> {
  const { environment } = host;
  const given = Object.fromEntries(
    variables.flatMap(([variable, word]) => {
      const value = environment[variable];
      return value === undefined || value === "" ? [] : [[word, value]];
    }),
  );
  const service = serviceOf(address) ?? environment["PGSERVICE"];
  if (service === undefined || service === "") return given;
  return { ...given, ...(await readService(host, service)) };
}

/** The user's service file takes precedence over the machine's. */
async function readService(host: Host, service: string): Promise<PostgresWords> {
  const paths = serviceFiles(host);
  for (const path of paths) {
    if ((await host.files.facts(path).catch(() => undefined)) === undefined) continue;
    const text = await host.files.read(path, fileMaxBytes).catch((cause: unknown) => {
      throw new Failure("setup", `The file of services ${namePath(path)} cannot be read.`, {
        hint: "Make it readable for this user, or name another one: PGSERVICEFILE=FILE",
        cause,
      });
    });
    const found = serviceIn(new TextDecoder().decode(text), service);
    if (found !== undefined) return found;
  }
  throw new Failure(
    "setup",
    `There is no service ${quote(service)} in ${paths.map((path) => namePath(path)).join(" or ")}.`,
    {
      hint: "Add a section for it, or name another file: PGSERVICEFILE=FILE",
    },
  );
}

function serviceFiles({ environment, machine }: Host): string[] {
  const home = environment["HOME"] || machine.homeFolder();
  const own = environment["PGSERVICEFILE"] || (home === undefined ? undefined : posix.join(home, ".pg_service.conf"));
  const system = posix.join(environment["PGSYSCONFDIR"] || systemFolder, "pg_service.conf");
  return own === undefined ? [system] : [own, system];
}

/** Reads the section of a service: `[NAME]`, and a line for each word. */
function serviceIn(text: string, service: string): PostgresWords | undefined {
  let isOurs = false;
  let found: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, section] = /^\[(.*)\]$/.exec(line) ?? [];
    if (section !== undefined) isOurs = section === service && found === undefined;
    if (isOurs) found ??= {};
    const [, word = "", value = ""] = /^([^#=\s]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (isOurs && found !== undefined && postgresWords.some((known) => known === word)) found[word] ??= value;
  }
  return found;
}
