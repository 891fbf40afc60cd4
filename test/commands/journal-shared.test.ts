import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import { expect, onTestFinished, vi } from "vitest";
import { elapsedMs } from "../../src/host/process/elapsed-ms.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { wayTo } from "../journal/broken-way.ts";
import { postgresCertificate } from "../postgres.ts";
import type { Partner } from "../simulated.ts";
import { now, test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { program } from "../program.ts";

const transfer = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

/** The last write of a move, sent along with its commit. */
const lastWrite = "UPDATE partner.journal SET movements = $1, events";

/** A `partner` on its own machine, with the database as its journal. */
const hostOf = (partnerIn: (world: object) => Partner, address: string, hostName = "one", userName = "amina") =>
  partnerIn({
    host: { ids },
    environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address },
    machine: { hostName, userName },
  });

/** A machine with a local journal: a `partner` that uses it, and one that also names a shared journal. */
function machineIn(partnerIn: (world: object) => Partner) {
  const folder = { PARTNER_CONFIG_DIR: temporaryFolder() };
  return {
    local: partnerIn({ environment: folder }),
    withBoth: (address: string) =>
      partnerIn({ host: { ids }, environment: { ...folder, PARTNER_JOURNAL_URL: address } }),
  };
}

/** The port of a server that refuses TLS. */
async function portWithoutTls(): Promise<number> {
  const server = createServer((socket) => socket.once("data", () => socket.write("N"))).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A server on this machine with a certificate for another name, and how many connections got a byte to it by TLS. */
async function serverNamedElsewhere() {
  const [certificate, key] = ["elsewhere-certificate.pem", "test-only-key.pem"].map((name) =>
    join(import.meta.dirname, "../host/fixtures", name),
  );
  let agreed = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, {
        isServer: true,
        key: readFileSync(key ?? ""),
        cert: readFileSync(certificate ?? ""),
      });
      secure.on("error", () => undefined);
      secure.once("data", () => {
        agreed += 1;
        secure.destroy();
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, certificate: certificate ?? "", agreed: () => agreed };
}

/** SQL that makes a database refuse every order. */
const refuseRows = `CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no room'; END$$;
  CREATE TRIGGER refuse BEFORE INSERT ON partner.movements FOR EACH ROW EXECUTE FUNCTION public.refuse()`;
const nobody = (url: URL) => Object.assign(url, { username: "nobody", password: "nothing1" });

withPostgres("with a shared journal,", (server) => {
  const newJournal = async (partnerIn: (world: object) => Partner): Promise<string> => {
    const address = await server.newDatabase();
    expect(await hostOf(partnerIn, address)`journal migrate`).toMatchObject({ exit: 0 });
    return address;
  };

  test("nothing is sent before the journal exists, and a second migrate changes nothing", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const partner = hostOf(partnerIn, address);
    const refused = await partner`${transfer}`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("partner journal migrate");
    const { stdout: sql } = await partner`journal migrate --dry-run`;
    expect(sql).toMatch(/^BEGIN;\n[^]*CREATE TABLE partner\.movements[^]*COMMIT;\n$/);
    expect((await partner`${transfer}`).exit).toBe(3);
    const made = JSON.parse((await partner`journal migrate --json`).stdout);
    expect(made).toContainEqual(expect.objectContaining({ part: "journal", from: 0 }));
    const again = JSON.parse((await partner`journal migrate --json`).stdout);
    expect(again).toContainEqual(expect.objectContaining({ part: "journal", from: made[0].to, to: made[0].to }));
    expect((await partner`journal migrate --dry-run`).stdout).toBe("-- There is nothing to do.\n");
    await server.sql(address, "UPDATE partner.layout SET version = 99");
    expect((await partner`${transfer}`).stderr).toContain("later version of partner");
    expect((await partner`journal migrate`).exit).toBe(3);
  });

  test("a migration gives each of its statements an hour, as a large journal's tables are changed as a whole", async ({
    partnerIn,
  }) => {
    const address = await server.newDatabase();
    await server.sql(
      address,
      `CREATE TABLE public.limits (command text, time_limit text);
      CREATE FUNCTION public.note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.limits VALUES (tg_tag, current_setting('statement_timeout')); END $$;
      CREATE EVENT TRIGGER note ON ddl_command_start EXECUTE FUNCTION public.note()`,
    );
    expect(await hostOf(partnerIn, address)`journal migrate --roles`).toMatchObject({ exit: 0 });
    const limits = await server.sql(address, "SELECT DISTINCT time_limit FROM public.limits ORDER BY 1");
    expect(limits).toEqual([{ time_limit: "1h" }]);
  });

  test("the printed SQL makes the same journal", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const partner = hostOf(partnerIn, address);
    const { stdout: sql } = await partner`journal migrate --dry-run`;
    await server.sql(address, sql);
    expect(await partner`${transfer}`).toMatchObject({ exit: 0 });
  });

  test("a reference sent by one host is not sent again by the other, which shows who sent it", async ({
    partnerIn,
  }) => {
    const address = await newJournal(partnerIn);
    const [one, two] = [hostOf(partnerIn, address), hostOf(partnerIn, address, "two", "juma")];
    const first = JSON.parse((await one`${transfer} --reference R-1 --json`).stdout);
    const second = await two`${transfer} --reference R-1 --json`;
    expect(second.exit).toBe(0);
    expect(JSON.parse(second.stdout)).toEqual(first);
    expect(await two`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
    const listed = async (flags: string) =>
      JSON.parse((await one`journal list ${flags} --json`).stdout).map((row: { reference: string }) => row.reference);
    expect(await listed("")).toEqual(["R-1", "R-2"]);
    expect(await listed("--by juma")).toEqual(["R-2"]);
    expect(await listed("--host one")).toEqual(["R-1"]);
    expect(await listed("--by amina --host two")).toEqual([]);
    expect((await two`journal show R-1`).stdout).toContain("amina");
  });

  test("an order leaves although the program has run for a fraction of a millisecond", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const { clock } = memoryHost({ now });
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address };
    const partner = partnerIn({ clock: { ...clock, elapsed: elapsedMs }, environment });
    expect(await partner`${transfer} --reference R-1`).toMatchObject({ exit: 0 });
  });

  test("without the server nothing is sent, and the run exits with 3", async ({ partnerIn }) => {
    const partner = hostOf(partnerIn, "postgres://u:verysecret@127.0.0.1:1/d");
    const { exit, stderr, stdout } = await partner`${transfer}`;
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("The shared journal postgres://127.0.0.1:1/d cannot be reached: no server listens there.");
    expect(stderr).toContain("No money moves without a journal.");
    expect(stderr).not.toContain("verysecret");
  });

  test("a wrong password, a missing database and missing rights are reported", async ({ partnerIn }) => {
    const address = new URL(await newJournal(partnerIn));
    await server.sql(address.href, "CREATE ROLE nobody LOGIN PASSWORD 'nothing1'");
    const said = async (change: (url: URL) => void, line: string) => {
      const url = new URL(address);
      change(url);
      const { exit, stderr } = await hostOf(partnerIn, url.href)`${line}`;
      expect(exit).toBe(3);
      return stderr;
    };
    expect(await said((url) => (url.password = "wrong"), "journal list")).toContain(
      "does not take the user's password",
    );
    const none = await said((url) => (url.password = ""), "journal list");
    expect(none).toContain("wants a password, and none is given");
    expect(none).toContain("chmod 600");
    expect(await said((url) => (url.pathname = "/none"), "journal list")).toContain("there is no such database");
    expect(await said(nobody, "journal list")).toContain("lacks the rights");
    expect(await said(nobody, transfer)).toContain("partner_runner");
    expect(await said(nobody, "journal migrate")).toContain("lacks the rights");
  });

  const setFsync = async (database: string, value: "on" | "off"): Promise<void> => {
    await server.sql(database, `ALTER SYSTEM SET fsync = ${value}`);
    await server.sql(database, "SELECT pg_reload_conf()");
    for (let now: unknown; now !== value;) [now] = Object.values((await server.sql(database, "SHOW fsync"))[0] ?? {});
  };

  test("a server with fsync off or a read-only one can be read, but is not used for money", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const database = new URL(address).pathname.slice(1);
    const refused = async (why: string) => {
      const { exit, stderr } = await hostOf(partnerIn, address)`${transfer}`;
      expect(exit).toBe(3);
      expect(stderr).toContain(why);
      expect(await hostOf(partnerIn, address)`journal list`).toMatchObject({ exit: 0 });
    };
    await setFsync(database, "off");
    await refused("fsync = off");
    const examined = await hostOf(partnerIn, address)`doctor --json`;
    expect(examined.stdout).toContain("The shared journal is not used for money: it runs with fsync = off");
    await setFsync(database, "on");
    await server.sql(database, `ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    await refused("its database or this role is set to read only");
  });

  test("a host that freezes in the middle of a commit is cut off, and other hosts go on", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const frozen = new Client({ connectionString: address });
    // The server ends the connection.
    frozen.on("error", () => undefined);
    await frozen.connect();
    await frozen.query(
      "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 1000; SELECT * FROM partner.journal FOR UPDATE",
    );
    expect(await hostOf(partnerIn, address)`${transfer}`).toMatchObject({ exit: 0 });
    await expect(frozen.query("COMMIT")).rejects.toThrow("connection error");
  });

  test("a new journal at the same address is not taken for the known one", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const partner = hostOf(partnerIn, address);
    await partner`${transfer} --reference R-1`;
    await server.sql(address, "DROP SCHEMA partner CASCADE");
    expect((await partner`${transfer} --reference R-1`).stderr).toContain("has no journal of partner yet");
    await hostOf(partnerIn, address)`journal migrate`;
    const { exit, stderr } = await partner`${transfer} --reference R-1`;
    expect(exit).toBe(3);
    expect(stderr).toMatch(/The journal at \S+ is not the known one/);
  });

  test("TLS accepts only a trusted certificate with the server's name", async ({ partnerIn }) => {
    const plain = new URL(await newJournal(partnerIn));
    const url = new URL(plain);
    url.hostname = "localhost";
    url.searchParams.set("sslmode", "require");
    // An impostor must not get the password, whatever the environment says.
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const untrusted = await hostOf(partnerIn, url.href)`journal list`;
    expect(untrusted.exit).toBe(3);
    expect(untrusted.stderr).toContain("its certificate is self-signed");
    expect(untrusted.stderr).toContain("--ca-cert FILE");
    expect(await hostOf(partnerIn, url.href)`journal list --ca-cert ${postgresCertificate}`).toMatchObject({ exit: 0 });
    url.searchParams.set("sslrootcert", postgresCertificate);
    expect(await hostOf(partnerIn, url.href)`journal list`).toMatchObject({ exit: 0 });
    const { port, certificate, agreed } = await serverNamedElsewhere();
    url.port = String(port);
    url.searchParams.set("sslrootcert", certificate);
    const misnamed = await hostOf(partnerIn, url.href)`journal list`;
    expect(misnamed).toMatchObject({ exit: 3, stdout: "" });
    expect(misnamed.stderr).toContain("its certificate is for another host");
    expect(agreed()).toBe(0);
  });

  test("problems with TLS are named with a hint", async ({ partnerIn }) => {
    const url = new URL(await newJournal(partnerIn));
    url.hostname = "localhost";
    const folder = temporaryFolder();
    const said = async (certificates: string) => {
      writeFileSync(join(folder, "roots.pem"), certificates);
      url.search = `sslmode=require&sslrootcert=${join(folder, "roots.pem")}`;
      const { exit, stderr } = await hostOf(partnerIn, url.href)`journal list`;
      expect(exit).toBe(3);
      return stderr;
    };
    const noCertificate = await said("nothing\n");
    expect(noCertificate).toContain("There is no certificate in it");
    expect(noCertificate).toContain("Correct the file of --ca-cert or sslrootcert");
    const good = readFileSync(postgresCertificate, "utf8");
    expect(await said(`${good}\n${good.replace("MIIB", "!!!!")}`)).toContain("in it is damaged");
    url.port = String(await portWithoutTls());
    const noTls = await said(good);
    expect(noTls).toContain("it has no TLS");
    expect(noTls).toContain("ssl = on");
    const plain = await newJournal(partnerIn);
    vi.stubEnv("PGSSLNEGOTIATION", "direct");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await hostOf(partnerIn, plain)`journal list`).toMatchObject({ exit: 0 });
  });

  test("the Unix socket and the password file are used as by psql", async ({ partnerIn }) => {
    const made = new URL(await newJournal(partnerIn));
    const database = made.pathname.slice(1);
    const folder = temporaryFolder();
    const pgpass = join(folder, "pgpass");
    const escaped = server.password.replaceAll(":", String.raw`\:`);
    writeFileSync(pgpass, `# a comment\nelsewhere:*:*:*:no\nlocalhost:${server.port}:${database}:*:${escaped}\n`, {
      mode: 0o600,
    });
    const address = `postgres://postgres@localhost:${server.port}/${database}?host=${server.socket}`;
    const environment = { PARTNER_CONFIG_DIR: folder, PGPASSFILE: pgpass, PARTNER_JOURNAL_URL: address };
    expect(await partnerIn({ environment })`journal list`).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining("no order yet"),
    });
  });

  test("a profile names the database but never holds its password", async ({ partnerIn }) => {
    const folder = temporaryFolder();
    const address = new URL(await newJournal(partnerIn));
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder, PGPASSWORD: server.password } });
    const refused = await partner`profile set shop journal=postgres://u:verysecret@h/d`;
    expect(refused.exit).not.toBe(0);
    writeFileSync(
      join(folder, "config.json"),
      JSON.stringify({
        version: 1,
        profiles: {
          shop: {
            environment: "simulator",
            baseUrl: "http://127.0.0.1:1",
            accountId: "A",
            secretStore: "file",
            journal: `postgres://postgres@127.0.0.1:${server.port}${address.pathname}`,
          },
        },
      }),
      { mode: 0o600 },
    );
    const set = await partner`profile set shop journal=postgres://u:verysecret@h/d`;
    expect(set.exit).toBe(2);
    expect(set.stderr).toContain("holds a password");
    expect(set.stderr).not.toContain("verysecret");
    expect(await partner`journal list --profile shop`).toMatchObject({ exit: 0 });
    expect((await partner`profile show shop`).stdout).toContain(
      `postgres://127.0.0.1:${server.port}${address.pathname}`,
    );
  });

  test("a local journal is moved with its whole history and closed, and is not merged with another one", async ({
    partnerIn,
  }) => {
    const { local, withBoth } = machineIn(partnerIn);
    await local`${transfer} --reference R-1`;
    await local`${transfer} --reference R-2`;
    const before = (await local`journal export --json`).stdout;
    const trail = (await local`journal export --events --csv`).stdout;
    const address = await newJournal(partnerIn);
    const both = withBoth(address);
    const copied = await both`journal copy --json`;
    expect(copied.exit).toBe(0);
    expect(copied.stderr).toContain("The local journal takes no orders any more. Name the shared one");
    expect(JSON.parse(copied.stdout)).toMatchObject({ orders: 2, lines: 6 });
    expect((await both`journal export --json`).stdout).toBe(before);
    expect((await both`journal export --events --csv`).stdout).toBe(trail);
    expect(await both`journal verify`).toMatchObject({ exit: 0 });
    const closed = await local`${transfer} --reference R-3`;
    expect(closed).toMatchObject({ exit: 3, stdout: "" });
    expect(closed.stderr).toContain("was moved to postgres://127.0.0.1");
    expect((await local`journal list --json`).stdout).toContain("R-2");
    expect(await both`journal copy`).toMatchObject({ exit: 0 });
    expect(await both`${transfer} --reference R-1`).toMatchObject({ exit: 0 });
    await both`${transfer} --reference R-3`;
    expect((await both`journal copy`).stderr).toContain("has 3 orders of its own");
  });

  test.for(["done", "never"] as const)(
    "a move is whole after its last commit was %s and the answer was lost",
    async (fate, { partnerIn }) => {
      const { local, withBoth } = machineIn(partnerIn);
      await local`${transfer} --reference R-1`;
      const way = await wayTo(await newJournal(partnerIn));
      const both = withBoth(way.address);
      way.breakAt(1, fate, lastWrite);
      expect(await both`journal copy`).toMatchObject({ exit: 0 });
      expect(await both`journal copy`).toMatchObject({ exit: 0 });
      expect(JSON.parse((await both`journal verify --json`).stdout)).toMatchObject({ orders: 1, lines: 3 });
      expect(await both`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
    },
  );

  test("a move that is broken off leaves the local journal closed until it is known what arrived", async ({
    partnerIn,
  }) => {
    const { local, withBoth } = machineIn(partnerIn);
    await local`${transfer} --reference R-1`;
    const address = await newJournal(partnerIn);
    const way = await wayTo(address);
    const both = withBoth(way.address);
    way.breakAt(1, "closed", lastWrite);
    expect((await both`journal copy`).exit).toBe(3);
    expect((await local`${transfer} --reference R-2`).stderr).toContain(
      "If the move was broken off, end it: partner journal copy",
    );
    way.open();
    await server.sql(address, refuseRows);
    expect((await both`journal copy`).exit).toBe(3);
    // Nothing arrived there, so orders go on in the local journal.
    expect(await local`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
    await server.sql(address, "DROP TRIGGER refuse ON partner.movements");
    expect(await both`journal copy`).toMatchObject({ exit: 0 });
    expect((await both`journal list --json`).stdout).toContain("R-1");
  });

  test("a move leaves the local journal open when another host's order comes first", async ({ partnerIn }) => {
    const { local, withBoth } = machineIn(partnerIn);
    await local`${transfer} --reference R-1`;
    const address = await newJournal(partnerIn);
    const other = new Client({ connectionString: address });
    await other.connect();
    await other.query("BEGIN; UPDATE partner.journal SET movements = 1, events = 2");
    const moving = withBoth(address)`journal copy`;
    // By now the move has seen an empty journal there, and has closed the local one.
    const waiting = "SELECT FROM pg_stat_activity WHERE application_name = 'partner' AND wait_event_type = 'Lock'";
    await expect.poll(() => server.sql(address, waiting)).toHaveLength(1);
    await other.query("COMMIT");
    await other.end();
    const { exit, stderr } = await moving;
    expect(exit).toBe(2);
    expect(stderr).toContain("has 1 order of its own");
    expect(await local`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
  });

  test("an order in flight keeps a journal from being moved until its outcome is known", async ({
    partnerIn,
    faults,
  }) => {
    const { local, withBoth } = machineIn(partnerIn);
    const both = withBoth(await newJournal(partnerIn));
    const held = faults.hold("transfer");
    const flying = local`${transfer} --reference R-1`;
    await held.reached;
    const { exit, stdout, stderr } = await both`journal copy`;
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain("The order R-1 is on its way right now.");
    expect((await both`journal list --json`).stdout).toBe("[]\n");
    held.release();
    expect(await flying).toMatchObject({ exit: 0 });
    expect(await local`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
    expect(JSON.parse((await both`journal copy --json`).stdout)).toMatchObject({ orders: 2 });
  });

  test("a host whose clock is an hour ahead neither calls another's order over, nor lets anyone decide about it", async ({
    partnerIn,
    faults,
  }) => {
    const address = await newJournal(partnerIn);
    const sender = hostOf(partnerIn, address);
    const ahead = partnerIn({
      host: { ids },
      environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address },
      machine: { hostName: "two", userName: "juma", processFate: () => "unclear" },
      now: now + 3_600_000,
    });
    const held = faults.hold("transfer");
    const flying = sender`${transfer} --reference R-1`;
    await held.reached;
    const [listed] = JSON.parse((await ahead`journal list --json`).stdout);
    expect(listed).toMatchObject({ reference: "R-1", state: "sending" });
    const decided = await ahead`journal resolve R-1 --as refused --evidence ticket --against-statement`;
    expect(decided.exit).not.toBe(0);
    expect(decided.stderr).toContain("right now");
    held.release();
    expect(await flying).toMatchObject({ exit: 0 });
    const { history } = JSON.parse((await ahead`journal show R-1 --json`).stdout);
    expect(history.map(({ step }: { step: string }) => step)).toEqual(["claim", "send", "settle"]);
  });

  test("a journal is not moved into one with other orders, and stays open", async ({ partnerIn }) => {
    const { local, withBoth } = machineIn(partnerIn);
    await local`${transfer} --reference R-1`;
    const address = await newJournal(partnerIn);
    await hostOf(partnerIn, address)`${transfer} --reference X-1`;
    await hostOf(partnerIn, address)`${transfer} --reference X-2`;
    const both = withBoth(address);
    const { exit, stderr } = await both`journal copy`;
    expect(exit).toBe(2);
    expect(stderr).toContain("has 2 orders of its own");
    expect(await local`${transfer} --reference R-2`).toMatchObject({ exit: 0 });
  });

  test("an exported history verifies, and a changed, cut or extended one does not", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const partner = hostOf(partnerIn, address, "one", "=cmd");
    for (const reference of ["R-1", "@R2", "R-3"]) await partner`${transfer} --reference ${reference}`;
    const folder = temporaryFolder();
    for (const name of ["trail.ndjson", "trail.csv"]) {
      const file = join(folder, name);
      const exported = await partner`journal export --events --save ${file}`;
      const [, head = ""] = /head ([0-9a-f]{64})/.exec(exported.stderr) ?? [];
      expect(await partner`journal verify --export ${file} --head ${head}`).toMatchObject({ exit: 0 });
      expect(await partner`journal verify --head ${head}`).toMatchObject({ exit: 0 });
      const text = readFileSync(file, "utf8");
      const lines = text.trimEnd().split("\n");
      const top = name.endsWith("csv") ? 1 : 0;
      const broken = async (changed: string, flags = "") => {
        const path = join(folder, `changed-${name}`);
        writeFileSync(path, changed);
        const { exit, stderr } = await partner`journal verify --export ${path} ${flags}`;
        expect(exit).toBe(9);
        return stderr;
      };
      expect(await broken(text.replace("rent", "Rent"))).toContain(`Line ${top + 1} of`);
      expect(await broken(text.replace("R-3", "R-4"))).toContain(`Line ${top + 7} of`);
      const without = lines.toSpliced(top + 4, 1).join("\n");
      expect(await broken(`${without}\n`)).toContain(`Line ${top + 5} of`);
      expect(await broken(`${lines.slice(0, -1).join("\n")}\n`, `--head ${head}`)).toContain("ends after 8 lines");
    }
    const other = "0".repeat(63) + "1";
    expect(await partner`journal verify --head ${other}`).toMatchObject({ exit: 9 });
  });

  test("a row that was changed in the database is noticed", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const partner = hostOf(partnerIn, address);
    await partner`${transfer} --reference R-1`;
    await expect(server.sql(address, "UPDATE partner.events SET note = 'x'")).rejects.toThrow(
      "history is never changed",
    );
    await expect(server.sql(address, "DELETE FROM partner.movements")).rejects.toThrow("never forgotten");
    await expect(server.sql(address, "TRUNCATE partner.events")).rejects.toThrow("never forgotten");
    await server.sql(
      address,
      "SET session_replication_role = replica; UPDATE partner.events SET at = at + 1000 WHERE number = 2",
    );
    const { exit, stderr } = await partner`journal verify`;
    expect(exit).toBe(9);
    expect(stderr).toContain("row 2 of its events: a row is not as it was written");
  });

  test("a second row in the table of numbers is noticed, and no order gets a number from it", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const partner = hostOf(partnerIn, address);
    await partner`${transfer} --reference R-1`;
    await server.sql(
      address,
      `ALTER TABLE partner.journal DROP CONSTRAINT journal_sole_check;
      INSERT INTO partner.journal SELECT false, id, created_at, movements + 5, events FROM partner.journal`,
    );
    const { exit, stderr } = await partner`journal verify`;
    expect(exit).toBe(9);
    expect(stderr).toContain("its numbers come from one row, and there is not one");
    expect(await partner`${transfer} --reference R-2`).toMatchObject({ exit: 3, stdout: "" });
    expect((await partner`journal list --csv`).stdout).not.toContain("R-2");
  });

  test("when the server gives up a request, the error does not call it busy", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    await server.sql(
      address,
      `CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled'; END $$;
      CREATE TRIGGER gives_up BEFORE INSERT ON partner.movements EXECUTE FUNCTION give_up()`,
    );
    const { exit, stdout, stderr } = await hostOf(partnerIn, address)`${transfer}`;
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain("gave up a request: canceling statement due to statement timeout");
    expect(stderr).not.toContain("busy");
  });

  test("NODE_PG_FORCE_NATIVE has no effect", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address };
    const { status, stderr } = spawnSync(process.execPath, [program, "journal", "verify"], {
      env: { PATH: process.env["PATH"], ...environment, NODE_PG_FORCE_NATIVE: "1" },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("a journal that would reuse numbers is noticed, and refuses orders", async ({ partnerIn }) => {
    const address = await newJournal(partnerIn);
    const partner = hostOf(partnerIn, address);
    await partner`${transfer} --reference R-1`;
    expect(await partner`journal verify`).toMatchObject({ exit: 0 });
    await server.sql(address, "UPDATE partner.journal SET events = events - 1");
    const { exit, stderr } = await partner`journal verify`;
    expect(exit).toBe(9);
    expect(stderr).toContain("numbers were never given");
    expect(await partner`${transfer} --reference R-2`).toMatchObject({ exit: 3, stdout: "" });
  });
});
