import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Told } from "./told.ts";
import { exported, statementBody } from "./told.ts";

/** A credit of 1.00 after which the wallet held that. */
function credit(ref: string, day: string, balance: string): Told {
  return { ref, at: `2026-02-${day} 08:00:00`, amount: "1.00", balance };
}

/** Name, value and formula of the cells of the summary's first four amounts. */
async function summaryOf(rows: readonly Told[]): Promise<unknown[]> {
  const path = join(temporaryFolder(), "statement.xlsx");
  const ended = await exported("", "wallet", statementBody("wallet", rows), { flags: `--save ${path}` });
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  const [, summary] = (await readXlsx(readFileSync(path))).sheets;
  return (summary?.rows ?? []).flatMap(([name, value], place) =>
    name === "Opening" || name === "Closing" ? [[name, value, summary?.cells?.get(`${place},1`)?.formula]] : [],
  );
}

test("a workbook's opening and closing stay as they are, where a spreadsheet would reckon them from other rows", async () => {
  // Booked as A, B, V; V has a value date of before and stands first.
  const sorted = [credit("V", "10", "1003.00"), credit("A", "11", "1001.00"), credit("B", "12", "1002.00")];
  expect(await summaryOf(sorted)).toEqual([
    ["Opening", 1000, undefined],
    ["Closing", 1003, undefined],
  ]);
});

test("a workbook reckons opening and closing from the first and the last row, also behind a break", async () => {
  expect(await summaryOf([credit("A", "10", "1001.00"), credit("B", "11", "1007.00")])).toEqual([
    ["Opening", 1000, "'Statement'!H8-'Statement'!F8+'Statement'!G8"],
    ["Closing", 1007, "'Statement'!H9"],
  ]);
});
