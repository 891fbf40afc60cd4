import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { saying } from "../movements/teller.ts";
import { openTill } from "../movements/till.ts";
import { debit, serveStatements } from "../statements-served.ts";

// A journal is lost, and the statements have no row of the orders that it had.

const [transfer] = kinds;
const refusal = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}';

/** A journal with one order that was refused is lost; what comes later is accepted. */
async function lost() {
  const service = await serveStatements({ react: saying("400 Bad Request", refusal) });
  const till = openTill(service.environment);
  expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 4 });
  rmSync(till.stateFolder, { recursive: true });
  service.react(accept);
  return { service, till };
}

describe("journal recover, where all orders were refused", () => {
  test("takes an empty statement for one that is late, and leaves everything as it was", async () => {
    const { till } = await lost();
    const run = await till.run("journal recover");
    expect(run).toMatchObject({ exit: 5, stderr: expect.stringContaining("--allow-empty") });
    expect(existsSync(join(till.stateFolder, "journal.db"))).toBe(false);
    const next = await till.run(transfer.line("R-2"));
    expect(next).toMatchObject({ exit: 3, stderr: expect.stringContaining("is missing, though there was one") });
  });

  test("believes a person who says that no money moved, and lets orders leave again", async () => {
    const { service, till } = await lost();
    const run = await till.run("journal recover --allow-empty");
    expect(run).toMatchObject({ exit: 0, stderr: expect.stringContaining("They show no row of that time") });
    expect(await till.run(transfer.line("R-2"))).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
  });
});

const from = (wallet: string, reference: string) =>
  `withdraw --account ${wallet} --amount 5 --narration out --reference ${reference} --yes --again --check-statement never`;

describe("journal recover, where one wallet's statement never arrives", () => {
  const other = "9000112244";
  /** A journal is lost after two payments, and the statement of one wallet is out of order. */
  async function cutOff() {
    const service = await serveStatements({ react: accept });
    const till = openTill(service.environment);
    for (const [wallet, reference] of [
      ["9000112233", "R-1"],
      [other, "R-2"],
    ] as const) {
      expect(await till.run(from(wallet, reference))).toMatchObject({ exit: 0 });
      service.write(wallet, [debit("5", { tranRefNo: reference, narration: "out" })]);
    }
    rmSync(till.stateFolder, { recursive: true });
    service.write(other, { answer: answer("500 Internal Server Error", "") });
    return { service, till };
  }

  test("keeps what the others carry, names that one, and lets the others' orders leave", async () => {
    const { service, till } = await cutOff();
    const run = await till.run("journal recover --retries 0 --json");
    expect(run).toMatchObject({ exit: 5, stdout: expect.stringContaining('"references": 2') });
    expect(run.stderr).toContain(`Not read: ${other}.`);
    expect(await till.run(from("9000112233", "R-1"))).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
    expect(await till.run(from("9000112233", "R-3"))).toMatchObject({ exit: 0 });
    for (const reference of ["R-2", "R-4"]) {
      const refused = await till.run(from(other, reference));
      expect(refused).toMatchObject({ exit: 3, stderr: expect.stringContaining(`wallet ${other} was not read`) });
    }
    const [, , collect, remit] = kinds;
    for (const kind of [collect, remit]) expect(await till.run(kind?.line("R-5") ?? "")).toMatchObject({ exit: 3 });
    expect(service.orders).toHaveLength(3);
  });

  test("leaves the rows of a batch that are paid from it, and sends the others", async () => {
    const { service, till } = await cutOff();
    expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
    const file = `${till.stateFolder}.csv`;
    const rows = `B-1,${other},6,payout\nB-2,9000112233,6,payout\n`;
    writeFileSync(file, `reference,account,amount,narration\n${rows}`);
    const run = await till.run(`batch run ${file} --kind withdraw --yes --json --check-statement never`);
    expect(run).toMatchObject({ exit: 8, stdout: expect.stringContaining(`wallet ${other} was not read`) });
    expect(service.orders).toHaveLength(3);
  });

  test("is named by doctor and by dry runs, days later too", async () => {
    const { till } = await cutOff();
    expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
    const later = { now: Date.UTC(2026, 3, 5, 9) };
    for (const line of ["doctor --retries 0", `${from(other, "R-4")} --dry-run`]) {
      const run = await till.run(line, later);
      expect(run.exit).toBe(0);
      expect(run.stdout + run.stderr).toContain(`wallet ${other} was not read`);
    }
  });

  test("lets its orders leave once it was read, from the first day that was missed", async () => {
    const { service, till } = await cutOff();
    expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
    service.write(other, [debit("5", { tranRefNo: "R-2", narration: "out" })]);
    const later = { now: Date.UTC(2026, 3, 20, 9) };
    expect(await till.run("journal recover --json", later)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"from": "2026-03-29"'),
    });
    expect(await till.run(from(other, "R-2"), later)).toMatchObject({ exit: 0 });
    expect(await till.run(from(other, "R-4"), later)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(3);
  });

  test("is said by a dry run, which changes nothing", async () => {
    const { till } = await cutOff();
    const run = await till.run("journal recover --retries 0 --dry-run");
    expect(run).toMatchObject({ exit: 5, stderr: expect.stringContaining("Nothing was changed.") });
    expect(await till.run(from("9000112233", "R-3"))).toMatchObject({ exit: 3 });
  });
});

test("a recovery that breaks off is remembered: no order leaves before the statements were read to their end", async () => {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 0 });
  service.write("9000112233", { answer: answer("500 Internal Server Error", "") });
  expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
  const stopped = await till.run(transfer.line("R-2"));
  expect(stopped).toMatchObject({ exit: 3, stderr: expect.stringContaining("were not read to their end") });
  expect(stopped.stderr).toContain("partner journal recover");
  service.write("9000112233", []);
  expect(await till.run("journal recover --dry-run")).toMatchObject({ exit: 0 });
  expect(await till.run(transfer.line("R-2"))).toMatchObject({ exit: 3 });
  expect(await till.run("journal recover")).toMatchObject({ exit: 0 });
  expect(await till.run(transfer.line("R-2"))).toMatchObject({ exit: 0 });
  expect(service.orders).toHaveLength(2);
});
