import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import type { WrittenRow } from "../statements-served.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { accept } from "./service.ts";
import { saying } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// Rows that prove nothing, but contradict a person's word or a sentence that says that no money moved.

const paying = "9000112233";
const noon = Date.UTC(2026, 2, 31, 9);
const dayMs = 86_400_000;
const withdraw = `withdraw --account ${paying} --amount 5 --narration "October payout" --reference R-1 --yes --json --check-statement never`;
const word = "journal resolve R-1 --as refused --evidence call";

async function serving(rows: readonly WrittenRow[], settings: Parameters<typeof serveStatements>[0] = {}) {
  const service = await serveStatements({ statements: { [paying]: rows }, ...settings });
  return { service, till: openTill(service.environment) };
}

describe("a person's word that a lost withdrawal was refused is not accepted against a row", () => {
  const rows: readonly (readonly [sentence: string, row: WrittenRow])[] = [
    ["with its reference, and an amount that can't be read", debit("5", { tranRefNo: "R-1", amountDebited: "5,-" })],
    ["with its reference, and its amount on both sides", debit("5", { tranRefNo: "R-1", amountCredited: 5 })],
    ["with its narration in capitals", debit("5", { narration: "OCTOBER PAYOUT" })],
    ["with its narration and other spaces", debit("5", { narration: "October  payout" })],
  ];
  test.for(rows)("%s", async ([, row]) => {
    const { till } = await serving([row]);
    expect(await till.run(withdraw)).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 6 });
    expect(await till.run(word)).toMatchObject({ exit: 2, stdout: "" });
    expect(await till.run(`${word} --against-statement`)).toMatchObject({ exit: 0 });
  });

  test("with its narration alone, when the clocks differed at the time of the order", async () => {
    const { till } = await serving([debit("5", { narration: "October payout" })], { now: noon });
    const world = { now: noon + 5 * dayMs };
    expect(await till.run(withdraw, world)).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1", world)).toMatchObject({ exit: 6 });
    expect(await till.run(word, world)).toMatchObject({ exit: 2, stdout: "" });
  });
});

test.for(["2026-02-10", "2026-05-20"])(
  "a withdrawal dated %s is not called refused against a row of that day",
  async (day) => {
    const { service, till } = await serving([debit("5", { tranRefNo: "R-1", valueDate: day, txnDate: day })]);
    expect(await till.run(`${withdraw} --date ${day}`)).toMatchObject({ exit: 6 });
    const seen = await till.run("journal resolve R-1 --json");
    expect(seen.exit).toBe(6);
    expect(seen.stdout + seen.stderr).toContain(`is dated ${day}`);
    expect(await till.run(word)).toMatchObject({ exit: 2, stdout: "" });
    expect(service.orders).toHaveLength(1);
  },
);

test("a withdrawal with an old date does not make the program read a year of statements before it is sent", async () => {
  const { service, till } = await serving([], { react: accept });
  const line = `${withdraw.replace("check-statement never", "check-statement always")} --date 2025-06-10`;
  expect(await till.run(line)).toMatchObject({ exit: 0 });
  expect(service.asked).toMatchObject([{ startDate: "2026-03-28", endDate: "2026-04-07" }]);
});

const file = (till: Till) => {
  const path = `${till.stateFolder}.csv`;
  writeFileSync(path, `reference,account,amount,narration\nR-1,${paying},5,October payout\n`);
  return path;
};

/** A journal that was lost and recovered days ago. */
async function recovered() {
  const { service, till } = await serving([debit("7", { tranRefNo: "R-1", narration: "x" })], { react: accept });
  expect(await till.run(withdraw.replace("R-1", "R-0"))).toMatchObject({ exit: 0 });
  rmSync(till.stateFolder, { recursive: true });
  expect(await till.run("journal recover")).toMatchObject({ exit: 0 });
  return { service, till };
}

describe("a batch row whose reference is on the statement for another payment", () => {
  const later = { now: noon + 3 * dayMs };

  test("is not sent, and no sentence says that no money moved", async () => {
    const { service, till } = await recovered();
    const run = await till.run(`batch run ${file(till)} --kind withdraw --yes --json`, later);
    expect(run).toMatchObject({ exit: 8, stdout: expect.stringContaining("has another amount") });
    expect(run.stderr).not.toMatch(/no money moved|not moved/i);
    const [, id = ""] = /partner batch report (\w+)/.exec(run.stderr) ?? [];
    expect((await till.run(`batch status ${id} --json`, later)).stderr).not.toMatch(/no money moved|not moved/i);
    expect(service.orders).toHaveLength(1);
  });

  test.for(["batch check", "batch run --dry-run"])("gets a warning from %s", async (command) => {
    const { till } = await recovered();
    const run = await till.run(`${command} ${file(till)} --kind withdraw`, later);
    expect(run).toMatchObject({ exit: 0 });
    expect(run.stderr).toContain(`Warning: line 2: the statement of ${paying} shows "R-1".`);
  });
});

test.for([Date.UTC(9999, 11, 31), 0, -62_000_000_000_000])(
  "the date of an answer %i ms after 1970 is ignored, and this machine's clock counts",
  async (now) => {
    const { service, till } = await serving([debit("5", { tranRefNo: "R-1" })], { now });
    const line = withdraw.replace(" --check-statement never", "");
    expect(await till.run(line)).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.asked).toMatchObject([{ startDate: "2026-03-28", endDate: "2026-04-07" }]);
  },
);

describe("an order called refused by a word alone and sent again days later", () => {
  /** Its row has appeared in the meantime. */
  async function refusedThenPaid() {
    const { service, till } = await serving([]);
    expect(await till.run(withdraw)).toMatchObject({ exit: 6 });
    expect(await till.run(word)).toMatchObject({ exit: 0 });
    service.write(paying, [debit("5", { tranRefNo: "R-1", narration: "October payout" })]);
    service.react(accept);
    return { service, till };
  }
  const later = { now: noon + 5 * dayMs };
  const again = withdraw.replace(" --check-statement never", "");

  test("is not sent when the statement shows it by now", async () => {
    const { service, till } = await refusedThenPaid();
    const run = await till.run(again, later);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toHaveLength(1);
  });

  test("is not sent by a batch either", async () => {
    const { service, till } = await refusedThenPaid();
    const path = `${till.stateFolder}.csv`;
    writeFileSync(path, `reference,account,amount,narration,date\nR-1,${paying},5,October payout,2026-03-31\n`);
    const run = await till.run(`batch run ${path} --kind withdraw --yes --json --allow-repeats`, later);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(service.orders).toHaveLength(1);
  });

  test("is sent when the statement doesn't show it, and not when the statement can't be read", async () => {
    const { service, till } = await refusedThenPaid();
    service.write(paying, { answer: answer("500 Internal Server Error", "") });
    expect(await till.run(`${again} --retries 0`, later)).toMatchObject({ exit: 5 });
    service.write(paying, []);
    expect(await till.run(again, later)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
  });

  test("is sent without reading the statement when the service itself had refused it", async () => {
    const refusal = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}';
    const { service, till } = await serving([], { react: saying("400 Bad Request", refusal) });
    expect(await till.run(withdraw)).toMatchObject({ exit: 4 });
    service.react(accept);
    expect(await till.run(again, later)).toMatchObject({ exit: 0 });
    expect(service.asked).toEqual([]);
  });
});
