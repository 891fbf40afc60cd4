import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { debit, serveStatements } from "../statements-served.ts";
import { accept } from "./service.ts";
import { withPostgres } from "../with-postgres.ts";
import { saying } from "./teller.ts";
import { openTill } from "./till.ts";

// The first attempt of an order was called refused by a word alone. The second one failed by the service's own word.
// That says nothing about the first one, whose row can still appear.

const paying = "9000112233";
const dayMs = 86_400_000;
const noon = Date.UTC(2026, 2, 31, 9);
const withdraw = `withdraw --account ${paying} --amount 5 --narration "October payout" --reference R-1 --yes --json`;
const word = "journal resolve R-1 --as refused --evidence call";
const refusal = saying(
  "400 Bad Request",
  '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}',
);
/** An answer with an id, and a contradiction that makes it unknown. */
const contradicting = saying("200 OK", '{"transactionId":"AAA111BBB222","paymentRef":"","success":false}');
const nowhere = { PARTNER_BASE_URL: "http://127.0.0.1:1/" };
const later = { now: noon + 5 * dayMs };

/** What became of the second attempt: the service refused it, or it was never sent. */
const seconds = ["refused", "unsent"] as const;

async function twiceInVain(second: (typeof seconds)[number], first = saying("500 Internal Server Error", "")) {
  const service = await serveStatements({ react: first });
  const till = openTill(service.environment);
  expect(await till.run(withdraw)).toMatchObject({ exit: 6 });
  expect(await till.run(word)).toMatchObject({ exit: 0 });
  service.react(refusal);
  const world = second === "unsent" ? { environment: nowhere } : {};
  const again = await till.run(`${withdraw} --check-statement never`, world);
  expect(again).toMatchObject({ exit: second === "unsent" ? 5 : 4 });
  service.react(accept);
  const sent = service.orders.length;
  return { service, till, leftSince: () => service.orders.length - sent };
}

describe.for(seconds)("an order that was %s after a word alone had called it refused", (second) => {
  test("is not sent a third time when the statement now shows the first attempt", async () => {
    const { service, till, leftSince } = await twiceInVain(second);
    service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "October payout" })]);
    const run = await till.run(withdraw, later);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(leftSince()).toBe(0);
  });

  test("is not sent a third time when the row has only the first attempt's id", async () => {
    const { service, till, leftSince } = await twiceInVain(second, contradicting);
    service.write(paying, [debit("5", { tranRefNo: "AAA111BBB222", narration: "WDL" })]);
    const run = await till.run(withdraw, later);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(leftSince()).toBe(0);
  });

  test.for(["R-1", "AAA111BBB222"])("is not sent a third time by a batch when the row has %s", async (tranRefNo) => {
    const { service, till, leftSince } = await twiceInVain(second, contradicting);
    service.write(paying, [debit("5", { tranRefNo, narration: "WDL" })]);
    const path = `${till.stateFolder}.csv`;
    writeFileSync(path, `reference,account,amount,narration,date\nR-1,${paying},5,October payout,2026-03-31\n`);
    const line = `batch run ${path} --kind withdraw --yes --json --allow-repeats`;
    expect(await till.run(`${line} --check-statement always --dry-run`, later)).toMatchObject({ exit: 0 });
    const run = await till.run(line, later);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(leftSince()).toBe(0);
  });

  test("is looked up with its first attempt, and no sentence says that no money moved", async () => {
    const { service, till } = await twiceInVain(second, contradicting);
    const terminal = { ...later, terminal: { stdout: true } };
    const before = await till.run("journal resolve R-1", terminal);
    expect(before).toMatchObject({ exit: 0, stdout: expect.stringContaining(`is ${second}`) });
    service.write(paying, [debit("5", { tranRefNo: "AAA111BBB222", narration: "WDL" })]);
    const seen = await till.run("journal resolve R-1", terminal);
    expect(seen).toMatchObject({ exit: 6, stdout: expect.stringContaining("contradict each other") });
    expect(before.stdout + seen.stdout).not.toContain("No money moved");
    expect(await till.run(withdraw, later)).toMatchObject({ exit: 0 });
    expect(await till.run("journal resolve R-1", terminal)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("It was paid."),
    });
  });

  test("may own another order's only row without an id, so the row proves neither", async () => {
    const { service, till } = await twiceInVain(second);
    service.react(saying("500 Internal Server Error", ""));
    expect(await till.run(withdraw.replace("R-1", "R-2"))).toMatchObject({ exit: 6 });
    service.write(paying, [debit("5", { narration: "October payout" })]);
    const seen = await till.run("journal resolve R-2");
    expect(seen).toMatchObject({ exit: 6, stdout: expect.stringContaining("R-1") });
    expect(await till.run(word.replace("R-1", "R-2"))).toMatchObject({ exit: 2, stdout: "" });
  });

  test("is sent when the statement shows nothing, and not when it can't be read", async () => {
    const { service, till, leftSince } = await twiceInVain(second);
    service.write(paying, { answer: "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n" });
    expect(await till.run(`${withdraw} --retries 0`, later)).toMatchObject({ exit: 5 });
    expect(leftSince()).toBe(0);
    service.write(paying, []);
    expect(await till.run(withdraw, later)).toMatchObject({ exit: 0 });
    expect(leftSince()).toBe(1);
  });
});

const archived = { now: noon + 40 * dayMs };

describe.for(seconds)("an archived order that was %s after a word alone had called it refused", (second) => {
  async function twiceThenArchived(first?: typeof contradicting) {
    const played = await twiceInVain(second, first);
    const archive = `journal archive --before 2026-05-01 --save ${played.till.stateFolder}.ndjson`;
    expect(await played.till.run(archive, archived)).toMatchObject({ exit: 0 });
    return played;
  }

  test.for([
    ["once more", []],
    ["after a further attempt in vain", [refusal]],
  ] as const)("is not sent %s when the statement now shows the first attempt", async ([, more]) => {
    const { service, till, leftSince } = await twiceThenArchived();
    for (const react of more) {
      service.react(react);
      expect(await till.run(withdraw, archived)).toMatchObject({ exit: 4 });
    }
    service.react(accept);
    service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "October payout" })]);
    const run = await till.run(withdraw, archived);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(leftSince()).toBe(more.length);
  });

  test("is proved by the first attempt's row when a later attempt is unknown", async () => {
    const { service, till } = await twiceThenArchived();
    service.react(saying("500 Internal Server Error", ""));
    expect(await till.run(withdraw, archived)).toMatchObject({ exit: 6 });
    service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "October payout" })]);
    expect(await till.run(word, archived)).toMatchObject({ exit: 2, stdout: "" });
    const seen = await till.run("journal resolve R-1 --json", archived);
    expect(seen).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  });

  test("may own another order's only row without an id, so the row proves neither", async () => {
    const { service, till } = await twiceThenArchived();
    service.react(saying("500 Internal Server Error", ""));
    expect(await till.run(`${withdraw.replace("R-1", "R-2")} --check-statement never --again`)).toMatchObject({
      exit: 6,
    });
    service.write(paying, [debit("5", { narration: "October payout" })]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6, stdout: expect.stringContaining("R-1") });
  });
});

/** Called refused by a word, archived, sent again in vain; then its row appears. */
async function archivedBetween(environment: Record<string, string> = {}) {
  const service = await serveStatements({ react: saying("500 Internal Server Error", "") });
  const till = openTill({ ...service.environment, ...environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await till.run("journal migrate");
  expect(await till.run(withdraw)).toMatchObject({ exit: 6 });
  expect(await till.run(word)).toMatchObject({ exit: 0 });
  const archive = `journal archive --before 2026-05-01 --save ${till.stateFolder}.ndjson`;
  expect(await till.run(archive, archived)).toMatchObject({ exit: 0 });
  service.react(refusal);
  expect(await till.run(withdraw, archived)).toMatchObject({ exit: 4 });
  service.react(accept);
  service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "October payout" })]);
  const run = await till.run(withdraw, archived);
  return { run, sent: service.orders.length };
}

const paidBefore = { run: { exit: 0, stdout: expect.stringContaining('"evidence": "statement"') }, sent: 2 };

test("an order archived between two attempts is not sent a third time when the first one's row has appeared", async () => {
  expect(await archivedBetween()).toMatchObject(paidBefore);
});

withPostgres("a journal that hosts share", (server) => {
  test("an order archived between two attempts is not sent a third time when the first one's row has appeared", async () => {
    const url = await server.newDatabase();
    expect(await archivedBetween({ PARTNER_JOURNAL_URL: url })).toMatchObject(paidBefore);
  });
});

async function thirdIsUnknown() {
  const { service, till } = await twiceInVain("unsent", contradicting);
  service.react(saying("500 Internal Server Error", ""));
  expect(await till.run(withdraw, later)).toMatchObject({ exit: 6 });
  return { service, till };
}

describe("a third attempt that is unknown", () => {
  const rows = [
    ["the reference", debit("5", { tranRefNo: "R-1", narration: "WDL" })],
    ["the first attempt's id", debit("5", { tranRefNo: "AAA111BBB222", narration: "WDL" })],
  ] as const;

  test.for(rows)("is proved by the first attempt's row with %s", async ([, row]) => {
    const { service, till } = await thirdIsUnknown();
    service.write(paying, [row]);
    const seen = await till.run("journal resolve R-1 --json", later);
    expect(seen).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  });

  test.for(rows)("is not called refused against the first attempt's row with %s", async ([, row]) => {
    const { service, till } = await thirdIsUnknown();
    service.write(paying, [row]);
    expect(await till.run(word, later)).toMatchObject({ exit: 2, stdout: "" });
  });

  test("stays unknown when two attempts have a row each", async () => {
    const { service, till } = await thirdIsUnknown();
    const second = {
      tranRefNo: "R-1",
      narration: "WDL",
      valueDate: "2026-04-05 12:00:00",
      txnDate: "2026-04-05 12:00:00",
    };
    service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "WDL" }), debit("5", second)]);
    expect(await till.run("journal resolve R-1 --json", later)).toMatchObject({ exit: 6 });
  });
});
