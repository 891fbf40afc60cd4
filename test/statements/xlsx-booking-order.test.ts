import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Told } from "./told.ts";
import { exported, statementBody } from "./told.ts";

/** A credit of 1.00 with the balance after it. */
function credit(ref: string, day: string, balance: string): Told {
  return { ref, at: `2026-02-${day} 08:00:00`, amount: "1.00", balance };
}

/** Name, value and formula of opening and closing in the summary. */
async function summaryOf(rows: readonly Told[]): Promise<unknown[]> {
  const path = join(temporaryFolder(), "statement.xlsx");
  const ended = await exported("", "wallet", statementBody("wallet", rows), { flags: `--save ${path}` });
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  const [, summary] = (await readXlsx(readFileSync(path))).sheets;
  return (summary?.rows ?? []).flatMap(([name, value], place) =>
    name === "Opening" || name === "Closing" ? [[name, value, summary?.cells?.get(`${place},1`)?.formula]] : [],
  );
}

test("opening and closing are fixed values when formulas would use the wrong rows", async () => {
  // Booked as A, B, V; V has an earlier value date and comes first.
  const sorted = [credit("V", "10", "1003.00"), credit("A", "11", "1001.00"), credit("B", "12", "1002.00")];
  expect(await summaryOf(sorted)).toEqual([
    ["Opening", 1000, undefined],
    ["Closing", 1003, undefined],
  ]);
});

test("opening and closing are formulas over the first and last row, even after a break", async () => {
  expect(await summaryOf([credit("A", "10", "1001.00"), credit("B", "11", "1007.00")])).toEqual([
    ["Opening", 1000, "'Statement'!H8-'Statement'!F8+'Statement'!G8"],
    ["Closing", 1007, "'Statement'!H9"],
  ]);
});
