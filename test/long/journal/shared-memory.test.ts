import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashKey } from "../../../src/journal/movement-writer.ts";
import { eventColumns, movementColumns, sealRow } from "../../../src/journal/history/row.ts";
import { insertSealed } from "../../../src/journal/postgres/rows.ts";
import { migrateShared } from "../../../src/journal/postgres/migration.ts";
import { writerVersion } from "../../../src/journal/writers.ts";
import { newShared, urlOf } from "../../journal/shared-places.ts";
import { memoryHost } from "../../memory-host.ts";
import { temporaryFolder } from "../../memory-host.ts";
import { Client } from "pg";
import { withPostgres } from "../../with-postgres.ts";

const program = join(import.meta.dirname, "../../../bin/partner.js");
/** As many as it takes for memory to stop growing. */
const orders = { few: 20_000, many: Number(process.env["PARTNER_LONG_ORDERS"] ?? 80_000) };
/** Memory that V8 has left over by chance. */
const chanceMaxKib = 32 * 1024;
const pageRows = 200;

withPostgres("a long journal that several hosts share", (server) => {
  test("takes no more memory to verify with many orders than with few", async () => {
    const [few, many] = [await peakOf(orders.few), await peakOf(orders.many)];
    expect(many - few).toBeLessThan(chanceMaxKib);
  }, 600_000);

  /** The most memory used to verify so many, in KiB. */
  async function peakOf(count: number): Promise<number> {
    const address = await newShared(server);
    await fill(address, count);
    const tell = "process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n'))";
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(tell)}`, program, "journal", "verify"],
      {
        encoding: "utf8",
        env: { ...process.env, PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address },
      },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    return Number(/peak (\d+)/.exec(stderr)?.[1]);
  }
});

/** Accepted orders, inserted in the form in which they would have been written. */
async function fill(address: string, count: number): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  await client.query(`SET partner.writer = '${writerVersion}'`);
  for (let from = 1; from <= count; from += pageRows) {
    const numbers = Array.from({ length: Math.min(pageRows, count - from + 1) }, (_, index) => from + index);
    const movements = insertSealed("movements", ...numbers.map((number) => movementOf(number)));
    const events = insertSealed("events", ...numbers.flatMap((number) => eventsOf(number)));
    for (const { text, values = [] } of [movements, events]) await client.query(text, [...values]);
  }
  await client.query("UPDATE partner.journal SET movements = $1, events = $2", [count, 3 * count]);
  await client.query("INSERT INTO partner.accounts (scope) VALUES ('simulator')");
  await client.end();
  // Adds their lookup keys.
  await migrateShared(memoryHost(), { url: urlOf(address), certificates: undefined }, true);
}

const who = JSON.stringify({ user: "amina", host: "one", version: "1.2.3" });

function movementOf(number: number): object {
  const key = { scope: "simulator", kind: "transfer", reference: `R-${number}` } as const;
  return sealRow(movementColumns, {
    ...key,
    number,
    id: `id-${number}`,
    key_hash: hashKey(key),
    state: "accepted",
    profile: null,
    request: `{"amount":${number},"description":"rent [R-${number}]"}`,
    request_hash: "0".repeat(64),
    response: JSON.stringify({ transactionId: `T-${number}`, narration: "n".repeat(300) }),
    evidence: "answer",
    note: null,
    request_ids: "[]",
    transaction_id: `T-${number}`,
    opened_at: number,
    changed_at: number,
    settled_at: number,
    who,
    batch: null,
    batch_row: null,
    claim: "1.0",
    owner: "nobody",
    claim_ends_at: number,
  });
}

function eventsOf(movement: number): object[] {
  const steps = [
    ["claim", null, "prepared"],
    ["send", "prepared", "sending"],
    ["settle", "sending", "accepted"],
  ] as const;
  return steps.map(([step, from_state, to_state], index) => {
    const number = 3 * (movement - 1) + index + 1;
    const nothing = { request_id: null, evidence: null, note: null, replaced: null };
    return sealRow(eventColumns, { number, movement, at: number, step, from_state, to_state, ...nothing, who });
  });
}
