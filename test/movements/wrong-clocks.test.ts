import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { WrittenRow } from "../statements-served.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { objectIn } from "./kinds.ts";
import { accept } from "./service.ts";
import { openTill } from "./till.ts";

// The service's clock is right and this machine's is days off, or the other way round: statements are read for the
// days of both.

const paying = "9000112233";
const dayMs = 86_400_000;
/** Noon of 31 March at the service. */
const noon = Date.UTC(2026, 2, 31, 9);
const meant = "--yes --json --again";
const transfer = `transfer --from ${paying} --to 9000112244 --amount 5 --description rent --reference R-1 ${meant}`;
const withdraw = `withdraw --account ${paying} --amount 5 --narration payout --reference R-1 ${meant}`;
const never = "--check-statement never";
const rent = debit("5", { narration: "rent [R-1]" });

async function serving(rows: readonly WrittenRow[], settings: Parameters<typeof serveStatements>[0] = {}) {
  const service = await serveStatements({ statements: { [paying]: rows }, now: noon, ...settings });
  // A simulator's clock may differ without a warning.
  return { service, till: openTill({ ...service.environment, PARTNER_ENVIRONMENT: "sandbox" }) };
}

describe.each([
  ["ahead of", 10],
  ["behind", -10],
  ["ahead of", 400],
  ["behind", -400],
] as const)("with a clock that is %s the service's by %i days", (where, days) => {
  const world = { now: noon + days * dayMs };

  test("a payment of today is not sent again, and a note reports the clock", async () => {
    const { service, till } = await serving([rent], { react: accept });
    const run = await till.run(transfer, world);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toEqual([]);
    const note = `This machine's clock is ${Math.abs(days)}d ${where} the service's.`;
    expect(run.stderr.split("\n").filter((line) => line.includes(note))).toHaveLength(1);
    expect((await till.run("wallets list", world)).stderr).toBe("");
  });

  test("a batch does not send it again either", async () => {
    const { service, till } = await serving([rent], { react: accept });
    const file = `${till.stateFolder}.csv`;
    writeFileSync(
      file,
      `reference,from,to,amount,description\nR-1,${paying},9000112244,5,rent\nR-2,${paying},9000112244,5,rent\n`,
    );
    const run = await till.run(`batch run ${file} --kind transfer --yes --json`, world);
    expect(run).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
    expect(run.stderr).toContain("This machine's clock is");
  });

  test("a lost order is found when the clock is right again, and no person's word calls it refused", async () => {
    const { service, till } = await serving([rent]);
    expect(await till.run(`${transfer} ${never}`, world)).toMatchObject({ exit: 6 });
    for (const later of [noon, noon + 20 * dayMs]) {
      const word = await till.run("journal resolve R-1 --as refused --evidence call", { now: later });
      expect(word).toMatchObject({ exit: 2, stderr: expect.stringContaining("row FT26090000 of 9000112233") });
    }
    expect(await till.run("journal resolve R-1", world)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });

  test("its history shows the service's time", async () => {
    const { till } = await serving([], { react: accept });
    expect(await till.run(`${transfer} ${never}`, world)).toMatchObject({ exit: 0 });
    const shown = objectIn((await till.run("journal show R-1 --json", world)).stdout)["history"];
    expect(Array.isArray(shown) && shown[0]).toMatchObject({
      step: "claim",
      note: expect.stringMatching(/^By the service's clock it was 2026-03-31T1[12]:/),
    });
  });

  test("a narration without a reference proves nothing, since its month is uncertain", async () => {
    const valueDate = new Date(world.now).toISOString().slice(0, 10);
    const { till } = await serving([debit("5", { narration: "payout", valueDate: `${valueDate} 12:00:00` })]);
    expect(await till.run(`${withdraw} ${never}`, world)).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1", world)).toMatchObject({ exit: 6 });
  });

  test("a lost journal is recovered with the orders of today", async () => {
    const { service, till } = await serving([rent], { react: accept });
    expect(await till.run(`${transfer} ${never}`, world)).toMatchObject({ exit: 0 });
    rmSync(till.stateFolder, { recursive: true });
    expect(await till.run("journal recover", world)).toMatchObject({ exit: 0 });
    expect(await till.run(`${transfer} ${never}`, world)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });

  test("nothing is sent twice either when it is the service's clock that is wrong", async () => {
    const { service, till } = await serving([rent], { react: accept, now: world.now });
    expect(await till.run(transfer, { now: noon })).toMatchObject({ exit: 0 });
    expect(service.orders).toEqual([]);
  });
});

test("a lost journal whose last order is dated in the future is recovered from long before", async () => {
  const { service, till } = await serving([rent], { react: accept });
  expect(await till.run(`${transfer} ${never}`, { now: noon + 400 * dayMs })).toMatchObject({ exit: 0 });
  rmSync(till.stateFolder, { recursive: true });
  const run = await till.run("journal recover", { now: noon });
  expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining("2025-12-31") });
  expect(await till.run(`${transfer} ${never}`, { now: noon })).toMatchObject({ exit: 0 });
  expect(service.orders).toHaveLength(1);
});

test("clocks that are minutes apart cause no warning", async () => {
  const { till } = await serving([], { react: accept });
  const run = await till.run(transfer, { now: noon + 50 * 60_000 });
  expect(run).toMatchObject({ exit: 0, stderr: "" });
});

describe("a service that returns nothing for a period that ends in the future", () => {
  test("is asked up to its own day, before an order is sent and before a person's word is accepted", async () => {
    const world = { now: noon + 10 * dayMs };
    const { service, till } = await serving([rent], { hidesDaysToCome: true });
    expect(await till.run(`${transfer} ${never}`, world)).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1 --as refused --evidence call", world)).toMatchObject({ exit: 2 });
    rmSync(till.stateFolder, { recursive: true });
    expect(await till.run("journal recover", world)).toMatchObject({ exit: 0 });
    expect(await till.run(transfer, world)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });

  test("does not prove a future order refused by an empty statement", async () => {
    const service = await serveStatements({});
    const till = openTill(service.environment);
    expect(await till.run(`${transfer} ${never}`, { now: noon + 10 * dayMs })).toMatchObject({ exit: 6 });
    const word = "journal resolve R-1 --as refused --evidence call";
    const run = await till.run(word, { now: noon });
    expect(run).toMatchObject({ exit: 5, stderr: expect.stringContaining("still to come") });
    expect(await till.run(`${word} --unchecked`, { now: noon })).toMatchObject({ exit: 0 });
  });
});

test.each([0, Date.UTC(2025, 0, 1)])(
  "a journal begun by a clock before the program existed counts as new once the clock is right (%i)",
  async (atStart) => {
    const { service, till } = await serving([rent], { react: accept });
    // While certificates are not valid yet, no connection can be made.
    const unreached = { now: atStart, environment: { PARTNER_BASE_URL: "http://127.0.0.1:1" } };
    expect(await till.run(withdraw, unreached)).toMatchObject({ exit: 5 });
    const paid = await till.run(transfer, { now: noon });
    expect(paid).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toEqual([]);
    const read = service.asked.length;
    await till.run(withdraw.replace("R-1", "R-2"), { now: noon + dayMs });
    expect(service.asked).toHaveLength(read);
  },
);
