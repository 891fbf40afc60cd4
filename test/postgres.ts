import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./memory-host.ts";

const fixtures = join(import.meta.dirname, "host/fixtures");
/** Another user looks names up in it. */
const traversable = 0o755;
const password = "p-0123456789 @/:";

/** The place of a server's programs, and names of their libraries that an install script would make. */
interface Programs {
  readonly folder: string;
  readonly libraries?: string;
}

/** The place of the newest server's programs in Debian and other systems; undefined where there is none. */
const systemFolder = ["/usr/lib/postgresql", "/usr/local/lib/postgresql"]
  .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, "bin")) : []))
  .filter((folder) => existsSync(join(folder, "initdb")))
  .toSorted()
  .at(-1);
export const needsPostgres = systemFolder === undefined ? " (needs postgresql)" : "";

/** Versions that npm provides for Linux on x64. */
export type NpmVersion = 17 | 18;
const packageOf = (version: NpmVersion) => join(import.meta.dirname, `../node_modules/postgres-${version}`);

/** What is missing for a server of that version; empty if nothing is. */
export function needsVersion(version: NpmVersion): string {
  const postgres = join(packageOf(version), "native/bin/postgres");
  const isThere = existsSync(postgres) && spawnSync(...asServer({ folder: "" }, "test", ["-x", postgres])).status === 0;
  return isThere ? "" : ` (skipped: needs postgres-${version} of npm, on Linux on x64)`;
}

/** @param version undefined for the newest of the system */
export function programsOf(version: NpmVersion | undefined): Programs {
  if (version === undefined) return { folder: systemFolder ?? "" };
  const libraries = temporaryFolder();
  chmodSync(libraries, traversable);
  const names: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(packageOf(version), "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of names)
    symlinkSync(join(packageOf(version), source), join(libraries, basename(target)));
  return {
    folder: join(packageOf(version), "native/bin"),
    libraries: `${libraries}:${join(packageOf(version), "native/lib")}`,
  };
}
/** A client that trusts this one trusts its certificate. */
export const postgresCertificate = join(fixtures, "localhost-certificate.pem");

/** A PostgreSQL server of its own, for as long as a test needs it. */
export interface PostgresServer {
  readonly port: number;
  /** The folder of its Unix socket. */
  readonly socket: string;
  readonly password: string;
  /** True where pg_basebackup and pg_receivewal of its version exist: npm provides the server alone. */
  readonly hasClients: boolean;
  /** A new database; the address contains user and password. */
  newDatabase(): Promise<string>;
  /** Gives a new database what is in another one that nothing is connected to; a pooler always is. */
  readonly copyDatabase: ((from: string, to: string) => Promise<void>) | undefined;
  /** Runs SQL as the one who may do everything, in a database by its name or the address that was given for it. */
  sql(database: string, text: string): Promise<readonly object[]>;
  /** A process that receives its log as a standby does, under that name, until the test ends. */
  follow(name: string): Promise<void>;
  /** Stops it, as a power failure does. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** A standby that has everything committed so far, and receives nothing from then on. */
  leaveStandby(): Promise<Standby>;
}

/** A standby that fell behind. Each of the two may be called again, in turn. */
export interface Standby {
  /** Stops the server and lets the standby take over, under the same address and on a timeline of its own. */
  takeOver(): Promise<void>;
  /** Starts the server again from which it took over. */
  bringBack(): Promise<void>;
}

/** One in a temporary folder, which is made at its first start and ends with this process at the latest. */
export function postgresServer(parent = tmpdir(), version?: NpmVersion): PostgresServer {
  let found: Programs | undefined;
  const programs = () => (found ??= programsOf(version));
  const folder = temporaryFolder(parent);
  const [socket, data] = [join(folder, "socket"), join(folder, "data")];
  let port = 0;
  let child: ChildProcess | undefined;
  let count = 0;
  let strategy: Promise<string> | undefined;

  const start = async (isStandby = false): Promise<void> => {
    if (port === 0) makeIn(programs(), folder, socket, data);
    port ||= await freePort();
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: socket,
      ssl: "on",
      ssl_cert_file: join(folder, "certificate"),
      ssl_key_file: join(folder, "key"),
      max_connections: "200",
      shared_buffers: "16MB",
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(...asServer(programs(), "postgres", ["-D", data, ...words]), {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
    });
    child = server;
    const said: string[] = [];
    for await (const line of createInterface({ input: server.stderr })) {
      said.push(line);
      if (isStandby && line.includes("is ready to accept read-only connections"))
        spawnSync(...asServer(programs(), "pg_ctl", ["promote", "-D", data, "-W"]), { cwd: folder });
      if (line.includes("is ready to accept connections")) break;
    }
    if (server.exitCode !== null) throw new Error(`The server did not start: ${said.join("\n")}`);
    server.stderr.resume();
  };
  const crash = async (): Promise<void> => {
    const server = child;
    if (server === undefined || server.exitCode !== null) return;
    forget();
    const closed = once(server, "exit");
    spawnSync(...asServer(programs(), "pg_ctl", ["stop", "-D", data, "-m", "immediate", "-W"]), { cwd: folder });
    await closed;
  };
  const address = (database: string) =>
    `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  /** To the server's own database, until the server stops: it is neither copied nor used in tests. */
  let lasting: Promise<Client> | undefined;
  const forget = () => void (lasting = undefined);
  const connectOnce = async () => (await connect(address("postgres"))).on("error", forget).on("end", forget);
  const sql = async (database: string, text: string): Promise<readonly object[]> => {
    if (database === "postgres") return (await (await (lasting ??= connectOnce())).query<object>(text)).rows;
    const client = await connect(database.includes("/") ? database : address(database));
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const createDatabase = async (name: string, template: string) =>
    void (await sql(
      "postgres",
      `CREATE DATABASE ${name} TEMPLATE ${template} ${await (strategy ??= strategyOf(sql))}`,
    ));
  return {
    get port() {
      return port;
    },
    socket,
    password,
    hasClients: version === undefined,
    sql,
    start: () => start(),
    async follow(name) {
      const target = temporaryFolder(parent);
      give(target);
      const [receiver, args] = asServer(programs(), "pg_receivewal", [
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-U",
        "postgres",
      ]);
      const env = { ...process.env, PGPASSWORD: password, PGAPPNAME: name };
      const follower = spawn(receiver, [...args, "-w", "-D", target], { env, stdio: "ignore", cwd: target });
      onTestFinished(() => void follower.kill());
      for (let found: readonly object[] = []; found.length === 0;) {
        found = await sql("postgres", "SELECT pid FROM pg_stat_replication");
        if (follower.exitCode !== null) throw new Error("pg_receivewal ended");
      }
    },
    async leaveStandby() {
      count += 1;
      const [standby, former] = [join(folder, `standby${count}`), join(folder, `former${count}`)];
      await crash();
      copyAsServer(data, standby);
      await start();
      const exchange = async (away: string, here: string, isStandby: boolean) => {
        await crash();
        renameSync(data, away);
        renameSync(here, data);
        await start(isStandby);
      };
      return {
        takeOver() {
          writeFileSync(join(standby, "standby.signal"), "");
          give(join(standby, "standby.signal"));
          return exchange(former, standby, true);
        },
        bringBack: () => exchange(standby, former, false),
      };
    },
    async newDatabase() {
      count += 1;
      const name = `d${count}`;
      await createDatabase(name, "template1");
      return address(name);
    },
    copyDatabase: (from, to) => createDatabase(to, from),
    crash,
  };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Copies the files of a new database if the server can: it takes half of the time. */
async function strategyOf(sql: PostgresServer["sql"]): Promise<string> {
  const [facts] = await sql("postgres", "SELECT current_setting('server_version_num')::int >= 150000 AS can");
  return Reflect.get(Object(facts), "can") === true ? "STRATEGY file_copy" : "";
}

/** Prepares everything that a server needs before its start. */
function makeIn(programs: Programs, folder: string, socket: string, data: string): void {
  mkdirSync(socket);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, `${password}\n`);
  copyFileSync(postgresCertificate, join(folder, "certificate"));
  copyFileSync(join(fixtures, "test-only-key.pem"), join(folder, "key"));
  chmodSync(join(folder, "key"), 0o600);
  for (const path of ["", "socket", "password", "certificate", "key"]) give(join(folder, path));
  let template = templates.get(programs.folder);
  if (template === undefined) templates.set(programs.folder, (template = makeTemplate(programs, folder, passwordFile)));
  copyAsServer(template, data);
}

/** The result of initdb, before any server ran in it: a process makes it once. */
const templates = new Map<string, string>();

function makeTemplate(programs: Programs, folder: string, passwordFile: string): string {
  const data = join(temporaryFolder(), "data");
  give(dirname(data));
  const options = ["-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  const made = spawnSync(
    ...asServer(programs, "initdb", ["-D", data, ...options, "-E", "UTF8", "--locale=C", "--no-sync"]),
    {
      encoding: "utf8",
      cwd: folder,
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  return data;
}

/**
 * The server does not run as root; when the tests do, it runs as the user of its package. It ends with this process.
 */
export function asServer(
  { folder, libraries }: Programs,
  program: string,
  args: readonly string[],
): [string, string[]] {
  const path = join(folder, program);
  if (process.platform !== "linux") return [path, [...args]];
  const env = libraries === undefined ? [] : ["env", `LD_LIBRARY_PATH=${libraries}`];
  const who = process.getuid?.() === 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return ["setpriv", [...who, "--pdeathsig", "QUIT", ...env, path, ...args]];
}

function copyAsServer(from: string, to: string): void {
  const { status } = spawnSync("cp", ["-a", from, to]);
  if (status !== 0) throw new Error(`${from} could not be copied`);
}

export function give(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { stdout } = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
  chownSync(path, Number(stdout), -1);
}
