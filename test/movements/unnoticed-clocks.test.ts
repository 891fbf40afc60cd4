import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { memoryHost } from "../memory-host.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { accept } from "./service.ts";
import { saying } from "./teller.ts";
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
const lose = saying("500 Internal Server Error", "");
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

test.each([-30, 30])("an order of a batch is found where the clock was set by %i days before it left", async (days) => {
  let setMs = 0;
  let orders = 0;
  const service = await serveStatements({
    statements: { [paying]: [debit("5", { narration: "rent [R-2]" })] },
    now: noon,
    react(socket, request) {
      orders += 1;
      setMs = days * dayMs;
      return (orders === 1 ? accept : lose)(socket, request);
    },
  });
  const till = openTill({ ...service.environment, PARTNER_ENVIRONMENT: "sandbox" });
  const file = `${till.stateFolder}.csv`;
  writeFileSync(
    file,
    `reference,from,to,amount,description\nR-1,${paying},9000112244,5,rent\nR-2,${paying},9000112244,5,rent\n`,
  );
  const { clock } = memoryHost({ now: noon });
  const run = await till.run(`batch run ${file} --kind transfer --yes --allow-repeats ${never}`, {
    clock: { ...clock, now: () => clock.now() + setMs },
  });
  expect(run).toMatchObject({ exit: 6 });
  const said = await till.run(word.replace("R-1", "R-2"), { now: noon });
  expect(said).toMatchObject({ exit: 2, stderr: expect.stringContaining("row FT26090000") });
});
