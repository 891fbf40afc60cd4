import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import type { Inbox } from "../../src/webhooks/inbox/inbox.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";

/** Enough for an index. */
const events = 5_100;
const now = Date.parse("2026-11-03T09:00:00Z");
const dayMs = 86_400_000;
const timestamp = "2026-11-03T12:00:00+03:00";

/** A payment of `1,000 + at` from a number that ends with `at`. */
function bodyOf(
  at: number,
  description = `School fees ${at % 7}, 0712${String(at).padStart(6, "0")}, Asha`,
): Uint8Array {
  const transaction = {
    id: `evt-${at}`,
    transactionId: `BTX${at}`,
    reference: `INV-${at}`,
    paymentReference: `pay/${at}`,
    transactionDate: timestamp,
    creditOrDebit: "CREDIT",
    currency: "TZS",
    amountCredit: 1000 + at,
    amountDebit: 0,
    description,
  };
  const account = { accountNo: "9000112233", accountName: "Shop" };
  const payload = JSON.stringify({ event: "transaction.created", account, transaction, counterparty: null });
  return new TextEncoder().encode(JSON.stringify({ timestamp, signature: "c2lnbmVk", payload }));
}

async function withInbox(stateFolder: string, use: (inbox: Inbox) => Promise<unknown>): Promise<void> {
  const inbox = await openInbox(memoryHost(), { stateFolder, use: "write", warn: () => undefined });
  await use(inbox);
  await inbox.close();
}

const arrivalOf = (at: number, more: { problem?: string; description?: string; receivedAt?: number } = {}) => ({
  id: `evt-${at}`,
  receivedAt: more.receivedAt ?? now - 10 * dayMs + at,
  requestId: null,
  timestamp,
  body: bodyOf(at, more.description),
  dueAt: null,
  problem: more.problem,
});

function desk(folder = temporaryFolder()) {
  const state = join(folder, "state");
  mkdirSync(state, { mode: 0o700, recursive: true });
  const environment = {
    PARTNER_BASE_URL: "http://127.0.0.1:8080",
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "bench",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: state,
    PARTNER_CONFIG_DIR: join(folder, "config"),
  };
  const partner = async (...line: string[]) => {
    const { exit, stdout, stderr } = await run(line, { now, environment });
    return { exit, stdout, stderr };
  };
  const find = (what: string) => partner("find", what, "--offline", "--json");
  return { state, partner, find, inbox: join(state, "inbox.db"), index: join(state, "find.db") };
}

const made = desk();
beforeAll(() =>
  withInbox(made.state, async (inbox) => {
    await Promise.all(Array.from({ length: events }, (_, at) => inbox.store(arrivalOf(at))));
  }),
);

/** A new desk with that inbox. */
function inboxDesk() {
  const own = desk();
  copyFileSync(made.inbox, own.inbox);
  return own;
}

const needles = [
  "INV-4711",
  "inv-12",
  "evt-77",
  "BTX5000",
  "pay/3",
  "0712 004 999",
  "5,711.00",
  "FEES 3, asha 0712000003",
];

test("a search of a large inbox by its index finds what a full search finds", async () => {
  const own = inboxDesk();
  const found: unknown[] = [];
  for (const what of [...needles, "INV-47110", "%"]) found.push({ what, ...(await own.find(what)) });
  expect(found.map((each) => Object(each).exit)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 4, 4]);
  expect(existsSync(own.index)).toBe(true);
  rmSync(own.index);
  mkdirSync(own.index);
  const read: unknown[] = [];
  for (const what of [...needles, "INV-47110", "%"]) read.push({ what, ...(await own.find(what)) });
  expect(found).toEqual(read);
});

test("webhooks that come after the inbox was indexed are found, and a released one is found once", async () => {
  const own = inboxDesk();
  expect((await own.find("INV-9001")).exit).toBe(4);
  await withInbox(own.state, async (inbox) => {
    await inbox.store(arrivalOf(9001, { problem: "it is old" }));
    await inbox.store(arrivalOf(9002));
  });
  expect(JSON.parse((await own.find("INV-9001")).stdout)).toHaveLength(1);
  expect(await own.partner("webhook", "inbox", "replay", "evt-9001")).toMatchObject({ exit: 0 });
  const [{ events: lines }] = JSON.parse((await own.find("INV-9001")).stdout);
  expect(lines).toHaveLength(1);
  expect(await own.find("INV-9002")).toMatchObject({ exit: 0 });
});

test("pruned webhooks are not found any more, and the index with their words is removed", async () => {
  const own = inboxDesk();
  await withInbox(own.state, (inbox) => inbox.store(arrivalOf(9003, { receivedAt: now - dayMs, description: "Juma" })));
  expect(await own.find("INV-7")).toMatchObject({ exit: 0 });
  expect(existsSync(own.index)).toBe(true);
  expect(await own.partner("webhook", "inbox", "prune", "--older-than", "2d")).toMatchObject({ exit: 0 });
  expect(existsSync(own.index)).toBe(false);
  expect(await own.find("INV-7")).toMatchObject({ exit: 4 });
  expect(await own.find("juma")).toMatchObject({ exit: 0 });
});

test.for([
  ["damaged", (own: ReturnType<typeof desk>) => writeFileSync(own.index, "x".repeat(5_000), { mode: 0o600 })],
  [
    "of another inbox",
    async (own: ReturnType<typeof desk>) => {
      rmSync(own.inbox);
      await withInbox(own.state, async (inbox) => {
        await Promise.all(Array.from({ length: events }, (_, at) => inbox.store(arrivalOf(at + 1_000))));
      });
    },
  ],
  ["of a later state of the inbox", (own: ReturnType<typeof desk>) => copyFileSync(made.inbox, own.inbox)],
] as const)("an index that is %s hides no webhooks", async ([, spoil]) => {
  const own = inboxDesk();
  await withInbox(own.state, (inbox) => inbox.store(arrivalOf(9004)));
  expect(await own.find("INV-9004")).toMatchObject({ exit: 0 });
  await spoil(own);
  expect(await own.find("INV-5050")).toMatchObject({ exit: 0 });
  await withInbox(own.state, (inbox) => inbox.store(arrivalOf(9005)));
  expect(await own.find("INV-9005")).toMatchObject({ exit: 0 });
});

test("an index with wrong tables is rebuilt by the next search", async () => {
  const own = inboxDesk();
  await own.find("INV-1");
  const spoilt = new DatabaseSync(own.index);
  spoilt.exec("DROP TABLE indexed; CREATE TABLE indexed (journal TEXT)");
  spoilt.close();
  for (const what of ["INV-2", "INV-3"]) expect(await own.find(what)).toMatchObject({ exit: 0 });
  const anew = new DatabaseSync(own.index);
  expect(anew.prepare("SELECT source FROM indexed").all()).toEqual([{ source: 2 }]);
  anew.close();
});
