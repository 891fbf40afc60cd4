import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { row, xlsx } from "../sheets/xlsx-files.ts";
import { test } from "../simulated.ts";
import { column, movedEach, openDesk, payouts } from "./batch-service.ts";

const header = row(1, "reference", "amount");
/** Rows as people type them: references as text, amounts as numbers. */
const two = `${header}${row(2, "R-1", 5)}${row(3, "R-2", 7)}`;

test("a workbook is checked, sent and reported like a CSV file, and each row is sent once", async ({
  simulator,
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(await xlsx({ sheets: { Pay: two } }), "pay.xlsx");
  const check = await partner`batch check ${file} ${payouts} --json`;
  expect(check).toMatchObject({ exit: 0 });
  const { batch } = JSON.parse(check.stdout);
  const report = join(desk.folder, "out.csv");
  const run =
    await partner`batch run ${file} ${payouts} --yes --csv --expect-count 2 --expect-total TZS=12 --report ${report}`;
  expect(run).toMatchObject({ exit: 0 });
  expect(column(run.stdout, "amount")).toEqual(["5", "7"]);
  expect(column(run.stdout, "state")).toEqual(["accepted", "accepted"]);
  expect(readFileSync(report, "utf8")).toBe(run.stdout);
  expect(await partner`batch run ${file} ${payouts} --yes --csv`).toMatchObject({ exit: 0, stdout: run.stdout });
  expect(await partner`batch report ${batch} --csv`).toMatchObject({ exit: 0, stdout: run.stdout });
  expect(movedEach(simulator, 2)).toEqual([1, 1]);
});

test("the same payments in a CSV file and in two sheets of a workbook move the money once", async ({
  simulator,
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const csv = desk.write("\uFEFFsep=;\r\nReference;AMOUNT;;\r\n\r\nR-1;5.00;;\r\nR-2;7;;\r\n;;;\r\n", "pay.csv");
  const book = desk.write(await xlsx({ sheets: { Pay: two, Again: two } }), "pay.xlsx");
  const first = await partner`batch run ${csv} ${payouts} --yes --csv`;
  expect(first).toMatchObject({ exit: 0 });
  for (const sheet of ["Pay", "Again"]) {
    const again = await partner`batch run ${book} --sheet ${sheet} ${payouts} --yes --csv`;
    expect(again).toMatchObject({ exit: 0 });
    expect(column(again.stdout, "id")).toEqual(column(first.stdout, "id"));
  }
  expect(movedEach(simulator, 2)).toEqual([1, 1]);
});

test("a workbook with several sheets is refused with their names until --sheet is given", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write(await xlsx({ sheets: { Pay: two, Lists: row(1, "x") } }), "pay.xlsx");
  const run = await partnerIn(desk)`batch check ${file} ${payouts}`;
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain('it has 2 sheets: "Pay", "Lists".\nHint: Say which: --sheet NAME');
});

test("all faults of a workbook are reported at once, with sheet and cell or with line", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const rows = [
    header,
    '<row r="2"><c r="A2" t="inlineStr"><is><t>R-1</t></is></c><c r="B2" t="e"><v>#REF!</v></c></row>',
    '<row r="3"><c r="A3" t="inlineStr"><is><t>R-2</t></is></c><c r="B3"><f>B2*2</f></c></row>',
    '<row r="4" hidden="1"><c r="A4" t="inlineStr"><is><t>R-3</t></is></c><c r="B4"><v>5</v></c></row>',
    row(5, "R-4", 5.5),
    row(6, "R-5", "1E+06"),
    row(7, "R-6"),
    row(8, "R-7", 5, "note"),
  ];
  const after = '<mergeCells><mergeCell ref="A7:A8"/></mergeCells>';
  const file = desk.write(await xlsx({ sheets: { Pay: rows.join("") }, after }), "pay.xlsx");
  const { exit, stdout, stderr } = await partnerIn(desk)`batch run ${file} ${payouts} --yes`;
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr.replaceAll(`${desk.folder}/`, "")).toBe(`Error: pay.xlsx has 8 faults in 3 lines; nothing was sent.
  Pay!B2: is an error, "#REF!"
  Pay!B3: is a formula without a stored value; open the file in a spreadsheet and save it
  line 4: is hidden in the sheet: show it, or delete it
  line 5, amount: "5.5" is not a whole number
  line 6, amount: "1E+06" is a number that a spreadsheet shortened; format the column as text and enter it again
  line 7, amount: is empty
  Pay!C8: has no heading: its column has no name
  Pay!A7:A8: is merged
No money moved.
Hint: Correct them in the spreadsheet, save it, and run the same command again.
`);
  expect(movedEach(simulator, 7)).not.toContain(1);
});
