import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const transfer =
  "transfer --from 1042 --to 1043 --amount 5 --description rent --yes --retries 0 --check-statement never";

/** A machine on which one transfer was sent, to a service with this answer. */
async function machineWith(reply: string) {
  const service = await recorder(reply);
  const folder = temporaryFolder();
  const environment = {
    PARTNER_CONFIG_DIR: folder,
    PARTNER_BASE_URL: service.origin,
    PARTNER_ACCOUNT_ID: "vendor-7",
    PARTNER_SECRET_KEY: "c2VjcmV0",
  };
  await run(words(transfer), { environment });
  await service.stop();
  const journalRow = async () => {
    const { stdout } = await run(words("doctor --csv --no-header"), { environment });
    return stdout.split("\n").find((line) => line.startsWith("journal,"));
  };
  return { folder, journalRow, verify: () => run(words("journal verify"), { environment }) };
}

test("the doctor counts the orders of an intact journal", async () => {
  const { journalRow } = await machineWith(
    answer("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{}}'),
  );
  expect(await journalRow()).toBe('journal,ok,"whole, with 1 order"');
});

test("an order whose outcome is unknown is a warning", async () => {
  const { journalRow } = await machineWith(answer("500 Internal Server Error", ""));
  expect(await journalRow()).toBe("journal,warning,1 of 1 order unknown. Find out: partner journal resolve --all");
});

test("a journal that was moved away is a warning, since it takes no orders", async () => {
  const { folder, journalRow } = await machineWith(answer("500 Internal Server Error", ""));
  const database = new DatabaseSync(join(folder, "state", "journal.db"));
  database.exec(
    "CREATE TABLE moved (only INTEGER PRIMARY KEY CHECK (only = 1), target TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
  );
  database.exec("INSERT INTO moved VALUES (1, 'postgres://db.example.com/partner', 0)");
  database.close();
  expect(await journalRow()).toBe(
    "journal,warning,This journal was moved to postgres://db.example.com/partner: what was ordered since is there. 1 of 1 order unknown. Find out: partner journal resolve --all",
  );
});

test("a damaged journal is a problem, and not a crash", async () => {
  const { folder, journalRow } = await machineWith(answer("500 Internal Server Error", ""));
  writeFileSync(join(folder, "state", "journal.db"), "no database at all");
  expect(await journalRow()).toMatch(/^journal,problem,/);
});

const stays = "CREATE TRIGGER events_stay BEFORE UPDATE ON events WHEN 0 BEGIN SELECT RAISE(ABORT, 'never'); END";
const forgets = "CREATE TRIGGER forget AFTER INSERT ON events BEGIN SELECT 1; END";

test.for([
  ["DROP TRIGGER events_stay", "its trigger events_stay is missing"],
  ["DROP TRIGGER movements_are_kept", "its trigger movements_are_kept is missing"],
  [`DROP TRIGGER events_stay; ${stays}`, "its trigger events_stay was changed"],
  [forgets, "its trigger forget is not of partner's making"],
] as const)("missing triggers of the journal are reported: %s", async ([sql, says]) => {
  const { folder, journalRow, verify } = await machineWith(answer("500 Internal Server Error", ""));
  expect(await verify()).toMatchObject({ exit: 0 });
  const database = new DatabaseSync(join(folder, "state", "journal.db"));
  database.exec(sql);
  database.close();
  expect(await journalRow()).toMatch(/^journal,problem,/);
  expect(await journalRow()).toContain(says);
  expect(await verify()).toMatchObject({ exit: 9, stderr: expect.stringContaining(says) });
});
