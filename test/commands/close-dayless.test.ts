import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";

/** October closed for a wallet with a row without a value date: how the run ended, and its folder. */
async function closed(flags: string) {
  const { onDay, write } = await ledgerDesk();
  write({
    [wallet]: {
      lines: [
        { ref: "A", day: "2026-10-01" },
        { ref: "N", day: "2026-10-01", amount: -7, more: { valueDate: "" } },
        { ref: "B", day: "2026-10-05", amount: -30 },
      ],
    },
  });
  const to = join(temporaryFolder(), "close-2026-10");
  const ended = await onDay("2026-11-03", `close --month 2026-10 --to ${to} --csv ${flags}`);
  return { ...ended, to };
}

test("a month with a row without a value date is closed with workbooks that show the row, and with Parquet", async () => {
  const { exit, to } = await closed("--formats xlsx,parquet");
  expect(exit).toBe(0);
  const { sheets } = await readXlsx(readFileSync(join(to, "statements", `${wallet}.xlsx`)));
  const rows = sheets[0]?.rows.filter(([reference]) => ["A", "N", "B"].includes(String(reference))) ?? [];
  expect(rows.map(([reference, valueDate]) => [reference, valueDate instanceof Date])).toEqual([
    ["A", true],
    ["N", false],
    ["B", true],
  ]);
  expect(sheets[0]?.rows.flat()).toContain('Does not add up: row 2 ("N"): value date "" isn\'t a day');
  expect(existsSync(join(to, "statements", `${wallet}.parquet`))).toBe(true);
});

test("a format that needs a day for each row is left out of the folder, which says why", async () => {
  const words = `${wallet}: No ofx file can be made from this statement: row 2 ("N"): value date "" isn't a day.`;
  const { exit, stdout, stderr, to } = await closed("--formats ofx,xlsx");
  expect([exit, stderr]).toEqual([9, expect.stringContaining(words)]);
  expect(stdout).toContain("No ofx file can be made from this statement");
  const { files } = JSON.parse(readFileSync(join(to, "manifest.json"), "utf8"));
  expect(files.map(({ path }: { path: string }) => path)).toEqual([
    "close.html",
    "close.xlsx",
    `statements/${wallet}.csv`,
    `statements/${wallet}.xlsx`,
  ]);
  expect(readFileSync(join(to, "close.html"), "utf8")).toContain("No ofx file can be made from this statement");
  expect(existsSync(join(to, "statements", `${wallet}.ofx`))).toBe(false);
  const strict = await closed("--formats ofx --strict");
  expect([strict.exit, existsSync(strict.to)]).toEqual([9, false]);
});
