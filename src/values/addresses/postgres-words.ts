/** Settings of a database in libpq's own words, from an address, the environment, or a service file. */
export type PostgresWords = Partial<Readonly<Record<PostgresWord, string>>>;

/** The words that are known here. Lists of hosts and ports are separated by commas. */
export const postgresWords = [
  "host",
  "port",
  "dbname",
  "user",
  "password",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "connect_timeout",
  "target_session_attrs",
] as const;
export type PostgresWord = (typeof postgresWords)[number];

/** Words that may follow the question mark of an address. */
const parameters = [
  "host",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "connect_timeout",
  "target_session_attrs",
  "service",
] as const;
const form = /^postgres(?:ql)?:\/\/(?:(?<user>[^/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/;
const invalid =
  "isn't a valid address: write special characters of names and passwords as %40 (@), %2F (/) and the like";

/** Others that libpq has. Only names of these lists are repeated: any other could be a piece of a password with a `?`. */
const ofLibpq: ReadonlySet<string> = new Set(["user", "password", "dbname", "hostaddr", "options", "application_name"]);

function isKnown(name: string): boolean {
  return parameters.some((known) => known === name);
}

function oddParameter(name: string): string {
  if (isKnown(name)) return `has the parameter ${name} twice`;
  if (name === "port") return "has the parameter port: write it before the database, as in :PORT/DATABASE";
  const called = ofLibpq.has(name) ? `the parameter ${name}, which` : "a parameter that";
  return `has ${called} is not known here: it may have ${parameters.join(", ")}`;
}

/**
 * The parameters of an address, without defaults.
 * @returns the error, in words that follow its name, where it is invalid
 */
export function parsePostgresWords(text: string): (PostgresWords & { readonly service?: string }) | string {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must start with postgres://";
  if (/[\s\p{Cc}\\#]/u.test(text))
    return "contains white space, a backslash, a # or a control character: write them as %20, %5C, %23";
  const { user: person = "", hosts = "", database = "", query = "" } = form.exec(text)?.groups ?? {};
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  const odd = names.find((name, index) => !isKnown(name) || names.indexOf(name) !== index);
  if (odd !== undefined) return oddParameter(odd);
  const places = hosts === "" ? [] : hosts.split(",").map((place) => placeIn(place));
  const [user = "", ...rest] = person.split(":");
  const decoded = decode([user, rest.join(":"), database, ...places.map((place) => place?.host ?? "")]);
  if (decoded === undefined) return "has a % without a character, or with one that cannot be typed";
  if (places.includes(undefined)) return invalid;
  const [name = "", password = "", dbname = "", ...hostNames] = decoded;
  const { host: folder, ...others } = Object.fromEntries(given);
  if (folder?.split(",").every((each) => each.startsWith("/")) === false)
    return "has a host= other than the folder of a Unix socket: name a host before the /";
  return filled({
    ...others,
    host: folder ?? hostNames.join(","),
    // A port without a host name belongs to the folder of a socket.
    port: portsOf(places.flatMap((place) => place?.port ?? "")),
    dbname,
    user: name,
    password,
  });
}

/** The service that an address names for the rest of its settings. */
export function serviceOf(text: string): string | undefined {
  const words = parsePostgresWords(text);
  return typeof words === "string" ? undefined : words.service;
}

/** A host may be `[::1]`, `name` or `%2Ffolder`, each with a port. */
function placeIn(text: string): { readonly host: string; readonly port: string } | undefined {
  const [whole, bracketed, plain = "", port = ""] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d*))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : { host: bracketed ?? plain, port };
}

function portsOf(ports: readonly string[]): string {
  return ports.every((port) => port === "") ? "" : ports.join(",");
}

/** Without empty values. */
function filled(words: Readonly<Record<string, string>>): PostgresWords {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ""));
}

function decode(texts: readonly string[]): string[] | undefined {
  try {
    const decoded = texts.map((text) => decodeURIComponent(text));
    return decoded.some((text) => /\p{Cc}/u.test(text)) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
