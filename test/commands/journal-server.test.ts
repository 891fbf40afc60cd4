import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../memory-host.ts";
import { postgresCertificate } from "../postgres.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";

const transfer = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes";
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };
type Environment = Readonly<Record<string, string>>;

withPostgres("the address of a shared journal", (server) => {
  test("may omit whatever psql takes from variables and from a service file", async ({ partnerIn }) => {
    const address = new URL(await server.newDatabase());
    const database = address.pathname.slice(1);
    const folder = temporaryFolder();
    const services = join(folder, "services");
    const own = ["# ours", "[other]", "host=nowhere", "[journal]", "host=127.0.0.1", `port=${server.port}`];
    writeFileSync(services, `${[...own, `dbname=${database}`, "user=postgres"].join("\n")}\n`);
    const config = { PARTNER_CONFIG_DIR: folder, PGPASSWORD: server.password };
    const as = (environment: Environment) => partnerIn({ environment: { ...config, ...environment } });
    const named = { PARTNER_JOURNAL_URL: address.href };
    expect(await as(named)`journal migrate`).toMatchObject({ exit: 0 });
    const ways: readonly Environment[] = [
      { PARTNER_JOURNAL_URL: "postgres:///?service=journal", PGSERVICEFILE: services },
      { PARTNER_JOURNAL_URL: "postgres://", PGSERVICE: "journal", PGSERVICEFILE: services },
      {
        PARTNER_JOURNAL_URL: "postgres:///",
        PGHOST: "127.0.0.1",
        PGPORT: String(server.port),
        PGDATABASE: database,
        PGUSER: "postgres",
      },
      {
        PARTNER_JOURNAL_URL: `postgres:///${database}`,
        PGHOST: server.socket,
        PGPORT: String(server.port),
        PGUSER: "postgres",
        PGSSLMODE: "prefer",
      },
    ];
    for (const way of ways) expect(await as(way)`journal list`).toMatchObject({ exit: 0 });
    const none = await as({ PARTNER_JOURNAL_URL: "postgres:///?service=none", PGSERVICEFILE: services })`journal list`;
    expect(none).toMatchObject({ exit: 3, stderr: expect.stringContaining('no service "none"') });
  });

  test("may name several servers, and skips those that do not answer or have the wrong role", async ({ partnerIn }) => {
    const address = new URL(await server.newDatabase());
    const places = `127.0.0.1:${await freePort()},127.0.0.1:${server.port}`;
    const both = address.href.replace(address.host, places);
    const at = (text: string) => partnerIn({ environment: { PARTNER_JOURNAL_URL: text } });
    expect(await at(both)`journal migrate`).toMatchObject({ exit: 0 });
    expect(await at(`${both}?target_session_attrs=read-write&connect_timeout=3`)`${transfer}`).toMatchObject({
      exit: 0,
    });
    const standby = await at(`${both}?target_session_attrs=standby`)`journal list`;
    expect(standby).toMatchObject({ exit: 3 });
    expect(standby.stderr).toContain("none of its servers is one that does what is asked of it");
    const shown = await at(both.replace(encodeURIComponent(server.password), "wrong"))`journal list`;
    expect(shown.stderr).toContain(`postgres://${places}${address.pathname}`);
    expect(shown.stderr).toContain('(it says: password authentication failed for user "postgres")');
  });

  test("may name a client certificate, if other users can't read its key", async ({ partnerIn }) => {
    const address = new URL(await server.newDatabase());
    const plain = partnerIn({ environment: { PARTNER_JOURNAL_URL: address.href } });
    expect(await plain`journal migrate`).toMatchObject({ exit: 0 });
    const folder = temporaryFolder();
    const [key, certificate] = [join(folder, "own.key"), join(folder, "own.pem")];
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=postgres",
      "-keyout",
      key,
      "-out",
      certificate,
    ]);
    expect(made.status).toBe(0);
    const authority = join(server.socket, "own.pem");
    spawnSync("cp", [certificate, authority]);
    chmodSync(authority, 0o644);
    const line = "hostssl all postgres 127.0.0.1/32 cert";
    const rules = "current_setting('hba_file')";
    await server.sql("postgres", `ALTER SYSTEM SET ssl_ca_file = '${authority}'`);
    await server.sql(
      "postgres",
      `DO $$ BEGIN EXECUTE format('COPY (SELECT %L || chr(10) || pg_read_file(%L)) TO PROGRAM %L',
      '${line}', ${rules}, 'printf "$(cat)" > ' || ${rules}); END $$`,
    );
    await server.sql("postgres", "SELECT pg_reload_conf()");
    const url = Object.assign(new URL(address), { hostname: "localhost", password: "" });
    url.search = `sslmode=verify-full&sslrootcert=${postgresCertificate}&sslcert=${certificate}&sslkey=${key}`;
    const own = partnerIn({ environment: { PARTNER_JOURNAL_URL: url.href } });
    chmodSync(key, 0o640);
    expect((await own`journal list`).stderr).toContain("can be read by others");
    chmodSync(key, 0o600);
    expect(await own`journal list`).toMatchObject({ exit: 0 });
  });
});

withPostgres("the server of a shared journal", (server) => {
  test("that is locked is reported with the role that holds the lock, and nothing is sent", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const partner = partnerIn({ host: { ids }, environment: { PARTNER_JOURNAL_URL: address } });
    await partner`journal migrate`;
    await server.sql(address, "CREATE ROLE clerk LOGIN SUPERUSER PASSWORD 'clerk'");
    const clerk = new Client({
      connectionString: Object.assign(new URL(address), { username: "clerk", password: "clerk" }).href,
    });
    await clerk.connect();
    onTestFinished(() => clerk.end());
    await clerk.query("BEGIN; LOCK TABLE partner.journal");
    const { exit, stdout, stderr } = await partner`${transfer}`;
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain("is locked by the database role clerk");
  });

  test("that may not be used for money is refused before a statement is read into the journal, and orders go on elsewhere", async ({
    partnerIn,
  }) => {
    const address = await server.newDatabase();
    const partner = partnerIn({ host: { ids }, environment: { PARTNER_JOURNAL_URL: address } });
    await partner`journal migrate`;
    const sync = async (value: "on" | "off") => {
      await server.sql("postgres", `ALTER SYSTEM SET fsync = ${value}`);
      await server.sql("postgres", "SELECT pg_reload_conf()");
    };
    await sync("off");
    const refused = await partner`journal recover`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("it runs with fsync = off");
    expect(refused.stderr).not.toContain("Reading wallet");
    expect(await partner`journal recover --dry-run`).toMatchObject({ exit: 0 });
    await sync("on");
    expect(await partner`${transfer}`).toMatchObject({ exit: 0 });
  });

  test("with another encoding than UTF8 gets no journal", async ({ partnerIn }) => {
    const address = new URL(await server.newDatabase());
    await server.sql("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    address.pathname = "/latin";
    const { exit, stdout, stderr } = await partnerIn({
      environment: { PARTNER_JOURNAL_URL: address.href },
    })`journal migrate`;
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("its encoding is LATIN1");
    expect(stderr).toContain("ENCODING 'UTF8' TEMPLATE template0");
    expect(await server.sql("latin", "SELECT FROM pg_namespace WHERE nspname = 'partner'")).toEqual([]);
  });

  test("that waits for a synchronous standby is reported with the reason: none is there, or none answers", async ({
    partnerIn,
    skip,
  }) => {
    skip(!server.hasClients, "needs pg_receivewal of the server's version");
    const address = await server.newDatabase();
    const partner = partnerIn({ host: { ids }, environment: { PARTNER_JOURNAL_URL: address } });
    await partner`journal migrate`;
    const wait = async (names: string) => {
      await server.sql("postgres", `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await server.sql("postgres", "SELECT pg_reload_conf()");
    };
    await wait("far");
    const missing = await partner`${transfer}`;
    expect(missing).toMatchObject({ exit: 3, stdout: "" });
    expect(missing.stderr).toContain("it waits for a synchronous standby (far), and none is connected");
    await server.follow("near");
    const silent = await partner`${transfer}`;
    expect(silent).toMatchObject({ exit: 3, stdout: "" });
    expect(silent.stderr).toContain("no synchronous standby answers");
    await wait("");
    const examined = await partner`doctor --json`;
    expect(examined.stdout).toContain("a standby that is not synchronous");
    expect(await partner`${transfer} --again`).toMatchObject({ exit: 0 });
  });
});

test.for([
  [1_048_576, 'There is no service "journal" in '],
  [1_048_577, "cannot be read"],
] as const)("a service file with %i bytes: %s", async ([bytes, says], { partnerIn }) => {
  const PGSERVICEFILE = join(temporaryFolder(), "services");
  writeFileSync(PGSERVICEFILE, "#".repeat(bytes));
  const environment = { PARTNER_JOURNAL_URL: "postgres:///?service=journal", PGSERVICEFILE };
  const listed = await partnerIn({ environment })`journal list`;
  expect(listed).toMatchObject({ exit: 3, stdout: "" });
  expect(listed.stderr).toContain(says);
});
