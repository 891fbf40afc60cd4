import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("a year is closed month by month, each opening with the closing before it, and one late row is found", async () => {
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

test("--all-profiles closes each into a folder of its own; one that fails is named and the others are done", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: lines.slice(0, 3) } });
  const { environment, folder } = desk;
  const [secrets, odd] = [join(folder, "secrets.json"), join(folder, "none.json")];
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  writeFileSync(odd, "{}");
  const world = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL}`;
  for (const [name, id, file] of [
    ["lake", "a", secrets],
    ["shop", "b", secrets],
    ["till", "c", odd],
  ])
    await desk.onDay("2026-02-05", `profile add ${name} ${at} --account-id ${id} --secrets-from ${file}`, world);
  const line = `close --month 2026-01 --to ${folder}/jan --all-profiles --csv --columns profile,account,closing,state`;
  const { exit, stdout, stderr } = await desk.onDay("2026-02-05", line, world);
  expect(exit).toBe(3);
  expect(stdout).toBe(`profile,account,closing,state\nlake,${wallet},480.00,proved\nshop,${wallet},480.00,proved\n`);
  expect(stderr).toContain("1 of 3 profiles failed. till: ");
  await desk.onDay("2026-02-05", `profile set shop book.path=${folder}/none-{account}.csv`, world);
  const checked = await desk.onDay("2026-02-05", `${line} --check`, world);
  expect(checked.stderr).toContain("lake: January 2026 holds; nothing was written.\nshop: Nothing was written.\n");
  expect(["jan-lake", "jan-shop", "jan-till"].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    true,
    false,
  ]);
});
