import { readFileSync } from "node:fs";
import { readXlsx } from "hucre/xlsx";
import { expect } from "vitest";
import { test } from "../simulated.ts";
import { openDesk, payouts, transfers } from "./batch-service.ts";

const noon = new Date("2026-03-31T12:00:00Z");

/** The rows of a workbook's only sheet, as another reader finds them. */
async function rowsOf(path: string) {
  const { sheets } = await readXlsx(readFileSync(path));
  expect(sheets).toHaveLength(1);
  return sheets[0]?.rows ?? [];
}

test("lists are written as workbooks, with ids as text, amounts as numbers and times as dates", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(transfers(2, (index) => 5 + index));
  const { stderr } = await partner`batch run ${file} ${payouts} --yes --csv`;
  const [, id = ""] = /Batch ([0-9a-f]{16}): 2 rows/.exec(stderr) ?? [];
  const path = (name: string) => `${desk.folder}/${name}.xlsx`;

  const wallets = await partner`wallets list --save ${path("wallets")}`;
  expect(wallets).toMatchObject({ exit: 0, stdout: "" });
  const [names = [], ...rows] = await rowsOf(path("wallets"));
  const first = rows.find((row) => row[names.indexOf("account")] === "9000112233") ?? [];
  expect(typeof first[names.indexOf("balance")]).toBe("number");
  expect(rows.map((row) => row[names.indexOf("account")])).toContain("0560066551200");

  expect(await partner`journal list --save ${path("journal")}`).toMatchObject({ exit: 0 });
  const [titles = [], ...orders] = await rowsOf(path("journal"));
  expect(orders.map((row) => [row[titles.indexOf("reference")], row[titles.indexOf("amount")]])).toEqual([
    ["R-1", 5],
    ["R-2", 6],
  ]);
  // Noon in Dar es Salaam.
  expect(orders.map((row) => row[titles.indexOf("opened")])).toEqual([noon, noon]);

  expect(await partner`batch report ${id} --save ${path("report")}`).toMatchObject({ exit: 0 });
  const [heads = [], ...sent] = await rowsOf(path("report"));
  expect(sent.map((row) => row[heads.indexOf("state")])).toEqual(["accepted", "accepted"]);

  expect(await partner`webhook inbox list --output xlsx --save ${path("inbox")}`).toMatchObject({ exit: 0 });
  expect(await rowsOf(path("inbox"))).toHaveLength(1);
});

test("a list as a workbook has the same bytes each time, no formula of ours or others, and is not printed on a terminal", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const formula = "=1+2";
  const order = `transfer --from 9000112233 --to 9000112244 --amount 5 --description ${formula} --reference ${formula}`;
  expect(await partner`${order} --yes`).toMatchObject({ exit: 0 });
  for (const name of ["one", "two"]) await partner`journal list --save ${desk.folder}/${name}.xlsx`;
  expect(readFileSync(`${desk.folder}/one.xlsx`).equals(readFileSync(`${desk.folder}/two.xlsx`))).toBe(true);
  const { sheets } = await readXlsx(readFileSync(`${desk.folder}/one.xlsx`));
  expect(sheets[0]?.rows.flat()).toContain(formula);
  expect([...(sheets[0]?.cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)).toEqual([]);
  const shown = await partnerIn({ ...desk, terminal: { stdout: true } })`wallets list --output xlsx`;
  expect(shown).toMatchObject({ exit: 2, stdout: "" });
  const chosen = await partner`wallets list --columns balance --save ${desk.folder}/w.xlsx`;
  expect(chosen.stderr).toContain("--columns cannot be used with xlsx");
});
