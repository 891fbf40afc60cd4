import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../src/host/process/program.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-01", narration: "'=rent" },
  { ref: "A-PAYIN", day: "2026-10-01", amount: -1 },
  { ref: "B", day: "2026-10-05", amount: -30.5 },
];

async function syncedDesk() {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  const sql = (statement: string, flags = "--json") => desk.onDay("2026-10-05", `ledger sql "${statement}" ${flags}`);
  return { ...desk, sql };
}

test("the views have the documented columns, with exact amounts", async () => {
  const { sql } = await syncedDesk();
  const rows = await sql("SELECT * FROM rows");
  expect(rows).toMatchObject({ exit: 0, stderr: "", asked: [] });
  const first = {
    profile: null,
    account: wallet,
    day: "2026-10-01",
    time: "2026-10-01 10:00:00",
    reference: "A",
    narration: "'=rent",
    counterparty: null,
    payment_reference: null,
    side: "credit",
    amount: 100,
    amount_minor: 10000,
    balance: 100,
    balance_minor: 10000,
    is_fee: 0,
    fee_of: null,
    seen_at: "2026-10-05T09:00:00.000Z",
  };
  expect(JSON.parse(rows.stdout)[0]).toMatchObject(first);
  expect(Object.keys(JSON.parse(rows.stdout)[0])).toEqual([...Object.keys(first), "raw"]);
  expect(rows.stdout).toContain('"amount": 100.00');
  expect((await sql("SELECT reference, fee_of FROM rows WHERE is_fee", "--csv")).stdout).toBe(
    "reference,fee_of\nA-PAYIN,A\n",
  );
  expect((await sql("SELECT * FROM accounts", "--csv")).stdout).toBe(
    `profile,account,kind,name,currency,first_day,last_day,closing\n,${wallet},wallet,SHOP,TZS,2026-10-01,2026-10-05,68.50\n`,
  );
  expect((await sql("SELECT * FROM days", "--csv")).stdout).toBe(
    `account,day,opening,credits,debits,fees,closing\n${wallet},2026-10-01,0.00,100.00,1.00,1.00,99.00\n${wallet},2026-10-05,99.00,0.00,30.50,0.00,68.50\n`,
  );
  expect((await sql("SELECT * FROM changes", "--csv")).stdout).toBe("account,kind,reference,seen_at,old,new\n");
  expect((await sql("SELECT count(*) AS orders FROM orders CROSS JOIN events", "")).stdout).toBe("orders\n     0\n");
  expect((await sql("SELECT sum(amount_minor) AS total FROM rows", "--csv")).stdout).toBe("total\n13150\n");
});

test("changes are separate rows, and --as-of shows what was known before them", async () => {
  const desk = await syncedDesk();
  desk.write({ [wallet]: { lines: [{ ref: "L", day: "2026-10-01", amount: 5 }, ...lines] } });
  await desk.onDay("2026-10-06", "ledger sync");
  const ask = (flags: string) =>
    desk.onDay("2026-10-06", `ledger sql "SELECT reference, balance FROM rows" --csv ${flags}`);
  expect((await ask("")).stdout).toBe("reference,balance\nL,5.00\nA,105.00\nA-PAYIN,104.00\nB,73.50\n");
  expect((await ask("--as-of 2026-10-05T20:00:00Z")).stdout).toBe(
    "reference,balance\nA,100.00\nA-PAYIN,99.00\nB,68.50\n",
  );
  const changes = await desk.onDay("2026-10-06", `ledger sql "SELECT kind, reference, seen_at FROM changes" --csv`);
  expect(changes.stdout).toBe("kind,reference,seen_at\nlate,L,2026-10-06T09:00:00.000Z\n");
});

const refused = [
  "DELETE FROM rows",
  "DELETE FROM entries",
  "INSERT INTO days VALUES (1,2,3,4,5,6,7)",
  "WITH x AS (SELECT 1) UPDATE entries SET raw = ''",
  "DROP VIEW rows",
  "CREATE TEMP TABLE t (a)",
  "ATTACH 'other.db' AS other",
  "PRAGMA user_version",
  "PRAGMA query_only = OFF",
  "SELECT * FROM pragma_table_info('entries')",
  "SELECT load_extension('x')",
  "VACUUM INTO 'copy.db'",
  "BEGIN",
  "SELECT raw FROM entries",
  "SELECT * FROM sqlite_schema",
  "SELECT 1; DELETE FROM entries",
  "SELECT nothing FROM rows",
  "SELEC 1",
  "-- nothing",
  "SELECT zeroblob(1000000000)",
];

test("a query that does more than read, or is wrong, exits with 2 and changes nothing", async () => {
  const { sql } = await syncedDesk();
  for (const statement of refused) {
    const { exit, stdout } = await sql(statement);
    expect({ statement, exit, stdout }).toEqual({ statement, exit: 2, stdout: "" });
  }
  expect((await sql("SELECT count(*) AS n FROM rows", "--csv")).stdout).toBe("n\n3\n");
});

test.each(["?", "?1", ":reference", "@reference", "$reference"])(
  "a query with the parameter %s is refused",
  async (parameter) => {
    const { sql } = await syncedDesk();
    expect(await sql(`SELECT account FROM rows WHERE reference = ${parameter}`)).toMatchObject({
      exit: 2,
      stdout: "",
      stderr: expect.stringContaining("The query has a parameter, and nothing gives it a value."),
    });
    expect(
      await sql(`SELECT count(*) AS n FROM rows WHERE reference <> '${parameter.slice(0, 1)}' -- ?`, "--csv"),
    ).toMatchObject({
      exit: 0,
      stdout: "n\n3\n",
    });
  },
);

test("a query that never ends is stopped when its time is up", async () => {
  const desk = await syncedDesk();
  const endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t";
  const late = await desk.sql(endless, "--timeout 2s");
  expect(late).toMatchObject({ exit: 2, stdout: "" });
  expect(late.stderr).toContain("The query did not end within 2 s.");
});

test("without a ledger the views are empty, and no file is made", async () => {
  const desk = await ledgerDesk();
  expect(await desk.onDay("2026-10-05", 'ledger sql "SELECT * FROM rows" --json')).toMatchObject({
    exit: 0,
    stdout: "[]\n",
  });
  const file = join(desk.environment.PARTNER_STATE_DIR, "ledger.db");
  expect(existsSync(file)).toBe(false);
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  expect(existsSync(file)).toBe(true);
});

test("a column name used twice gives two columns, and unusual values are printed", async () => {
  const { sql } = await syncedDesk();
  expect((await sql("SELECT 1 AS a, 2 AS a, x'00ff' AS b, 9e999 AS c, 9223372036854775807 AS d", "--csv")).stdout).toBe(
    "a,a_2,b,c,d\n1,2,00ff,Infinity,9223372036854775807\n",
  );
});

test("a query whose process is killed prints nothing and exits with 5", async () => {
  const { onDay } = await syncedDesk();
  const { exit, stdout, stderr } = await onDay("2026-10-05", 'ledger sql "SELECT * FROM rows" --csv', {
    host: { run: killed },
  });
  expect([exit, stdout]).toEqual([5, ""]);
  expect(stderr).toContain("Error: The process that ran the query was ended before it was done.");
});

/** A process that the system kills in the middle of its first row, as when memory runs out. */
function killed(program: Parameters<typeof runProgram>[0]) {
  const args = ["-c", `printf '["account"]\\n["9000'; kill -KILL $$`];
  return runProgram({ ...program, command: "sh", args }, process.env);
}
