import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { saying } from "../movements/teller.ts";
import { openTill } from "../movements/till.ts";
import { debit, serveStatements } from "../statements-served.ts";

// The journal is lost, and the statements show none of its orders.

const [transfer] = kinds;
const refusal = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}';

/** A lost journal with one refused order; the service accepts later ones. */
async function lost() {
  const service = await serveStatements({ react: saying("400 Bad Request", refusal) });
  const till = openTill(service.environment);
  expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 4 });
  rmSync(till.stateFolder, { recursive: true });
  service.react(accept);
  return { service, till };
}

describe("journal recover after a journal of refused orders only", () => {
  test("takes an empty statement for a late one and changes nothing", async () => {
    const { till } = await lost();
    const run = await till.run("journal recover");
    expect(run).toMatchObject({ exit: 5, stderr: expect.stringContaining("--allow-empty") });
    expect(existsSync(join(till.stateFolder, "journal.db"))).toBe(false);
    const next = await till.run(transfer.line("R-2"));
    expect(next).toMatchObject({ exit: 3, stderr: expect.stringContaining("is missing, though there was one") });
  });

  test("with --allow-empty accepts the empty statement and allows orders again", async () => {
    const { service, till } = await lost();
    const run = await till.run("journal recover --allow-empty");
    expect(run).toMatchObject({ exit: 0, stderr: expect.stringContaining("They show no row of that time") });
    expect(await till.run(transfer.line("R-2"))).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
  });
});

const from = (wallet: string, reference: string) =>
  `withdraw --account ${wallet} --amount 5 --narration out --reference ${reference} --yes --again --check-statement never`;

describe("journal recover while one wallet's statement cannot be read", () => {
  const other = "9000112244";
  /** A journal lost after two payments; the statement of one wallet cannot be read. */
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

  test("keeps what the other statements show, names the wallet, and allows only orders of other wallets", async () => {
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

  test("makes a batch skip the rows paid from that wallet and send the others", async () => {
    const { service, till } = await cutOff();
    expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
    const file = `${till.stateFolder}.csv`;
    const rows = `B-1,${other},6,payout\nB-2,9000112233,6,payout\n`;
    writeFileSync(file, `reference,account,amount,narration\n${rows}`);
    const run = await till.run(`batch run ${file} --kind withdraw --yes --json --check-statement never`);
    expect(run).toMatchObject({ exit: 8, stdout: expect.stringContaining(`wallet ${other} was not read`) });
    expect(service.orders).toHaveLength(3);
  });

  test("is still reported by doctor and dry runs days later", async () => {
    const { till } = await cutOff();
    expect(await till.run("journal recover --retries 0")).toMatchObject({ exit: 5 });
    const later = { now: Date.UTC(2026, 3, 5, 9) };
    for (const line of ["doctor --retries 0", `${from(other, "R-4")} --dry-run`]) {
      const run = await till.run(line, later);
      expect(run.exit).toBe(0);
      expect(run.stdout + run.stderr).toContain(`wallet ${other} was not read`);
    }
  });

  test("allows the wallet's orders after a second run, which starts at the first missed day", async () => {
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

  test("with --dry-run ends with 5 and changes nothing", async () => {
    const { till } = await cutOff();
    const run = await till.run("journal recover --retries 0 --dry-run");
    expect(run).toMatchObject({ exit: 5, stderr: expect.stringContaining("Nothing was changed.") });
    expect(await till.run(from("9000112233", "R-3"))).toMatchObject({ exit: 3 });
  });
});

test("an interrupted recovery blocks orders until all statements were read", async () => {
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
