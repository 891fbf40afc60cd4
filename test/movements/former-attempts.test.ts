import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { behind, collectionService, post, says } from "../commands/collection-service.ts";
import { answer } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { person } from "../person.ts";
import { withPostgres } from "../with-postgres.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { teller } from "./teller.ts";
import { hastySqlite, lock, notLocked, openTill } from "./till.ts";

// An order is sent again after no money has moved. News about an earlier attempt says nothing about the current one.

const [transfer] = kinds;
const asked = "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1";
const unasked = "--yes --json --check-statement never";
const waiting = `${asked} ${unasked} --wait --wait-for 30s`;
const again = `${asked} ${unasked} --callback-url http://127.0.0.1:1/`;

/** A service that gives the collections the ids ONE, TWO and THREE, and may fail to answer the second. */
const numbered = (isSecondLost: boolean) => {
  let count = 0;
  return async () => {
    count += 1;
    if (isSecondLost && count === 2) return { status: 500, text: '{"statusCode":500,"reason":"SERVER_ERROR"}' };
    return says("PENDING_ACK", "INV-1", ["ONE", "TWO", "THREE"][count - 1] ?? "MORE");
  };
};

const refusing = async () => ({ status: 400, text: '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{}}' });

/**
 * While a run waits for the first attempt's callback, the order is called refused and sent again; then the callback
 * arrives.
 */
async function calledLate(word: string, isSecondLost: boolean, environment: Record<string, string> = {}) {
  const service = await collectionService(numbered(isSecondLost));
  const till = openTill({ ...service.environment, ...environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await till.run("journal migrate");
  let isDone = false;
  const meanwhile = behind(async () => {
    if (isDone) return;
    isDone = true;
    const [first] = service.collections;
    const refused = await till.run('journal resolve INV-1 --as refused --unchecked --evidence "the customer says so"');
    expect(refused).toMatchObject({ exit: 0 });
    expect(await till.run(again)).toMatchObject({ exit: isSecondLost ? 6 : 0 });
    await post(first?.callbackUrl ?? "", says(word, "INV-1", "ONE"));
  });
  const ended = await till.run(waiting, { meanwhile });
  return { till, service, ended };
}

for (const isSecondLost of [false, true]) {
  const second = isSecondLost ? "unknown" : "pending";
  test(`a callback that refuses the first attempt leaves the second one ${second}, and there is no third attempt`, async () => {
    const { till, service, ended } = await calledLate("PAYMENT_REJECTED", isSecondLost);
    expect(ended).toMatchObject({ exit: isSecondLost ? 6 : 7 });
    expect(ended.stderr).toContain("A callback says PAYMENT_REJECTED; the order was sent again meanwhile");
    expect(ended.stderr).not.toContain("No money moved");
    const shown = JSON.parse((await till.run("journal show INV-1 --json")).stdout);
    expect(shown).toMatchObject({ state: second, transactionId: isSecondLost ? null : "TWO" });
    expect(JSON.stringify(shown)).toContain("The callback said PAYMENT_REJECTED (about attempt 1 of 2)");
    expect(await till.run(again)).toMatchObject({ exit: isSecondLost ? 6 : 0 });
    expect(service.collections).toHaveLength(2);
  });
}

withPostgres("a journal that hosts share", (server) => {
  test("a callback that refuses the first attempt leaves the second one pending, and there is no third attempt", async () => {
    const url = await server.newDatabase();
    const { till, service } = await calledLate("PAYMENT_REJECTED", false, { PARTNER_JOURNAL_URL: url });
    expect(await till.run(again)).toMatchObject({ exit: 0 });
    expect(service.collections).toHaveLength(2);
  });
});

for (const isSecondLost of [false, true])
  test(`a callback that accepts the first attempt makes the order unknown while the second one is ${isSecondLost ? "unknown" : "pending"}`, async () => {
    const { till, service, ended } = await calledLate("PAYMENT_ACCEPTED", isSecondLost);
    expect(ended).toMatchObject({ exit: 6 });
    const shown = JSON.parse((await till.run("journal show INV-1 --json")).stdout);
    expect(shown).toMatchObject({ state: "unknown", evidence: "callback" });
    expect(await till.run(again)).toMatchObject({ exit: 6 });
    expect(service.collections).toHaveLength(2);
  });

test("a callback about the first attempt during the second one is kept until the second one is answered", async () => {
  const answered = Promise.withResolvers<void>();
  let play: Parameters<typeof collectionService>[0] = numbered(false);
  const service = await collectionService((collection) => play(collection));
  const till = openTill(service.environment);
  let second: Promise<unknown> | undefined;
  const meanwhile = behind(async () => {
    if (second !== undefined) {
      answered.resolve();
      await second;
      return;
    }
    await till.run('journal resolve INV-1 --as refused --unchecked --evidence "the customer says so"');
    const arrived = Promise.withResolvers<void>();
    play = async () => {
      arrived.resolve();
      await answered.promise;
      return refusing();
    };
    second = till.run(again);
    await arrived.promise;
    await post(service.collections[0]?.callbackUrl ?? "", says("PAYMENT_ACCEPTED", "INV-1", "ONE"));
  });
  expect(await till.run(waiting, { meanwhile })).toMatchObject({ exit: 6 });
  expect(await second).toMatchObject({ exit: 4 });
  expect(await till.run(again)).toMatchObject({ exit: 6 });
  expect(service.collections).toHaveLength(2);
});

test("a callback that accepts the first attempt stops a third attempt after the second one was refused", async () => {
  let play: Parameters<typeof collectionService>[0] = numbered(false);
  const service = await collectionService((collection) => play(collection));
  const till = openTill(service.environment);
  let isDone = false;
  const meanwhile = behind(async () => {
    if (isDone) return;
    isDone = true;
    await till.run('journal resolve INV-1 --as refused --unchecked --evidence "the customer says so"');
    play = refusing;
    expect(await till.run(again)).toMatchObject({ exit: 4 });
    await post(service.collections[0]?.callbackUrl ?? "", says("PAYMENT_ACCEPTED", "INV-1", "ONE"));
  });
  expect(await till.run(waiting, { meanwhile })).toMatchObject({ exit: 6 });
  expect(await till.run(again)).toMatchObject({ exit: 6 });
  expect(service.collections).toHaveLength(2);
});

test("a person's word from before the order was sent again decides nothing about the new attempt", async () => {
  const held = Promise.withResolvers<() => void>();
  let isHeld = false;
  const told = await teller({
    react: (socket) => socket.end(answer("500 Internal Server Error", "")),
    reads: (socket, { path }) => {
      const reply = () => void socket.end(answer("200 OK", "[]"));
      if (path !== "/wallet/statement" || isHeld) return reply();
      isHeld = true;
      return held.resolve(reply);
    },
  });
  const till = openTill(environmentAt(told.origin));
  const line = transfer.line("R-1");
  expect(await till.run(line)).toMatchObject({ exit: 6 });
  const refuse = 'journal resolve R-1 --as refused --evidence "the bank says so"';
  const slow = till.run(refuse);
  const reply = await held.promise;
  expect(await till.run(refuse)).toMatchObject({ exit: 0 });
  expect(await till.run(line)).toMatchObject({ exit: 6 });
  reply();
  const ended = await slow;
  expect(ended).toMatchObject({ exit: 5 });
  expect(ended.stderr).toContain("The transfer R-1 was sent again meanwhile; it is unknown.");
  told.react(accept);
  expect(await till.run(line)).toMatchObject({ exit: 6 });
  expect(told.requests).toHaveLength(2);
});

/** A slip as the version before wrote it: a callback's word, without the number of its attempt. */
function formerSlip(text: string): string {
  const slip = JSON.parse(text.split("\n")[0] ?? "");
  delete slip.heard.attempt;
  const json = JSON.stringify(slip);
  return `${json}\n${createHash("sha256").update(json).digest("hex")}\n`;
}

test.each([
  ["as it is", (text: string) => text],
  ["as the version before wrote it", formerSlip],
])("an old slip with a callback's word decides nothing about a second attempt: %s", async (_, written) => {
  const { till, service, slip } = await keptSlip();
  expect(await till.run("journal resolve INV-1")).toMatchObject({ exit: 0 });
  expect(readdirSync(till.stateFolder)).not.toContain(basename(slip));
  expect(await till.run(again, { now: Date.UTC(2026, 2, 31, 10) })).toMatchObject({ exit: 6 });
  writeFileSync(join(till.stateFolder, basename(slip)), written(readFileSync(slip, "utf8")), { mode: 0o600 });
  const later = { now: Date.UTC(2026, 2, 31, 11) };
  expect(await till.run("journal resolve INV-1", later)).toMatchObject({ exit: 6 });
  expect(await till.run(again, later)).toMatchObject({ exit: 6 });
  expect(service.collections).toHaveLength(2);
});

/** A first attempt that was refused by a callback while the journal was locked, and a copy of its slip. */
async function keptSlip() {
  const service = await collectionService(numbered(true));
  const till = openTill(service.environment);
  const { host, stop } = person();
  let isDone = false;
  let unlock = notLocked;
  const meanwhile = behind(async () => {
    if (isDone) return;
    isDone = true;
    unlock = lock(till, "writers");
    await post(service.collections[0]?.callbackUrl ?? "", says("PAYMENT_REJECTED", "INV-1", "ONE"));
    stop("SIGTERM");
  });
  expect(await till.run(waiting, { host: { ...host, sqlite: async () => hastySqlite() }, meanwhile })).toMatchObject({
    exit: 4,
  });
  unlock();
  const name = readdirSync(till.stateFolder).find((file) => /^slip-.*json$/.test(file)) ?? "";
  const slip = join(temporaryFolder(), name);
  copyFileSync(join(till.stateFolder, name), slip);
  return { till, service, slip };
}
