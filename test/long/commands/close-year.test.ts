import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Line } from "../../commands/ledger-desk.ts";
import { ledgerDesk } from "../../commands/ledger-desk.ts";

const wallet = "9000112233";
const months = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, "0")}`);
const lines: readonly Line[] = months.flatMap((month, index) => [
  { ref: `IN-${month}`, day: `${month}-03`, amount: 1000 + index },
  { ref: `IN-${month}-PAYIN`, day: `${month}-03`, amount: -20, narration: `SERVICE FEE FOR REF:IN-${month} TXNID:T` },
  { ref: `OUT-${month}`, day: `${month}-20`, amount: -500, narration: "rent" },
]);

/** The day on which a month is closed: the fifth of the next one. */
function closingDay(month: string): string {
  const at = months.indexOf(month) + 1;
  return `${months[at] ?? "2027-01"}-05`;
}

test("a year is closed month by month, each opening with the earlier closing, and one late row is found", async () => {
  const desk = await ledgerDesk();
  const late: Line = { ref: "LATE", day: "2026-04-10", amount: 7 };
  const close = async (month: string, isLate: boolean) => {
    const seen = lines.filter(({ day }) => day < closingDay(month));
    const at = seen.findIndex(({ day }) => day > late.day);
    desk.write({ [wallet]: { lines: isLate ? [...seen.slice(0, at), late, ...seen.slice(at)] : seen } });
    const line = `close --month ${month} --to ${desk.folder}/${month} --csv --columns opening,closing --no-header`;
    if (isLate) await desk.onDay(closingDay(month), "ledger sync --start-date 2026-01-01");
    return desk.onDay(closingDay(month), line);
  };
  let opening = "0.00";
  for (const month of months.slice(0, 8)) {
    const { exit, stdout } = await close(month, false);
    const [first, closing = ""] = stdout.trimEnd().split(",");
    expect({ month, exit, opening: first }).toEqual({ month, exit: 0, opening });
    opening = closing;
  }
  const found = await close("2026-09", true);
  expect(found.exit).toBe(9);
  expect(found.stderr).toContain(`The closed month 2026-04 has changed: ${wallet} LATE came late.`);
  for (const month of months.slice(3, 8))
    expect(await desk.onDay("2026-10-06", `close --month ${month} --to ${desk.folder}/${month}`)).toMatchObject({
      exit: month === "2026-04" ? 9 : 0,
    });
  for (const month of months.slice(8)) expect((await close(month, true)).exit).toBe(0);
  const folders = readdirSync(desk.folder).filter((name) => name.startsWith("2026-"));
  expect(folders).toHaveLength(12 + 6);
});
