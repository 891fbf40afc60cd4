import { describe, expect, test } from "vitest";
import { debit, serveStatements } from "../statements-served.ts";
import { accept } from "./service.ts";
import { saying } from "./teller.ts";
import { openTill } from "./till.ts";

// Two lost withdrawals are alike, and one row without an id fits both. One of them left while this machine's clock was
// wrong.

const paying = "9000112233";
const dayMs = 86_400_000;
/** Noon of 31 March at the service. */
const noon = Date.UTC(2026, 2, 31, 9);
const line = `withdraw --account ${paying} --amount 5 --narration payout --yes --again --check-statement never`;

describe.each([-30, -9, 9, 30])("with a clock that was wrong by %i days", (days) => {
  test("one row proves neither of two like orders, although by that clock only one of them is of its day", async () => {
    const service = await serveStatements({
      statements: { [paying]: [debit("5", { narration: "payout" })] },
      now: noon,
    });
    const till = openTill({ ...service.environment, PARTNER_ENVIRONMENT: "sandbox" });
    expect(await till.run(`${line} --reference R-1`, { now: noon + days * dayMs })).toMatchObject({ exit: 6 });
    expect(await till.run(`${line} --reference R-2`, { now: noon })).toMatchObject({ exit: 6 });
    const run = await till.run("journal resolve R-2 --json", { now: noon });
    expect(run).toMatchObject({ exit: 6, stdout: expect.stringContaining("R-1") });
  });
});

test.each([-9, 9, 30])(
  "a row proves no second order where a clock wrong by %i days dated the paid one",
  async (days) => {
    const service = await serveStatements({
      statements: { [paying]: [debit("5", { narration: "payout" })] },
      now: noon,
      react: accept,
    });
    const till = openTill({ ...service.environment, PARTNER_ENVIRONMENT: "sandbox" });
    expect(await till.run(`${line} --reference R-1`, { now: noon + days * dayMs })).toMatchObject({ exit: 0 });
    service.react(saying("500 Internal Server Error", ""));
    expect(await till.run(`${line} --reference R-2`, { now: noon })).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-2", { now: noon })).toMatchObject({ exit: 6 });
  },
);
