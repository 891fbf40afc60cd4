import { expect, test } from "vitest";
import { debit, serveStatements } from "../statements-served.ts";
import { accept } from "./service.ts";
import { openTill } from "./till.ts";

// An order leaves while this machine's clock is wrong, and no answer of the service has shown that. Later the clock is
// right.

const paying = "9000112233";
const dayMs = 86_400_000;
/** Noon of 31 March at the service. */
const noon = Date.UTC(2026, 2, 31, 9);
const transfer = `transfer --from ${paying} --to 9000112244 --amount 5 --description rent --reference R-1 --yes --json`;
const never = "--check-statement never";
const word = "journal resolve R-1 --as refused --evidence call";
const rent = debit("5", { narration: "rent [R-1]" });

/** A till whose order was lost with a clock ahead, and the service as it answers at `now`, when clocks are right. */
async function lostAhead(days: number, now: number) {
  const [undated, service] = await Promise.all([
    serveStatements({}),
    serveStatements({ statements: { [paying]: [rent] }, now, react: accept }),
  ]);
  const till = openTill({ ...service.environment, PARTNER_ENVIRONMENT: "sandbox" });
  const lost = await till.run(`${transfer} ${never}`, {
    now: noon + days * dayMs,
    environment: { PARTNER_BASE_URL: undated.environment["PARTNER_BASE_URL"] ?? "" },
  });
  expect(lost).toMatchObject({ exit: 6 });
  return { till, service };
}

test.each([
  [10, 0],
  [10, 5],
  [400, 0],
  [400, 20],
])("an order that left with a clock %i days ahead is found %i days later", async (ahead, days) => {
  const now = noon + days * dayMs;
  const { till } = await lostAhead(ahead, now);
  expect(await till.run(word, { now })).toMatchObject({ exit: 2, stderr: expect.stringContaining("row FT26090000") });
  expect(await till.run("journal resolve R-1", { now })).toMatchObject({ exit: 0 });
});

test("an order that a person called refused is not paid twice where a clock ahead dated it", async () => {
  const now = noon + 20 * dayMs;
  const { till, service } = await lostAhead(400, now);
  expect(await till.run(`${word} --against-statement`, { now })).toMatchObject({ exit: 0 });
  expect(await till.run(transfer, { now })).toMatchObject({ exit: 0 });
  expect(service.orders).toEqual([]);
});
