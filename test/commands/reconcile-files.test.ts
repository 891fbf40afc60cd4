import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { lacks } from "../statements/readers.ts";
import type { Line } from "./month.ts";
import { bookFile, october, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const browser = "chromium";
const workbookReader = "xlsx2csv";

const statement: readonly Line[] = [
  ["007", "2026-10-01", "+4567.25", "<script>alert(1)</script>"],
  ["1E5", "2026-10-02", "-0.10"],
  ["<b>X", "2026-10-03", "+5.00"],
];
const book =
  "reference,amount,date\n007,4567.25,2026-10-01\n1E5,-0.20,2026-10-02\n=cmd|' /C calc'!A0,9.00,2026-10-05\n";

test("a workbook contains the summary, the rows and the sources", async ({ skip }) => {
  const missing = lacks(workbookReader, "--version");
  if (missing !== undefined) skip(missing);
  const file = join(temporaryFolder(), "october.xlsx");
  const { exit, stdout, stderr, path } = await october(statement, book, `--save ${file}`);
  expect({ exit, stdout }).toEqual({ exit: 9, stdout: "" });
  expect(stderr).toContain("1 matched, 1 differing, 1 only in statement, 1 only in book, adds up");
  expect(sheet(file, 1)).toBe(
    [
      '"Reconciliation of 42, 2026-10-01 to 2026-10-31"',
      "The statement adds up.",
      "",
      "Class,Rows,Statement,Book,Difference",
      "matched,1,4567.25,4567.25,0",
      "differing,1,-0.1,-0.2,0.1",
      "net of fee,0,0,0,0",
      "probable,0,0,0,0",
      "ambiguous,0,0,0,0",
      "in transit,0,0,0,0",
      "only in statement,1,5,0,5",
      "only in book,1,0,9,-9",
      "fee not in book,0,0,0,0",
      "duplicate,0,0,0,0",
      "orphan fee,0,0,0,0",
      "ignored,0,0,0,0",
      "",
      "opening,,1000000",
      "+ credits,,4572.25",
      "− debits,,0.1",
      "− fees,0,0",
      "= closing,,1004572.15",
      "fees joined,0",
      "",
      "closing per statement,,1004572.15",
      "only in statement,,-5",
      "only in book,,9",
      "differences,,-0.1",
      "= should be in the book,,1004576.05",
      "",
    ].join("\n"),
  );
  expect(sheet(file, 2)).toBe(
    [
      "Class,Reference,Statement,Book,Difference,Date,Note,Narration,Counterparty,Statement row,Book line",
      "differing,1E5,-0.1,-0.2,0.1,2026-10-02,,n,,2,3",
      "only in statement,<b>X,5,,5,2026-10-03,,n,,3",
      "only in book,=cmd|' /C calc'!A0,,9,-9,2026-10-05,26 days old on 2026-10-31,,,,4",
      "matched,007,4567.25,4567.25,0,2026-10-01,,<script>alert(1)</script>,,1,2",
      "",
    ].join("\n"),
  );
  expect(sheet(file, 3)).toContain(`book,${path},3,`);
});

test("an HTML page escapes its texts, runs no script, and has the same bytes each time", async () => {
  const path = bookFile(book);
  const page = async (now: number) => {
    const file = join(temporaryFolder(), "october.html");
    const line = `reconcile --account 42 --month 2026-10 --book ${path} --save ${file}`;
    expect((await ask(line, ok(statementOf(statement)), { now })).exit).toBe(9);
    return readFileSync(file, "utf8");
  };
  const text = await page(Date.UTC(2026, 10, 20));
  expect(await page(Date.UTC(2031, 1, 1))).toBe(text);
  expect(text).toContain("<bdi>&lt;b&gt;X</bdi>");
  expect(text).not.toMatch(/<b>|<script|https?:/);
  expect(text).toContain("default-src 'none'");
  expect(text).toContain('<tr><th scope="row">only in book</th><td class="amount">1</td><td class="amount">0.00</td>');
});

test("an HTML page is shown by a browser with every row", async ({ skip }) => {
  const missing = lacks(browser, "--version");
  if (missing !== undefined) skip(missing);
  const file = join(temporaryFolder(), "october.html");
  await october(statement, book, `--save ${file}`);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${temporaryFolder()}`, "--dump-dom"];
  const { stdout } = spawnSync(browser, [...flags, `file://${file}`], { encoding: "utf8" });
  const cells = [...stdout.matchAll(/<td class="reference"><bdi>([^<]*)<\/bdi>/g)].map((match) => match[1]);
  expect(cells).toEqual(["1E5", "&lt;b&gt;X", "=cmd|' /C calc'!A0", "007"]);
});

test("a failing run writes no workbook", async () => {
  const file = join(temporaryFolder(), "october.xlsx");
  const { exit } = await october(statement, "reference,amount,date\nA,x,2026-10-01\n", `--save ${file}`);
  expect(exit).toBe(2);
  expect(() => readFileSync(file)).toThrow(/ENOENT/);
});

function sheet(file: string, number: number): string {
  const { stdout } = spawnSync(workbookReader, ["-s", String(number), file], { encoding: "utf8" });
  return stdout;
}
