import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const wallets =
  '[{"accountNo":"42","accountName":"Main","currency":"TZS"},{"accountNo":"43","accountName":"Other","currency":"TZS"},{"accountNo":"44","accountName":"New","currency":"KES"}]';
const now = Date.UTC(2026, 10, 20, 9);

/** Books for 42, which agrees, and for 43, which does not; 44 has none. */
function books(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "42.csv"), "reference,amount,date\nA,5.00,2026-10-01\n");
  writeFileSync(join(folder, "43.csv"), "reference,amount,date\nA,6.00,2026-10-01\n");
  return folder;
}

const answers = [ok(wallets), ok(statementOf([["A", "2026-10-01", "+5.00"]]))];

test("--all reconciles every wallet with its own book and ends with the most severe exit code", async () => {
  const folder = books();
  const { exit, stdout, stderr } = await ask(
    `reconcile --all --month 2026-10 --book ${folder}/{account}.csv --csv --columns account,exit,matched,exceptions,closing,unexplained,currency,note`,
    answers,
    { now },
  );
  expect(stdout).toBe(
    `account,exit,matched,exceptions,closing,unexplained,currency,note
42,0,1,0,1000005.00,0.00,TZS,
43,9,0,1,1000005.00,0.00,TZS,1 differing
44,9,,,,,KES,44 has no book: there is no ${folder}/44.csv.
`,
  );
  expect(exit).toBe(9);
  expect(stderr).toContain(
    "Error: 2 of 3 accounts do not agree; the first: Statement and book of 43 do not agree: 1 differing.",
  );
});

test("--all saves one result per account", async () => {
  const folder = books();
  const line = `reconcile --all --month 2026-10 --book ${folder}/{account}.csv --save ${folder}/{account}-{month}.csv --carry ${folder}/{account}.json`;
  const { exit, stdout } = await ask(line, answers, { now });
  expect(exit).toBe(9);
  expect(stdout.split("\n")[0]).toContain("account,exit,matched");
  expect(readFileSync(join(folder, "42-2026-10.csv"), "utf8")).toContain("\nmatched,A,");
  expect(readFileSync(join(folder, "43-2026-10.csv"), "utf8")).toContain("\ndiffering,A,");
  expect(JSON.parse(readFileSync(join(folder, "43.json"), "utf8")).months["2026-10"]).toMatchObject([
    { side: "statement", reference: "A", amount: -1, since: "2026-10" },
  ]);
});

test.for(["xlsx", "html"])("with %s files, --all prints one row per account", async (ending) => {
  const folder = books();
  const line = `reconcile --all --month 2026-10 --book ${folder}/{account}.csv --save ${folder}/{account}.${ending}`;
  const { exit, stdout } = await ask(line, answers, { now });
  expect(exit).toBe(9);
  expect(stdout).toMatch(/^account +exit +matched.*\n42 +0 +1 .*\n43 +9 +0 .*\n44 +9 /);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([`42.${ending}`, `43.${ending}`]));
});

test("a decision that no longer fits is reported in the row of its account", async () => {
  const folder = books();
  const one = '[{"accountNo":"42","accountName":"Main","currency":"TZS"}]';
  writeFileSync(join(folder, "d-42.csv"), "statementRow,bookLine,decision,statementAmount\n1,,ignore,4.00\n");
  const line = `reconcile --all --month 2026-10 --book ${folder}/{account}.csv --decisions ${folder}/d-{account}.csv --csv --columns account,exit,note`;
  const ended = await ask(line, [ok(one), ...answers.slice(1)], { now });
  const said = "The decision in line 2 does not fit any more: the row of the statement has 5.00, and had 4.00.";
  expect([ended.exit, ended.stdout]).toEqual([9, `account,exit,note\n42,9,"${said}"\n`]);
  expect(ended.stderr).toContain(
    `1 of 1 accounts do not agree; the first: Statement and book of 42 do not agree: ${said}`,
  );
});

test.each([
  ["--account 42", "--account names one"],
  ["--account-kind merchant", "every merchant account with a nickname"],
  ["--book ledger.csv", "is one file, but --all means every wallet"],
  ["--carry open.json", "is one file, but --all means every wallet"],
  ["--book b-{account}.csv --book-opening 5", "A book's balance belongs to one account"],
])("--all with %s is refused before any request", async (flags, said) => {
  const { exit, stdout, stderr, requests } = await ask(`reconcile --all --month 2026-10 ${flags}`, [], { now });
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toContain(said);
});

test("without --account or --all the command is refused", async () => {
  const { exit, stderr } = await ask("reconcile --month 2026-10", [], { now });
  expect({ exit, said: stderr.split("\n")[0] }).toEqual({ exit: 2, said: "Error: --account is missing." });
});
