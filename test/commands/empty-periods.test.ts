import { describe, expect } from "vitest";
import { test } from "../simulated.ts";

const terminal = { stdout: true };
/** A month before the wallet's first row, and a day after its last one. */
const quiet = { before: "--month 2020-01", today: "--today" };

describe("a period without rows", () => {
  test.for(Object.values(quiet))(
    "shows on a terminal what the wallet held throughout: %s",
    async (period, { partnerIn }) => {
      const partner = partnerIn({ terminal });
      // A wallet without rows today holds its current balance; before its first row, it held its opening balance.
      const wallet = "0720011223344";
      const { currentBalance, currencyCode } = JSON.parse((await partner`wallet balance ${wallet} --json`).stdout);
      const { exit, stdout, stderr } = await partner`wallet statement ${wallet} ${period}`;
      expect(exit).toBe(0);
      const lines = stdout.trimEnd().split("\n");
      expect(lines.map((line) => line.split(/ +/)[0])).toEqual(["opening", "credits", "debits", "closing"]);
      const [opening, credits, debits, closing] = lines.map((line) => line.split(/ +/).slice(1).join(" "));
      expect([credits, debits, closing]).toEqual([`${currencyCode} 0.00`, `${currencyCode} 0.00`, opening]);
      if (period === quiet.today) expect(opening?.replaceAll(/[^\d.]/g, "")).toBe(Number(currentBalance).toFixed(2));
      expect(stderr).toMatch(
        /\nNothing moved through 0720011223344 (?:on|from) [^\n]+\.\n0 rows, \+0\.00 −0\.00, adds up\n$/,
      );
    },
  );

  test("shows no balance off a terminal", async ({ partner }) => {
    const { stdout, stderr } = await partner`wallet statement 0720011223344 --month 2020-01`;
    expect([stdout, stderr]).toEqual([
      "",
      "Period: 2020-01-01 to 2020-01-31\nNothing moved through 0720011223344 from 2020-01-01 to 2020-01-31.\n0 rows, +0.00 −0.00, adds up\n",
    ]);
  });

  test("shows the same for a merchant account", async ({ partnerIn }) => {
    const { stdout } = await partnerIn({ terminal })`account statement 0150387654321 --month 2020-01`;
    expect(stdout).toMatch(/^opening +([\d,.]+)\ncredits +0\.00\ndebits +0\.00\nclosing +\1\n$/);
  });

  test("is shown without a balance when the service does not give it", async ({ partnerIn, faults }) => {
    faults.plan("fail-request=wallet-balance");
    const { exit, stdout, stderr } = await partnerIn({ terminal })`wallet statement 0720011223344 --today`;
    expect([exit, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("0 rows, +0.00 −0.00, adds up\n");
  });
});
