import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { kinds } from "./kinds.ts";
import { accept } from "./service.ts";
import { openTill } from "./till.ts";

// The service with statements written by hand, as the program meets it.

const [transfer, withdraw, collect] = kinds;
const paid = debit("5", { narration: "rent [R-1]" });

describe("a hand-written statement", () => {
  test("decides an order without an answer, and the service records the request for it", async () => {
    const service = await serveStatements({ statements: { "9000112233": [debit("1", { narration: "fee" }), paid] } });
    const till = openTill(service.environment);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1 --json")).toMatchObject({ exit: 0 });
    expect(service.orders.map(({ path }) => path)).toEqual(["/transaction/transfer-local"]);
    expect(service.asked[0]).toMatchObject({ accountNo: "9000112233" });
    expect(await till.run("wallets list --json")).toMatchObject({ exit: 0 });
    expect(service.otherReads).toContain("GET /wallet");
  });

  test("may be written later than the order", async () => {
    const service = await serveStatements();
    const till = openTill(service.environment);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1 --json")).toMatchObject({ exit: 6 });
    service.write("9000112233", [paid]);
    expect(await till.run("journal resolve R-1 --json")).toMatchObject({ exit: 0 });
  });

  test("shows rows of the requested days, and others only when the service ignores the days", async () => {
    const rows = [debit("5", { narration: "rent", valueDate: "2024-01-01 00:00:00" }), debit("6")];
    for (const ignoresPeriods of [false, true]) {
      const service = await serveStatements({ statements: { "9000112233": rows }, ignoresPeriods });
      const till = openTill(service.environment);
      const { stdout } = await till.run("wallet statement 9000112233 --month 2026-03 --json");
      expect(JSON.parse(stdout)).toHaveLength(ignoresPeriods ? 2 : 1);
    }
  });

  test("is served byte for byte", async () => {
    const text = '{"tranRefNo":"A","valueDate":"2026-03-31","amountDebited":5.00,"amountCredited":""}';
    const service = await serveStatements({ statements: { "9000112233": [text, credit("7.10", { balance: null })] } });
    const till = openTill(service.environment);
    const { stdout } = await till.run("wallet statement 9000112233 --month 2026-03 --json");
    expect(stdout).toContain('"amountDebited": 5.00');
    expect(stdout).toContain('"amountCredited": 7.10');
  });

  test("may be something else than a statement", async () => {
    const service = await serveStatements({ statements: { "9000112233": { answer: answer("403 Forbidden", "") } } });
    const till = openTill(service.environment);
    const { exit, stdout } = await till.run("wallet statement 9000112233 --month 2026-03 --json");
    expect([exit, stdout]).toEqual([3, ""]);
  });

  test("waits until the test releases it", async () => {
    const service = await serveStatements({ statements: { "9000112233": [paid] } });
    const till = openTill(service.environment);
    const held = service.hold("9000112233");
    let hasEnded = false;
    const run = till.run("wallet statement 9000112233 --month 2026-03 --json").finally(() => (hasEnded = true));
    await held.asked;
    expect(hasEnded).toBe(false);
    held.release();
    expect(await run).toMatchObject({ exit: 0 });
    expect(await till.run("wallet statement 9000112233 --month 2026-03 --json")).toMatchObject({ exit: 0 });
  });

  test("waits as well when it is the list of wallets", async () => {
    const service = await serveStatements();
    const held = service.holdWallets();
    const run = openTill(service.environment).run("wallets list --json");
    await held.asked;
    held.release();
    expect(JSON.parse((await run).stdout)).toHaveLength(5);
  });
});

test.for([transfer, withdraw, collect])("a $kind gets the answer that the test sets", async (kind) => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  expect(await till.run(kind?.line("R-1") ?? "")).toMatchObject({ exit: 0 });
  expect(service.orders.map(({ path }) => path)).toEqual([kind?.path]);
});
