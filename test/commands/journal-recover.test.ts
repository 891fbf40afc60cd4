import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { answer } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { accept } from "../movements/service.ts";
import { saying } from "../movements/teller.ts";
import { debit, serveStatements } from "../statements-served.ts";
import type { Desk } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

const dayMs = 86_400_000;

/** A withdrawal from a wallet that the service does not list. */
function unlisted(reference: string): string {
  return `withdraw --account 700800 --amount 5 --narration out --reference ${reference} --yes --check-statement never --again`;
}

/** The amount of the desk's transfer under that reference. */
function amountOf(reference: string): string {
  return /--amount (\d+)/.exec(transferOf(reference))?.[1] ?? "";
}

/** References that the journal knows only from statements. */
function seenIn({ journal }: Desk): string[] {
  const database = new DatabaseSync(journal, { readOnly: true });
  const rows = database.prepare("SELECT DISTINCT reference FROM seen ORDER BY reference").all();
  database.close();
  return rows.map(({ reference }) => String(reference));
}

describe("journal recover", () => {
  test("finds what was sent after a backup, and lets other orders leave", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2", "R-3");
    await desk.partner`withdraw --account 9000112233 --amount 7 --narration out --reference W-1 --yes`;
    putBack();
    const dry = await desk.partner`journal recover --dry-run --json`;
    expect(dry.exit).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ from: "2026-03-30", to: "2026-03-31" });
    expect(dry.stderr).toContain("Nothing was changed.");
    expect(await desk.send("R-9")).toEqual([3]);
    const recovered = await desk.partner`journal recover --json`;
    expect(recovered.exit).toBe(0);
    expect(JSON.parse(recovered.stdout)).toMatchObject({ references: JSON.parse(dry.stdout).references });
    expect(recovered.stderr).toContain("Statements do not show collections without an outcome, remittances");
    expect(seenIn(desk)).toEqual(expect.arrayContaining(["R-2", "R-3", "W-1"]));
    expect(seenIn(desk)).not.toContain("R-1");
    expect(await desk.send("R-9")).toEqual([0]);
    const lost = await desk.partner`${transferOf("R-2")} --json`;
    expect(lost.exit).toBe(0);
    expect(JSON.parse(lost.stdout)).toMatchObject({ reference: "R-2", state: "accepted", evidence: "statement" });
    const out = "withdraw --account 9000112233 --amount 7 --narration out --reference W-1 --yes --json";
    expect(JSON.parse((await desk.partner`${out}`).stdout)).toMatchObject({ state: "accepted", evidence: "statement" });
    const other = await desk.partner`${transferOf("R-3").replace(/--amount \d+/, "--amount 4999")}`;
    expect(other).toMatchObject({ exit: 2, stdout: "" });
    const again = JSON.parse((await desk.partner`journal recover --json`).stdout);
    expect(again).toMatchObject({ new: 0 });
    expect(movedUnder(simulator, "R-1", "R-2", "R-3", "R-9")).toEqual([1, 1, 1, 1]);
    expect((await desk.partner`journal verify`).exit).toBe(0);
  });

  test("stores an order whose row also names one in the journal, or has the same reference", async ({
    partnerIn,
    simulator,
  }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-0", "R-1");
    const putBack = desk.backUp();
    const meant = "--yes --json --again";
    const lost = [
      `withdraw --account 9000112233 --amount 7 --narration "Correction for R-0" --reference W-7 ${meant}`,
      `withdraw --account 9000112233 --amount ${amountOf("R-1")} --narration out --reference R-1 ${meant}`,
    ];
    for (const line of lost) expect((await desk.partner`${line}`).exit).toBe(0);
    putBack();
    expect((await desk.partner`journal recover`).exit).toBe(0);
    expect(seenIn(desk)).toEqual(expect.arrayContaining(["W-7", "R-1"]));
    const before = simulator.world.wallet("9000112233").balance.toString();
    for (const line of lost)
      expect(JSON.parse((await desk.partner`${line}`).stdout)).toMatchObject({ evidence: "statement" });
    expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
  });

  test("reads wallets that the service does not list when orders were paid from them", async ({ partnerIn }) => {
    const service = await serveStatements({ react: accept });
    const desk = openDesk(partnerIn, { environment: service.environment });
    expect((await desk.partner`${unlisted("R-1")}`).exit).toBe(0);
    const putBack = desk.backUp();
    expect((await desk.partner`${unlisted("R-2")}`).exit).toBe(0);
    putBack();
    service.write("700800", [debit("5", { tranRefNo: "R-2", narration: "out" })]);
    expect((await desk.partner`journal recover`).exit).toBe(0);
    expect(service.asked.map(({ accountNo }) => accountNo)).toContain("700800");
    expect(seenIn(desk)).toContain("R-2");
    expect((await desk.partner`${unlisted("R-2")}`).exit).toBe(0);
    expect(service.orders).toHaveLength(2);
  });

  test("skips a wallet only when the service itself says that it is gone", async ({ partnerIn }) => {
    const service = await serveStatements({ react: accept });
    const desk = openDesk(partnerIn, { environment: service.environment });
    expect((await desk.partner`${unlisted("R-1")}`).exit).toBe(0);
    service.write("9000112233", [debit("5", { tranRefNo: "T-1" })]);
    service.write("700800", { answer: answer("404 Not Found", "") });
    expect((await desk.partner`journal recover --retries 0`).exit).toBe(5);
    const gone = '{"statusCode":404,"reason":"NOT_FOUND","details":{}}';
    service.write("700800", { answer: answer("404 Not Found", gone) });
    expect((await desk.partner`journal recover`).exit).toBe(0);
  });

  test("is needed again when the same backup is put back once more", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    await desk.partner`journal recover`;
    putBack();
    const refused = await desk.partner`${transferOf("R-9")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toMatch(/of \d+ rows of statements that were read into it, 0 are left/);
    await desk.partner`journal recover`;
    expect(await desk.send("R-9")).toEqual([0]);
  });

  test("begins a journal that is gone, or that never was", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1", "R-2");
    rmSync(desk.journal);
    expect((await desk.partner`${transferOf("R-2")}`).stderr).toMatch(
      /is missing, though there was one.*partner journal recover/s,
    );
    const recovered = await desk.partner`journal recover --json`;
    expect(recovered.exit).toBe(0);
    expect(seenIn(desk)).toEqual(expect.arrayContaining(["R-1", "R-2"]));
    expect(await desk.send("R-1", "R-2", "R-3")).toEqual([0, 0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
    const fresh = openDesk(partnerIn);
    const begun = JSON.parse((await fresh.partner`journal recover --json`).stdout);
    expect(begun).toMatchObject({ from: "2025-12-31", to: "2026-03-31" });
    expect(seenIn(fresh)).toEqual(expect.arrayContaining(["R-1", "R-2", "R-3"]));
  });

  test("comes after a damaged journal was moved away as the message says", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    writeFileSync(desk.journal, "x".repeat(9000));
    const damaged = await desk.partner`${transferOf("R-2")}`;
    const [, away = ""] = /(mv .*); partner journal recover/.exec(damaged.stderr) ?? [];
    expect(away).toBe(`mv ${desk.journal} ${desk.journal}.old`);
    expect((await desk.partner`journal recover`).exit).toBe(3);
    expect(spawnSync("sh", ["-c", away]).status).toBe(0);
    expect((await desk.partner`journal recover`).exit).toBe(0);
    expect(seenIn(desk)).toContain("R-1");
    expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("lets a clone or a second folder send in place of the first", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const clone = desk.at({ machineId: "machine two" });
    expect(await clone.send("R-2")).toEqual([3]);
    expect((await clone.partner`journal recover`).exit).toBe(0);
    expect(await clone.send("R-1", "R-2")).toEqual([0, 0]);
    const second = clone.at({ state: join(temporaryFolder(), "state") });
    expect(await second.send("R-3")).toEqual([3]);
    expect((await second.partner`journal recover`).exit).toBe(0);
    expect(seenIn(second)).toEqual(expect.arrayContaining(["R-1", "R-2"]));
    expect(await second.send("R-3")).toEqual([0]);
    expect(await clone.send("R-4")).toEqual([3]);
    expect(await second.send("R-1", "R-2")).toEqual([0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3", "R-4")).toEqual([1, 1, 1, 0]);
  });

  test("is for one account: others wait for their own statements", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    const other = desk.at({ environment: { PARTNER_ACCOUNT_ID: "another" } });
    await desk.send("R-1");
    // The service does not know this account, so its statement cannot be read.
    await other.partner`${transferOf("R-1")} --check-statement never`;
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    const recovered = await desk.partner`journal recover`;
    expect(recovered.stderr).toMatch(
      /Orders of \S+ \S+ another wait for its statements: partner journal recover --profile NAME/,
    );
    expect(await desk.send("R-9")).toEqual([0]);
    const refused = await other.partner`${transferOf("R-9")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain("were not read to their end");
  });

  test("knows what a lost journal knew of the one before it", async ({ partnerIn, simulator }) => {
    let desk = openDesk(partnerIn);
    const at = (days: number) => desk.at({ world: { now: now + days * dayMs } });
    await desk.send("R-1");
    for (const days of [5, 10]) {
      rmSync(desk.journal);
      desk = at(days);
      expect((await desk.partner`journal recover`).exit).toBe(0);
    }
    expect(seenIn(desk)).toContain("R-1");
    // When the statement is no longer asked before each order.
    expect(await at(20).send("R-1")).toEqual([0]);
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });

  test("reads again what was read into the journal after the backup", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const other = desk.at({ config: temporaryFolder(), state: `${desk.state}-two` });
    cpSync(desk.state, other.state, { recursive: true });
    expect(await other.send("R-2")).toEqual([0]);
    const later = desk.at({ world: { now: now + 10 * dayMs } });
    await later.send("R-4");
    const putBack = later.backUp();
    expect((await later.partner`journal recover --from 2026-03-30`).exit).toBe(0);
    expect(seenIn(later)).toContain("R-2");
    putBack();
    expect(await later.send("R-2")).toEqual([3]);
    expect((await later.partner`journal recover`).exit).toBe(0);
    expect(seenIn(later)).toContain("R-2");
    expect(await desk.at({ world: { now: now + 20 * dayMs } }).send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
  });

  test("accepts statements without a missing order only with --allow-empty", async ({ partnerIn }) => {
    const refusal = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}';
    const service = await serveStatements({ react: saying("400 Bad Request", refusal) });
    const desk = openDesk(partnerIn, { environment: service.environment });
    expect(await desk.send("R-0")).toEqual([4]);
    const putBack = desk.backUp();
    expect(await desk.send("R-1")).toEqual([4]);
    putBack();
    const empty = await desk.partner`journal recover`;
    expect(empty.exit).toBe(5);
    expect(empty.stderr).toContain("If none of those orders moved money: --allow-empty");
    expect(await desk.send("R-2")).toEqual([3]);
    expect((await desk.partner`journal recover --allow-empty`).exit).toBe(0);
    expect(await desk.send("R-2")).toEqual([4]);
    expect(service.orders).toHaveLength(3);
  });

  test("starts on the day before the journal's last order, or at --from", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn, { world: { now: now - 20 * dayMs } });
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    const late = desk.at({ world: { now } });
    const from = async (flags: string) =>
      JSON.parse((await late.partner`journal recover --dry-run --json ${flags}`).stdout).from;
    expect(await from("")).toBe("2026-03-10");
    expect(await from("--from 2026-01-15")).toBe("2026-01-15");
    expect((await late.partner`journal recover --from 2026-04-01`).exit).toBe(2);
    const short = await late.partner`journal recover --dry-run --from 2026-03-20`;
    expect(short.stderr).toContain(
      "Orders may be missing since 2026-03-11. The days from 2026-03-11 to 2026-03-19 were not read.",
    );
    expect((await late.partner`journal recover --dry-run --from 2026-03-11`).stderr).not.toContain("were not read");
  });
});

const bad = [
  ["cut off", { answer: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n[{}," }],
  ["empty", { answer: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n" }],
  ["of no rows, though orders left", []],
  [
    "of rows of other days",
    [{ tranRefNo: "T-1", valueDate: "2019-03-31 10:00:00", narration: "old", amountDebited: 5, amountCredited: 0 }],
  ],
  ["an error", { answer: "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n" }],
  [
    "refused",
    {
      answer:
        'HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 46\r\n\r\n{"statusCode":404,"reason":"NOT_FOUND","details":{}}',
    },
  ],
  [
    "something else",
    { answer: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"rows":[1]' },
  ],
] as const;

test.for(bad)("a statement that is %s changes nothing", async ([, statement], { partnerIn, simulator }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const putBack = desk.backUp();
  await desk.send("R-2");
  putBack();
  const service = await serveStatements({ statements: { "9000112233": statement }, ignoresPeriods: true });
  const lied = desk.at({ environment: { ...service.environment, PARTNER_ACCOUNT_ID: simulator.accountId } });
  const { exit, stderr } = await lied.partner`journal recover --retries 0`;
  expect(exit).toBe(5);
  expect(stderr).toContain("Nothing was changed.");
  expect(seenIn(desk)).toEqual([]);
  expect(await desk.send("R-2")).toEqual([3]);
});

test("a statement that takes too long changes nothing", async ({ partnerIn, simulator }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const putBack = desk.backUp();
  await desk.send("R-2");
  putBack();
  const service = await serveStatements();
  const held = service.hold("9000112233");
  const slow = desk.at({ environment: { ...service.environment, PARTNER_ACCOUNT_ID: simulator.accountId } });
  expect((await slow.partner`journal recover --retries 0 --timeout 300ms`).exit).toBe(5);
  held.release();
  expect(seenIn(desk)).toEqual([]);
  expect(await desk.send("R-2")).toEqual([3]);
});

test("every reference of a row is kept: booked, in a tag, or at the end of the narration", async ({ partnerIn }) => {
  const row = { valueDate: "2026-03-31 10:00:00", amountDebited: 5, amountCredited: 0, debitOrCredit: "DR" };
  const service = await serveStatements({
    statements: {
      "9000112233": [
        { ...row, tranRefNo: "BOOKED-1", narration: "rent", balance: 1 },
        { ...row, tranRefNo: "X1", narration: "rent [TAG 1]", balance: 2 },
        { ...row, tranRefNo: "X2", narration: "rent for march LAST-1", balance: 3 },
        { ...row, tranRefNo: "X3", narration: "rent (LAST-2)", balance: 4 },
        { ...row, tranRefNo: "X4", narration: "rent [TAG-2]   ", balance: 6 },
        { ...row, tranRefNo: "X5", narration: "rent for april LAST-3  ", balance: 7 },
        { ...row, tranRefNo: "X6", narration: "TRF rent [TAG-3] /BR 015", balance: 8 },
        { ...row, tranRefNo: "FEE-1-PAYOUT", narration: "SERVICE FEE FOR REF:FEE-1 TXNID:1 x", balance: 5 },
      ],
      "0560066551200": [
        { tranRefNo: "PAID-1", valueDate: "2026-03-31 10:00:00", narration: "in", amountCredited: 5, balance: 5 },
      ],
    },
  });
  const desk = openDesk(partnerIn, { environment: service.environment });
  expect((await desk.partner`journal recover`).exit).toBe(0);
  const seen = seenIn(desk);
  expect(seen).toEqual(
    expect.arrayContaining(["BOOKED-1", "TAG 1", "LAST-1", "LAST-2", "TAG-2", "LAST-3", "TAG-3", "PAID-1"]),
  );
  expect(seen.filter((reference) => reference.startsWith("FEE-1"))).toEqual([]);
  expect(service.asked.map(({ accountNo }) => accountNo)).toHaveLength(5);
});
