import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";
import type { Line } from "./month.ts";
import { october } from "./month.ts";

const statement: readonly Line[] = [
  ["A", "2026-10-01", "+25000.00"],
  ["B", "2026-10-02", "-1250000.00"],
];
const thousands = "reference;amount;date\nA;25.000;2026-10-01\nB;-1.250.000;2026-10-02\n";
const quiet = "--csv --columns class,reference,bookAmount --no-header";

test("25.000 in a book is refused as ambiguous: both readings are named, with the flag for each", async () => {
  const book = "reference,amount,date\nA,25.000,2026-10-01\nB,(1.500),2026-10-02\nC,1000.000,2026-10-03\n";
  const { exit, stdout, stderr, requests } = await october(statement, book);
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr.split("\n").filter((line) => line.startsWith("  "))).toEqual([
    `  line 2, amount: "25.000" is ambiguous (25000 or 25?): add --book-decimal comma, or --book-decimal point`,
    `  line 3, amount: "(1.500)" is ambiguous (-1500 or -1.5?): add --book-decimal comma, or --book-decimal point`,
  ]);
});

test("a book with points between thousands is refused with the flag to read it", async () => {
  const { exit, stderr } = await october(statement, "reference;amount;date\nB;-1.250.000;2026-10-02\n");
  expect(exit).toBe(2);
  expect(stderr).toContain(
    `line 2, amount: "-1.250.000" has separators between its digits: if all are meant so, add --book-decimal comma`,
  );
});

test.each(["--book-thousands .", "--book-decimal comma", "--book-thousands . --book-decimal comma"])(
  "with %s, 25.000 in a book is 25,000",
  async (flags) => {
    const { exit, stdout } = await october(statement, thousands, `${flags} ${quiet}`);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "matched,A,25000\nmatched,B,-1250000\n" });
  },
);

test("with --book-decimal point, 25.000 in a book is 25", async () => {
  const book = "reference,amount,date\nA,25.000,2026-10-01\n";
  const { exit, stdout } = await october([["A", "2026-10-01", "+25.00"]], book, `--book-decimal point ${quiet}`);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "matched,A,25.000\n" });
});

test.each([
  ["--book-thousands . --book-decimal point", "point"],
  ["--book-thousands , --book-decimal comma", "comma"],
])("the same mark cannot separate both thousands and decimals: %s", async (flags, mark) => {
  const { exit, stderr, requests } = await october(statement, thousands, flags);
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain(`A ${mark} cannot be both the separator of a book's thousands and its decimal mark.`);
});

test("close suggests profile settings for an ambiguous book, and with them it succeeds", async () => {
  const desk = await ledgerDesk();
  desk.write({ "9000112233": { lines: [{ ref: "A", day: "2026-09-02", amount: 25_000 }] } });
  const { environment, folder } = desk;
  const [secrets, book] = [join(folder, "secrets.json"), join(folder, "9000112233.csv")];
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  writeFileSync(book, "reference;amount;date\nA;25.000;02/09/2026\n");
  const inFolder = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const type = (line: string) => desk.onDay("2026-10-06", line, inFolder);
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL} --account-id a`;
  await type(`profile add shop ${at} --secrets-from ${secrets}`);
  await type(`profile set shop book.path=${folder}/{account}.csv`);
  const { exit, stderr } = await type("close --month 2026-09 --check -p shop");
  expect(exit).toBe(2);
  const way = "partner profile set shop book.decimal=comma book.dateFormat=DD/MM/YYYY";
  expect(stderr).toContain(
    `Hint: For close, set it in the profile: ${way} (or book.decimal=point, or book.dateFormat=MM/DD/YYYY). Or correct the file.\n`,
  );
  await type(way.slice("partner ".length));
  expect(await type("close --month 2026-09 --check -p shop")).toMatchObject({ exit: 0 });
});
