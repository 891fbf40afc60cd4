import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Prng } from "../../src/simulator/prng.ts";
import { parseMoment } from "../../src/values/time/instant.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { groupA, groupB, noon, say, small, smallWorld, started } from "./small-world.ts";

test("the started simulator has everything needed to reach it", async () => {
  const simulator = await small();
  expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/partner\/v1$/);
  expect(simulator.accountBaseUrl).toBe(simulator.baseUrl.replace("/partner/v1", ""));
  expect(simulator).toMatchObject({
    environment: "live",
    accountId: "simulator",
    secretKey: "c2ltdWxhdG9yL3NlY3JldCtrZXk/fi8rPj8+fn5+Pz8=",
    accessToken: "simulator-access-token-8f14e45fceea167a",
    webhookKey: "c2ltdWxhdG9yLXdlYmhvb2stc2lnbmluZy1rZXktMDE=",
    wallets: ["1042", "0043", "1044", "2001"],
    accounts: ["015A8XX787600"],
  });
});

test("a port in use ends as unavailable", async () => {
  const { accountBaseUrl } = await small();
  const port = Number(new URL(accountBaseUrl).port);
  await expect(small({ port })).rejects.toMatchObject({ ending: "unavailable" });
});

const timestamp = `GET /account/015A8XX787600/balance HTTP/1.1\n${groupB}`;

test("the clock starts at the given time and then runs", async () => {
  const host = memoryHost({ now: noon });
  const { simulator } = await started(host, { seed: smallWorld, clock: "2026-10-31T23:59:58Z" });
  host.clock.advance(3000);
  expect((await say(simulator, timestamp)).body).toContain('"timestamp":"2026-11-01T03:00:01+03:00"');
});

test("the clock never starts before the last row of the statements", async () => {
  const simulator = await small({ clock: "2020-01-01" });
  expect((await say(simulator, timestamp)).body).toContain('"timestamp":"2026-03-05T00:00:00+03:00"');
});

test.for(["yesterday", "2026-02-30T08:00:00Z", "2026-01-01T24:00:00Z", "1767225600"])(
  "--clock %s is refused",
  async (clock) => {
    await expect(small({ clock })).rejects.toMatchObject({ ending: "usage" });
  },
);

test.for([
  ["2026-03-31T09:00:00Z", noon],
  ["2026-03-31T12:00:00+03:00", noon],
  ["2026-03-31T04:30:00-0430", noon],
  ["2026-03-31 12:00:00", noon],
  ["2026-03-31T12:00", noon],
  ["2026-03-31T09:00:00.250Z", noon + 250],
  ["2026-03-31", noon - 12 * 3_600_000],
] as const)("%s is read as the right instant", ([text, instant]) => {
  expect(parseMoment(text)).toBe(instant);
});

test.for([
  ["no JSON", "{", /can't be used: Not the JSON we take/],
  ["an unknown field", '{"walets":[]}', /can't be used: the document: /],
  ["a wallet without a number", '{"wallets":[{"accountName":"A"}]}', /can't be used: wallets\.0\./],
  [
    "a number twice",
    `{"wallets":[${'{"accountNo":"1","accountName":"A","type":"COLLECTION","currency":"TZS","countryCode":"TZ"},'.repeat(2).slice(0, -1)}]}`,
    /wallets must not repeat an accountNo/,
  ],
  [
    "a row without a day",
    '{"wallets":[{"accountNo":"1","accountName":"A","type":"COLLECTION","currency":"TZS","countryCode":"TZ","entries":[{"tranRefNo":"R","valueDate":"2026-02-30"}]}]}',
    /wallets\.0\.entries\.0: valueDate must begin with a day, YYYY-MM-DD/,
  ],
  [
    "an amount that is none",
    '{"wallets":[{"accountNo":"1","accountName":"A","type":"COLLECTION","currency":"TZS","countryCode":"TZ","entries":[{"tranRefNo":"R","valueDate":"2026-02-28","amountCredited":"five"}]}]}',
    /wallets\.0\.entries\.0: amountCredited and amountDebited must be amounts/,
  ],
] as const)("a seed file with %s is refused", async ([, text, message]) => {
  const seed = join(temporaryFolder(), "seed.json");
  writeFileSync(seed, text);
  await expect(small({ seed })).rejects.toMatchObject({ ending: "usage", message: expect.stringMatching(message) });
});

test("a missing seed file is refused", async () => {
  const seed = join(temporaryFolder(), "missing.json");
  await expect(small({ seed })).rejects.toMatchObject({ ending: "usage", message: expect.stringContaining(seed) });
});

test("a wallet of 80,001 rows is served with the rows of the period and its balance", async () => {
  const simulator = await small({ bulkRows: 80_001 });
  const days = '"startDate":"2026-03-29","endDate":"2026-03-30"';
  const request = `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"9999000001",${days}}`;
  const rows: { tranRefNo: string; valueDate: string; balance: number }[] = JSON.parse(
    (await say(simulator, request)).body,
  );
  expect(rows).toHaveLength(40_001);
  expect(rows[0]).toMatchObject({ tranRefNo: "BULK00040000", valueDate: "2026-03-29 08:00:00", balance: 5_000_125 });
  expect(rows.at(-1)).toMatchObject({ tranRefNo: "BULK00080000", valueDate: "2026-03-30 08:00:00" });
  expect(simulator.world.wallet("9999000001").balance.toString()).toBe("10000125.00");
});

test.for([1, 40_000, 80_001])("a wallet of %i rows is served row by row and adds up to its balance", async (count) => {
  const simulator = await small({ bulkRows: count });
  const ask = async (path: string, body: string) =>
    JSON.parse((await say(simulator, `POST /partner/v1/wallet/${path} HTTP/1.1\n${groupA}\n\n${body}`)).body);
  const rows: { tranRefNo: string; amountCredited: number; amountDebited: number; balance: number }[] = await ask(
    "statement",
    '{"accountNo":"9999000001","startDate":"2026-03-01","endDate":"2026-03-31"}',
  );
  expect(new Set(rows.map(({ tranRefNo }) => tranRefNo)).size).toBe(count);
  let held = 0;
  const wrong = rows.filter((row) => row.balance !== (held += row.amountCredited - row.amountDebited));
  expect([rows.length, wrong]).toEqual([count, []]);
  expect(await ask("balance", '{"accountNo":"9999000001"}')).toMatchObject({
    availableBalance: held,
    currentBalance: held,
  });
});

test("ids have 12 letters and digits, UUIDs are version 4, and a seed repeats its ids", () => {
  const [once, again, other] = [Prng.of(1, "ids"), Prng.of(1, "ids"), Prng.of(2, "ids")].map((draw) =>
    Array.from({ length: 500 }, () => draw.id()),
  );
  expect(once).toEqual(again);
  expect(new Set([...(once ?? []), ...(other ?? [])]).size).toBe(1000);
  expect(once?.every((id) => /^[A-Za-z0-9]{12}$/.test(id))).toBe(true);
  expect(Prng.of(1, "ids").uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
