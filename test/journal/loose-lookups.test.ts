import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { openTill } from "../movements/till.ts";
import { fill } from "./crowded.ts";

// What orders are looked up by belongs to an order, however many there are before it.

const count = 1_200;
const till = openTill({}, temporaryFolder());
const file = join(till.stateFolder, "journal.db");

beforeAll(async () => {
  const configFolder = till.environment["PARTNER_CONFIG_DIR"] ?? "";
  await fill({ stateFolder: till.stateFolder, configFolder }, count);
});

test.each([
  [
    "keys behind those of all orders",
    `INSERT INTO order_keys SELECT ${count + 1}, like_key, near_key, standing, batch FROM order_keys LIMIT 1`,
    `DELETE FROM order_keys WHERE movement = ${count + 1}`,
    "it has keys of an order that it does not have",
  ],
  [
    "keys before those of all orders",
    "INSERT INTO order_keys SELECT -7, like_key, near_key, standing, batch FROM order_keys LIMIT 1",
    "DELETE FROM order_keys WHERE movement = -7",
    "it has keys of an order that it does not have",
  ],
  [
    "an account that it does not know",
    "UPDATE accounts SET scope = scope || ' no more'",
    "UPDATE accounts SET scope = replace(scope, ' no more', '')",
    "it does not know its own account simulator",
  ],
])("a journal with %s is damaged, and whole without", async (_, harm, heal, words) => {
  change(harm);
  const damaged = await till.run("journal verify");
  change(heal);
  expect(damaged).toMatchObject({ exit: 9, stderr: expect.stringContaining(words) });
  expect(await till.run("journal verify")).toMatchObject({ exit: 0 });
});

function change(sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec(sql);
  for (const { sql: made } of triggers) database.exec(String(made));
  database.close();
}
