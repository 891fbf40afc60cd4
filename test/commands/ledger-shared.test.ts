import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { nodePostgres } from "../../src/host/databases/node-postgres.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { PostgresServer } from "../postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const other = "9000112244";
const first: readonly Line[] = [
  { ref: "A", day: "2026-10-01", narration: "'=rent" },
  { ref: "A-PAYIN", day: "2026-10-01", amount: -1 },
  { ref: "B", day: "2026-10-05", amount: -30.5 },
  { ref: "C", day: "2026-10-05", amount: 12.25, narration: "line\nand ' quote" },
];
const late: readonly Line[] = [
  { ref: "L", day: "2026-10-01", amount: 5 },
  first[0] ?? { ref: "A", day: "2026-10-01" },
  { ref: "A-PAYIN", day: "2026-10-01", amount: -2 },
  { ref: "C", day: "2026-10-05", amount: 12.25, narration: "line\nand ' quote" },
  { ref: "B", day: "2026-10-05", amount: -30.5 },
  { ref: "D", day: "2026-10-06", amount: 7 },
];

/** The same days twice: for a local ledger, and for a shared one. */
async function bothDesks(server: PostgresServer) {
  const desks = [await ledgerDesk(), await ledgerDesk()] as const;
  const address = await server.newDatabase();
  const shared = { PARTNER_JOURNAL_URL: address, PARTNER_CONFIG_DIR: temporaryFolder() };
  const [alone, together] = desks;
  const migrated = await together.onDay("2026-10-05", "journal migrate", { environment: shared });
  expect(migrated).toMatchObject({ exit: 0 });
  return {
    address,
    shared: (day: string, line: string, world: World = {}) =>
      together.onDay(day, line, { ...world, environment: { ...shared, ...world.environment } }),
    write: (books: Parameters<typeof alone.write>[0]) => desks.map((desk) => desk.write(books)),
    /** Runs a line with both ledgers, and checks that they say the same. */
    both: async (day: string, line: string) => {
      const said = ({ exit, stdout, stderr, asked }: Awaited<ReturnType<typeof alone.onDay>>) => ({
        line,
        exit,
        stdout,
        stderr,
        asked,
      });
      const one = await alone.onDay(day, line);
      const two = await together.onDay(day, line, { environment: shared });
      expect(said(two)).toEqual(said(one));
      return two;
    },
  };
}

const looks = [
  "ledger status --json",
  `ledger statement ${wallet} --start-date 2026-10-01 --end-date 2026-10-05`,
  'ledger sql "SELECT * FROM acceptances"',
  `ledger statement ${wallet} --start-date 2026-10-01 --end-date 2026-10-31 --csv`,
  "report cash --month 2026-10 --by day --csv",
  "report fees --month 2026-10 --csv",
  "report customers --month 2026-10 --rows --csv",
  "find A --offline --json",
  `ledger sql "SELECT * FROM accounts" --csv`,
  `ledger sql "SELECT * FROM rows" --json`,
  `ledger sql "SELECT * FROM days" --csv`,
  `ledger sql "SELECT * FROM changes" --csv`,
  `ledger sql "SELECT account, sum(amount_minor) AS total FROM rows WHERE is_fee GROUP BY account" --csv`,
  `ledger sql "SELECT * FROM orders" --csv`,
  `ledger sql "SELECT * FROM events" --csv`,
];

/** Acceptances in the format of the previous version: one for each row and side. */
const formerAcceptances = `
  CREATE TABLE partner.ledger_accepted (
    entry bigint NOT NULL REFERENCES partner.ledger_entries (number) ON UPDATE CASCADE,
    side text NOT NULL CHECK (side IN ('before', 'after')),
    gap text NOT NULL,
    evidence text NOT NULL,
    accepted_by text NOT NULL,
    accepted_at bigint NOT NULL,
    PRIMARY KEY (entry, side)
  );
  INSERT INTO partner.ledger_accepted SELECT entry, side, gap, evidence, accepted_by, accepted_at
    FROM partner.ledger_acceptances;
  DROP VIEW partner_ledger.acceptances;
  DROP TABLE partner.ledger_closes;
  DROP TABLE partner.ledger_closures;
  DROP TABLE partner.ledger_acceptances;
  UPDATE partner.layout SET version = 4 WHERE part = 'ledger'`;

withPostgres("a ledger that hosts share", (server) => {
  test("gives the same answers as a local ledger about every day, change and time", async () => {
    const { write, both } = await bothDesks(server);
    write({ [wallet]: { lines: first }, [other]: { lines: [{ ref: "O", day: "2026-10-02" }], isNewestFirst: true } });
    expect(await both("2026-10-05", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0, stdout: "" });
    for (const line of looks) expect(await both("2026-10-05", line)).toMatchObject({ exit: 0 });
    write({ [wallet]: { lines: late }, [other]: { lines: [], balance: 0 } });
    await both("2026-10-06", "ledger sync");
    for (const line of looks) await both("2026-10-06", line);
    for (const line of looks.filter((each) => !each.startsWith("find")))
      await both("2026-10-06", `${line} --as-of 2026-10-05T20:00:00Z`);
    expect((await both("2026-10-06", "ledger status --json")).stdout).toContain('"state": "proved"');
  });

  test("treats a break of the service's own as broken until it is accepted", async () => {
    const { write, both } = await bothDesks(server);
    write({ [wallet]: { lines: [...first, { ref: "J", day: "2026-10-06", jump: 3 }] } });
    await both("2026-10-06", "ledger sync --start-date 2026-10-01");
    expect(await both("2026-10-06", "ledger status --json")).toMatchObject({ exit: 9 });
    expect(await both("2026-10-06", `ledger accept ${wallet} --row J --evidence letter`)).toMatchObject({ exit: 0 });
    expect(await both("2026-10-06", "ledger status --json")).toMatchObject({ exit: 0 });
  });

  test("stops counting a difference accepted at the end once a later break is accepted", async () => {
    const { write, both } = await bothDesks(server);
    write({ [wallet]: { lines: first, balance: 75 } });
    await both("2026-10-05", "ledger sync --start-date 2026-10-01");
    const last = first.at(-1)?.ref ?? "";
    await both("2026-10-05", `ledger accept ${wallet} --row ${last} --evidence letter`);
    expect(await both("2026-10-05", "ledger status --json")).toMatchObject({ exit: 0 });
    const gap = 75 - first.reduce((sum, { amount = 100 }) => sum + amount, 0);
    const lines: Line[] = [...first, { ref: "J", day: "2026-10-06", jump: gap }];
    write({ [wallet]: { lines } });
    await both("2026-10-06", "ledger sync");
    await both("2026-10-06", `ledger accept ${wallet} --row J --evidence letter`);
    expect(await both("2026-10-06", "ledger status --json")).toMatchObject({ exit: 0 });
    write({ [wallet]: { lines, balance: 175 + gap } });
    await both("2026-10-06", "ledger sync");
    expect((await both("2026-10-06", "ledger status --json")).stdout).toContain('"state": "broken"');
  });

  test("stops counting a difference accepted at the end once the rows reach the balance without it", async () => {
    const { write, both } = await bothDesks(server);
    const [rent, fee] = [
      { ref: "A", day: "2026-10-01" },
      { ref: "B", day: "2026-10-05", amount: -30 },
    ];
    const lines: Line[] = [rent, fee, { ref: "C", day: "2026-10-06", amount: 5 }];
    const accept = `ledger accept ${wallet} --row B --evidence`;
    write({ [wallet]: { lines: [rent, fee], balance: 75 } });
    await both("2026-10-05", "ledger sync --start-date 2026-10-01");
    await both("2026-10-05", `${accept} hold`);
    write({ [wallet]: { lines: [rent, fee], balance: 78 } });
    await both("2026-10-06", "ledger sync");
    await both("2026-10-06", `${accept} more`);
    expect(await both("2026-10-06", "ledger status --json")).toMatchObject({ exit: 0 });
    expect(await both("2026-10-06", "ledger status --json --as-of 2026-10-05T20:00:00Z")).toMatchObject({ exit: 0 });
    write({ [wallet]: { lines } });
    await both("2026-10-07", "ledger sync");
    expect(await both("2026-10-07", "ledger status --json")).toMatchObject({ exit: 0 });
    write({ [wallet]: { lines, balance: 83 } });
    await both("2026-10-08", "ledger sync");
    expect((await both("2026-10-08", "ledger status --json")).stdout).toContain('"state": "broken"');
    for (const day of ["2026-10-05", "2026-10-06", "2026-10-07"])
      expect(await both("2026-10-08", `ledger status --json --as-of ${day}T20:00:00Z`)).toMatchObject({ exit: 0 });
  });

  test("counts an account as closed on a person's word until the service has it again", async () => {
    const { write, both } = await bothDesks(server);
    const books = { [other]: { lines: first } };
    const ask = [
      "ledger status --json",
      'ledger sql "SELECT * FROM acceptances" --csv',
      `ledger statement ${wallet} --month 2026-10 --csv`,
    ];
    write({ ...books, [wallet]: { lines: first } });
    await both("2026-10-06", "ledger sync --start-date 2026-10-01");
    write(books);
    expect(await both("2026-11-02", `ledger accept ${wallet} --account-closed --evidence letter`)).toMatchObject({
      exit: 0,
    });
    expect(await both("2026-11-02", "ledger sync")).toMatchObject({ exit: 0 });
    for (const line of ask) expect(await both("2026-11-02", line)).toMatchObject({ exit: 0 });
    write({ ...books, [wallet]: { lines: [...first, { ref: "Z", day: "2026-11-01" }] } });
    expect(await both("2026-11-03", "ledger sync")).toMatchObject({ exit: 0 });
    for (const line of ask) {
      expect(await both("2026-11-03", line)).toMatchObject({ exit: 0 });
      await both("2026-11-03", `${line} --as-of 2026-11-02T20:00:00Z`);
    }
  });

  test("keeps what was accepted in an earlier version when it is migrated", async () => {
    const { address, shared, write } = await bothDesks(server);
    write({ [wallet]: { lines: [...first, { ref: "J", day: "2026-10-06", jump: 3 }] } });
    await shared("2026-10-06", "ledger sync --start-date 2026-10-01");
    await shared("2026-10-06", `ledger accept ${wallet} --row J --evidence letter`);
    await server.sql(address, formerAcceptances);
    expect(await shared("2026-10-06", "ledger status")).toMatchObject({ exit: 3 });
    expect(await shared("2026-10-06", "journal migrate")).toMatchObject({ exit: 0 });
    expect(await shared("2026-10-06", "ledger status")).toMatchObject({ exit: 0 });
    const kept = await server.sql(address, "SELECT evidence, accepted_by FROM partner.ledger_acceptances");
    expect(kept).toMatchObject([{ evidence: "letter" }]);
  });

  test("allows only one SQL statement at a time, and only reading ones", async () => {
    const { write, both, shared } = await bothDesks(server);
    write({ [wallet]: { lines: first } });
    await both("2026-10-05", "ledger sync --start-date 2026-10-01");
    const refused = [
      "DELETE FROM rows",
      "INSERT INTO partner.ledger_acceptances VALUES (1)",
      "WITH x AS (DELETE FROM partner.ledger_entries RETURNING 1) SELECT * FROM x",
      "SELECT 1; SELECT 2",
      "SET TRANSACTION READ WRITE",
      "COMMIT",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      "SELECT nothing FROM rows",
      "",
    ];
    for (const statement of refused) {
      const { exit, stdout } = await shared("2026-10-05", `ledger sql "${statement}" --csv`);
      expect({ statement, exit, stdout }).toEqual({ statement, exit: 2, stdout: "" });
    }
    expect(await shared("2026-10-05", `ledger sql "SELECT pg_sleep(60)" --timeout 1s`)).toMatchObject({ exit: 2 });
    const slow =
      "SELECT g, set_config('statement_timeout', '0', true), CASE WHEN g > 2000 THEN pg_sleep(60) END FROM generate_series(1, 2001) g";
    expect(await shared("2026-10-05", `ledger sql "${slow}" --timeout 1s`)).toMatchObject({ exit: 2, stdout: "" });
    const long = await shared("2026-10-05", `ledger sql "SELECT repeat('x', 300000000)"`);
    expect([long.exit, long.stdout, long.stderr]).toEqual([2, "", expect.stringContaining("rows that are too long")]);
    expect(await shared("2026-10-05", `ledger sql "SELECT 1 AS a, 2 AS a"`)).toMatchObject({ exit: 0 });
    expect((await both("2026-10-05", `ledger sql "SELECT count(*) AS n FROM rows -- all" --csv`)).stdout).toBe(
      "n\n4\n",
    );
  });

  test("is searched by an index, which the next sync completes for rows of an earlier version", async () => {
    const desk = await bothDesks(server);
    const texts = [
      "rent of INV-7",
      "INV-77",
      "Zoë 0712-345-678",
      "100% \\ paid",
      "SERVICE FEE FOR REF:A TXNID:1",
      "a\0b",
    ];
    const lines = texts.map((narration, index) => ({
      ref: `R${index}`,
      day: "2026-10-02",
      narration,
      amount: 5 * index,
    }));
    desk.write({ [wallet]: { lines: [...first, ...lines] } });
    await desk.both("2026-10-05", "ledger sync --start-date 2026-10-01");
    const needles = [
      "INV-7",
      "INV-77",
      "inv-7",
      "255712345678",
      "zoë",
      "%",
      "\\",
      "A",
      "25",
      wallet,
      "R",
      "rent INV-7",
    ];
    const looked = async () => {
      for (const needle of needles) await desk.both("2026-10-05", `find "${needle}" --offline --json`);
    };
    await looked();
    const found = () => desk.shared("2026-10-05", "find INV-77 --offline --json");
    const change = (terms: string) =>
      server.sql(desk.address, `UPDATE partner.ledger_entries SET terms = ${terms} WHERE reference = 'R1'`);
    await change("'{}'");
    expect(await found()).toMatchObject({ exit: 4 });
    await change("NULL");
    expect(await found()).toMatchObject({ exit: 0 });
    await desk.both("2026-10-05", "ledger sync");
    expect(await server.sql(desk.address, "SELECT FROM partner.ledger_entries WHERE terms IS NULL")).toEqual([]);
    await looked();
  });

  test("has months closed for every host: a late row is named by a host that did not close the month", async () => {
    const desk = await ledgerDesk();
    const here = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    const there = { ...here, PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_STATE_DIR: temporaryFolder() };
    const on = (environment: Record<string, string>, day: string, line: string) =>
      desk.onDay(day, line, { environment });
    const [rent, late]: readonly Line[] = [
      { ref: "A", day: "2026-10-01" },
      { ref: "LATE", day: "2026-10-09" },
    ];
    const next: Line = { ref: "B", day: "2026-11-02" };
    desk.write({ [wallet]: { lines: [rent ?? next, next] } });
    await on(here, "2026-11-03", "journal migrate");
    const folder = join(temporaryFolder(), "october");
    expect(await on(here, "2026-11-03", `close --month 2026-10 --to ${folder}`)).toMatchObject({ exit: 0 });
    expect(await on(there, "2026-11-03", "ledger status")).toMatchObject({ exit: 0 });
    desk.write({ [wallet]: { lines: [rent ?? next, late ?? next, next] } });
    await on(there, "2026-11-04", "ledger sync");
    for (const host of [here, there]) {
      const { exit, stderr } = await on(host, "2026-11-04", "ledger status");
      expect({ exit, stderr }).toMatchObject({ exit: 9, stderr: expect.stringContaining("2026-10 has changed") });
    }
    expect(await on(there, "2026-11-04", `close --month 2026-10 --to ${folder}`)).toMatchObject({ exit: 9 });
    expect(await on(here, "2026-11-04", "ledger status")).toMatchObject({ exit: 0 });
  });

  test("is queried over one connection", async () => {
    const { write, both, shared } = await bothDesks(server);
    write({ [wallet]: { lines: first } });
    await both("2026-10-05", "ledger sync --start-date 2026-10-01");
    let connections = 0;
    const real = nodePostgres();
    const counting: typeof real = {
      connect(...given) {
        connections += 1;
        return real.connect(...given);
      },
    };
    const counted = { host: { postgres: async () => counting } };
    const asked = await shared("2026-10-05", 'ledger sql "SELECT count(*) AS n FROM rows" --csv', counted);
    expect(asked).toMatchObject({ exit: 0, stdout: "n\n4\n" });
    expect(connections).toBe(1);
  });

  test("keeps a text with a NUL as received, and shows a replacement character in its views", async () => {
    const { write, both, shared } = await bothDesks(server);
    write({ [wallet]: { lines: [{ ref: "N\0", day: "2026-10-01", narration: "a\0b" }] } });
    await both("2026-10-05", "ledger sync --start-date 2026-10-01");
    await both("2026-10-05", `ledger statement ${wallet} --start-date 2026-10-01 --end-date 2026-10-05 --json`);
    const seen = await shared("2026-10-05", 'ledger sql "SELECT reference, narration FROM rows" --csv');
    expect(seen.stdout).toBe("reference,narration\nN\ufffd,a\ufffdb\n");
  });

  test("is synced by one host at a time: the other one waits, and both end well", async () => {
    const { write, shared, address } = await bothDesks(server);
    write({ [wallet]: { lines: first } });
    const sync = (hostName: string, meanwhile?: () => Promise<void>) =>
      shared("2026-10-05", "ledger sync --start-date 2026-10-01", {
        machine: { hostName },
        environment: { PARTNER_CONFIG_DIR: temporaryFolder() },
        ...(meanwhile === undefined ? {} : { meanwhile }),
      });
    const turn = new Client({ connectionString: address });
    await turn.connect();
    await turn.query("BEGIN; SELECT FROM partner.ledger_turn FOR UPDATE");
    const rowsAtWaits: unknown[] = [];
    const waited = await sync("two", async () => {
      rowsAtWaits.push(...(await server.sql(address, "SELECT count(*)::int AS rows FROM partner.ledger_entries")));
      if (rowsAtWaits.length === 2) await turn.query("COMMIT");
    });
    await turn.end();
    expect(waited.exit).toBe(0);
    expect(rowsAtWaits).toEqual([{ rows: 0 }, { rows: 0 }]);
    const ended = await Promise.all([sync("one"), sync("two")]);
    expect(ended.map(({ exit }) => exit)).toEqual([0, 0]);
    expect((await shared("2026-10-05", 'ledger sql "SELECT count(*) AS n FROM rows" --csv')).stdout).toBe("n\n4\n");
    expect((await shared("2026-10-05", "ledger status --json")).stdout).toContain('"state": "proved"');
  });

  test("that does not exist yet is reported with the command to make it", async () => {
    const desk = await ledgerDesk();
    desk.write({ [wallet]: { lines: first } });
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    const ended = await desk.onDay("2026-10-05", "ledger status", { environment });
    expect(ended).toMatchObject({ exit: 3, stdout: "" });
    expect(ended.stderr).toContain("partner journal migrate");
  });
});
