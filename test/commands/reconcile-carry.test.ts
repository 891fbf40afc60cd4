import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { serveStatements } from "../statements-served.ts";
import type { Line } from "./month.ts";
import { bookFile, rowsOf } from "./month.ts";
import { ask } from "./served.ts";

const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

/** Reconciles a month with open items carried in a file; the bank has these rows by then. */
async function reconcile(month: string, bank: readonly Line[], book: string, flags: string) {
  const path = bookFile(`reference,amount,date\n${book}`);
  const service = await serveStatements({ statements: { "42": rowsOf(bank) } });
  const line = `reconcile --account 42 --month ${month} --book ${path} ${flags}`;
  const ended = await run(words(line), { environment: service.environment, now: Date.UTC(2026, 10, 20, 9) });
  return { ...ended, requests: service.asked };
}

test("items in transit at the end of September are cleared in October, and each month can be repeated", async () => {
  const carry = join(temporaryFolder(), "open.json");
  const september: readonly Line[] = [
    ["SALES-1", "2026-09-10", "+100.00"],
    ["BANK-FIRST", "2026-09-30", "+40.00"],
  ];
  const first = await reconcile(
    "2026-09",
    september,
    "SALES-1,100.00,2026-09-10\nCHQ-9,-70.00,2026-09-30\nBANK-FIRST,40.00,2026-10-02\n",
    `--carry ${carry} ${shown}`,
  );
  expect(first.exit).toBe(0);
  expect(first.stdout).toBe(
    'in transit,BANK-FIRST,40.00,,"in the book BANK-FIRST on 2026-10-02, after the period"\n' +
      "in transit,CHQ-9,,-70.00,not in the statement yet\nmatched,SALES-1,100.00,100.00,\n",
  );
  const kept = readFileSync(carry, "utf8");
  const october: readonly Line[] = [...september, ["CHQ-9", "2026-10-03", "-70.00"]];
  // A book with October alone.
  const second = await reconcile("2026-10", october, "BANK-FIRST,40.00,2026-10-02\n", `--carry ${carry} ${shown}`);
  expect({ exit: second.exit, stderr: second.stderr.split("\n")[1] }).toEqual({
    exit: 0,
    stderr: "2 matched, adds up",
  });
  expect(second.stdout).toBe(
    "matched,BANK-FIRST,40.00,40.00,in the book on 2026-10-02; carried from 2026-09\nmatched,CHQ-9,-70.00,-70.00,in the book on 2026-09-30; carried from 2026-09\n",
  );
  expect(JSON.parse(readFileSync(carry, "utf8")).months["2026-10"]).toEqual([]);
  await reconcile(
    "2026-09",
    september,
    "SALES-1,100.00,2026-09-10\nCHQ-9,-70.00,2026-09-30\nBANK-FIRST,40.00,2026-10-02\n",
    `--carry ${carry}`,
  );
  const { months } = JSON.parse(readFileSync(carry, "utf8"));
  expect(Object.keys(months)).toEqual(["2026-09", "2026-10"]);
  expect(months["2026-09"]).toEqual(JSON.parse(kept).months["2026-09"]);
  const again = await reconcile("2026-10", october, "BANK-FIRST,40.00,2026-10-02\n", `--carry ${carry} ${shown}`);
  expect({ ...again }).toMatchObject({ exit: 0, stdout: second.stdout });
});

test("open items are reported every month, and the balances still agree", async () => {
  const carry = join(temporaryFolder(), "open.json");
  const more = (opening: string) => `--book-opening ${opening} --carry ${carry} --json --quiet`;
  const september: readonly Line[] = [["CHARGE", "2026-09-04", "-15.00", "Bank charge"]];
  const first = await reconcile("2026-09", september, "CHQ-1,-200.00,2026-09-05\n", more("1000000.00"));
  expect(first.exit).toBe(9);
  expect(JSON.parse(first.stdout)).toMatchObject({ closing: 999985, closingPerBook: 999800, unexplained: 0 });
  const second = await reconcile(
    "2026-10",
    [...september, ["SALE", "2026-10-05", "+15.00"], ["REFUND", "2026-10-06", "+1.00"]],
    "SALE,15.00,2026-10-05\n",
    more("999800.00"),
  );
  const { rows, unexplained } = JSON.parse(second.stdout);
  expect(unexplained).toBe(0);
  expect(rows.map((row: Record<string, unknown>) => [row["class"], row["reference"], row["note"]])).toEqual([
    ["only in statement", "REFUND", ""],
    ["only in statement", "CHARGE", "carried from 2026-09"],
    ["only in book", "CHQ-1", "56 days old on 2026-10-31; carried from 2026-09"],
    ["matched", "SALE", ""],
  ]);
});

test("a carry file that is damaged, skips a month or belongs to another account is refused", async () => {
  const folder = temporaryFolder();
  const [carry, save] = [join(folder, "open.json"), join(folder, "result.csv")];
  const refused = async (text: string, month = "2026-10") => {
    writeFileSync(carry, text);
    const { exit, stdout, stderr, requests } = await reconcile(month, [], "", `--carry ${carry} --save ${save}`);
    expect({ exit, stdout, requests, isSaved: existsSync(save) }).toEqual({
      exit: 2,
      stdout: "",
      requests: [],
      isSaved: false,
    });
    expect(readFileSync(carry, "utf8")).toBe(text);
    return stderr;
  };
  expect(await refused('{\n  "version": 1,\n  "account": "43",\n  "months": {}\n}\n')).toContain(
    'line 3, column 14: it holds the open items of account "43", and this is "42".',
  );
  expect(await refused('{"version":1,"account":"42","months":{"2026-08":[]}}')).toContain(
    "The open items of 2026-09 are not known: 2026-08 was carried last, and this is 2026-10.",
  );
  expect(await refused('{"version":1,"account":"42","months":{"2026-09":[{"side":"bank"}]}}')).toContain(
    "line 1, column 50: an item is neither of the statement nor of the book.",
  );
  const openWith = (more: string) =>
    refused(
      `{"version":1,"account":"42","months":{"2026-09":[{"side":"book","reference":"B","amount":5.00,"date":"2026-09-30",${more}}]}}`,
    );
  for (const settled of ["-3", "1.5", "1e400", '"2"'])
    expect(await openWith(`"since":"2026-09","settled":${settled}`)).toContain(
      "line 1, column 50: settled is how many entries of the book, as a whole number.",
    );
  expect(await openWith('"since":"2026-12"')).toContain(
    "line 1, column 50: an item is open since a later month than its own.",
  );
  expect(await refused("{")).toMatch(/line 1, column 2: .*[^.]\.\n/);
});

test("--carry requires a whole month", async () => {
  const path = bookFile("reference,amount,date\n");
  const { exit, stderr } = await ask(`reconcile --account 42 --last 7d --book ${path} --carry open.json`);
  expect(exit).toBe(2);
  expect(stderr).toContain("--carry keeps open items by month, and the period is not a whole month.");
});

test("an entry matched in an earlier month does not match this month's row", async () => {
  const carry = join(temporaryFolder(), "open.json");
  const september: readonly Line[] = [["RENT", "2026-09-05", "-500.00"]];
  const book = "RENT,-500.00,2026-09-05\n";
  const first = await reconcile("2026-09", september, book, `--carry ${carry} ${shown}`);
  expect(first).toMatchObject({ exit: 0, stdout: "matched,RENT,-500.00,-500.00,\n" });
  // The rent of October is not booked.
  const october: readonly Line[] = [...september, ["RENT", "2026-10-05", "-500.00"]];
  const second = await reconcile("2026-10", october, book, `--carry ${carry} ${shown}`);
  expect(second).toMatchObject({
    exit: 9,
    stdout: "probable,RENT,-500.00,-500.00,in the book RENT on 2026-09-05\n",
  });
  const third = await reconcile("2026-10", october, `${book}RENT,-500.00,2026-10-06\n`, `--carry ${carry} ${shown}`);
  expect(third).toMatchObject({ exit: 0, stdout: "matched,RENT,-500.00,-500.00,\n" });
});

test("a payment that the bank took twice stays open until a second entry is booked", async () => {
  const carry = join(temporaryFolder(), "open.json");
  const september: readonly Line[] = [
    ["RENT", "2026-09-05", "-500.00"],
    ["RENT", "2026-09-06", "-500.00"],
  ];
  const book = "RENT,-500.00,2026-09-05\n";
  expect((await reconcile("2026-09", september, book, `--carry ${carry} ${shown}`)).exit).toBe(9);
  const second = await reconcile("2026-10", september, book, `--carry ${carry} ${shown}`);
  expect(second).toMatchObject({ exit: 9, stdout: "only in statement,RENT,-500.00,,carried from 2026-09\n" });
  // The correction has a date in September.
  const third = await reconcile("2026-10", september, `${book}RENT,-500.00,2026-09-20\n`, `--carry ${carry} ${shown}`);
  expect(third.exit).toBe(0);
  expect(third.stdout).toMatch(/^matched,RENT,-500\.00,-500\.00,in the book on 2026-09-\d\d; carried from 2026-09\n$/);
});

test("a difference is not cleared by the entry that caused it", async () => {
  const carry = join(temporaryFolder(), "open.json");
  const september: readonly Line[] = [["Q1", "2026-09-16", "+20.00"]];
  const half = "Q1,10.00,2026-09-15\n";
  expect((await reconcile("2026-09", september, half, `--carry ${carry} ${shown}`)).exit).toBe(9);
  const second = await reconcile("2026-10", september, half, `--carry ${carry} ${shown}`);
  expect(second).toMatchObject({ exit: 9, stdout: "only in statement,Q1,10.00,,carried from 2026-09\n" });
  const third = await reconcile("2026-10", september, `${half}Q1,10.00,2026-10-01\n`, `--carry ${carry} ${shown}`);
  expect(third).toMatchObject({
    exit: 0,
    stdout: "matched,Q1,10.00,10.00,in the book on 2026-10-01; carried from 2026-09\n",
  });
});
