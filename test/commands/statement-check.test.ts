import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

let service: Recorder | undefined;
afterEach(() => service?.stop());

interface Line {
  readonly ref?: string;
  readonly at?: string;
  readonly credit?: string;
  readonly debit?: string;
  readonly balance: string;
}

/** A wallet statement as the service sends it, with the given digits as amounts. */
function statementOf(lines: readonly Line[]): string {
  const rows = lines.map(({ ref = "R1", at = "2026-02-10 08:00:00", credit = "0", debit = "0", balance }) => {
    return `{"tranRefNo":"${ref}","valueDate":"${at}","txnDate":"2026-01-02 08:00:00","narration":"n","debitOrCredit":"CR","amountCredited":${credit},"amountDebited":${debit},"balance":${balance}}`;
  });
  return `[${rows.join(",")}]`;
}

async function statement(lines: readonly Line[], flags = "") {
  service = await recorder(answer("200 OK", statementOf(lines)));
  const environment = { PARTNER_BASE_URL: service.origin, PARTNER_ACCOUNT_ID: "a", PARTNER_SECRET_KEY: "secret-key" };
  const result = await run(words(`wallet statement 42 --month 2026-02 --csv ${flags}`), { environment });
  return { ...result, summary: result.stderr.split("\n").find((line) => / rows?, /.test(line)) ?? result.stderr };
}

const good: readonly Line[] = [
  { ref: "A", credit: "100.10", balance: "1100.10" },
  { ref: "B", debit: "0.20", balance: "1099.90" },
  { ref: "B-PAYOUT", debit: "0.1", balance: "1099.8" },
];

test("a statement whose balances follow from each other adds up exactly", async () => {
  const { summary, exit } = await statement(good, "--strict");
  expect(summary).toBe("3 rows, +100.10 −0.30, closing 1,099.80, adds up");
  expect(exit).toBe(0);
});

test("a statement in reverse order adds up, too, and closes with its first row", async () => {
  const { summary, exit } = await statement(good.toReversed(), "--strict");
  expect(summary).toBe("3 rows, +100.10 −0.30, closing 1,099.80, adds up");
  expect(exit).toBe(0);
});

test("a statement whose balances fit neither direction is read in the order of its dates", async () => {
  const { summary } = await statement([
    { ref: "C", at: "2026-02-12 08:00:00", credit: "1", balance: "13.00" },
    { ref: "B", at: "2026-02-11 08:00:00", credit: "1", balance: "12.00" },
    { ref: "A", at: "2026-02-10 08:00:00", credit: "1", balance: "10.00" },
  ]);
  const flaw = 'row 3 ("A"): balance 10.00, expected 11.00';
  expect(summary).toBe(`3 rows, +3.00 −0.00, closing 13.00, does not add up: ${flaw}`);
});

test("a statement that adds up only against the order of its dates says that a row may be missing", async () => {
  const rows: Line[] = [
    { ref: "A", at: "2026-02-10 08:00:00", credit: "100", balance: "1100" },
    { ref: "C", at: "2026-02-12 08:00:00", credit: "100", balance: "1000" },
  ];
  const against = "adds up, but only against the order of its dates: a row may be missing";
  const { summary, exit } = await statement(rows, "--strict");
  expect(summary).toBe(`2 rows, +200.00 −0.00, closing 1,100.00, ${against}`);
  expect(exit).toBe(0);
  await service?.stop();
  const falling = rows.toReversed().map((row, place) => ({ ...row, balance: place === 0 ? "1100" : "1200" }));
  expect((await statement(falling)).summary).toBe(`2 rows, +200.00 −0.00, closing 1,200.00, ${against}`);
});

test("a late row at the end of rows in booking order causes no doubt", async () => {
  const { summary } = await statement([
    { ref: "A", at: "2026-02-10 08:00:00", credit: "100", balance: "1100" },
    { ref: "B", at: "2026-02-12 08:00:00", credit: "100", balance: "1200" },
    { ref: "C", at: "2026-02-09 08:00:00", credit: "50", balance: "1250" },
  ]);
  expect(summary).toBe("3 rows, +250.00 −0.00, closing 1,250.00, adds up");
});

test("a statement in another order than booked closes with the balance after the last booked row", async () => {
  const lines: readonly Line[] = [
    { ref: "V", at: "2026-02-10 08:00:00", credit: "1", balance: "13.00" },
    { ref: "A", at: "2026-02-11 08:00:00", credit: "1", balance: "11.00" },
    { ref: "B", at: "2026-02-12 08:00:00", credit: "1", balance: "12.00" },
  ];
  const said = "3 rows, +3.00 −0.00, closing 13.00, does not add up: row";
  expect((await statement(lines)).summary).toBe(`${said} 2 ("A"): balance 11.00, expected 14.00`);
  expect((await statement(lines.toReversed())).summary).toBe(`${said} 3 ("V"): balance 13.00, expected 10.00`);
});

test("rows that cancel out after a missing row do not change the closing balance", async () => {
  const { summary } = await statement([
    { ref: "A", at: "2026-02-10 08:00:00", debit: "200", balance: "800.00" },
    { ref: "B", at: "2026-02-11 08:00:00", debit: "100", balance: "1050.00" },
    { ref: "B", at: "2026-02-12 08:00:00", credit: "100", balance: "1150.00" },
  ]);
  const flaw = 'row 2 ("B"): balance 1,050.00, expected 700.00';
  expect(summary).toBe(`3 rows, +100.00 −300.00, closing 1,150.00, does not add up: ${flaw}`);
});

test("rows that cancel out between two others are not taken for the last booked", async () => {
  // Booked in the order A, V, W, B.
  const { summary } = await statement([
    { ref: "A", at: "2026-02-10 08:00:00", credit: "100", balance: "100.00" },
    { ref: "B", at: "2026-02-11 08:00:00", credit: "100", balance: "200.00" },
    { ref: "V", at: "2026-02-12 08:00:00", credit: "30", balance: "130.00" },
    { ref: "W", at: "2026-02-13 08:00:00", debit: "30", balance: "100.00" },
  ]);
  expect(summary).toContain("4 rows, +230.00 −30.00, closing 200.00, does not add up: row 3");
});

test("a negative sum of credits or debits is shown with the opposite sign", async () => {
  const { summary, exit } = await statement(
    [
      { ref: "A", credit: "-5", balance: "95" },
      { ref: "B", debit: "-3.50", balance: "98.50" },
    ],
    "--strict",
  );
  expect(summary).toBe("2 rows, −5.00 +3.50, closing 98.50, adds up");
  expect(exit).toBe(0);
});

test("amounts that a double would round are summed exactly", async () => {
  const { summary } = await statement([
    { ref: "A", credit: "9007199254740993.01", balance: "9007199254740993.01" },
    { ref: "B", credit: "0.02", balance: "9007199254740993.03" },
  ]);
  expect(summary).toBe("2 rows, +9,007,199,254,740,993.03 −0.00, closing 9,007,199,254,740,993.03, adds up");
});

const flaws: readonly [string, readonly Line[], string][] = [
  [
    "a balance that does not follow",
    [...good, { ref: "C", credit: "1", balance: "2" }],
    'row 4 ("C"): balance 2.00, expected 1,100.80',
  ],
  [
    "a row that is missing",
    [good[0] ?? { balance: "0" }, good[2] ?? { balance: "0" }],
    'row 2 ("B-PAYOUT"): balance 1,099.80, expected 1,100.00',
  ],
  ["a row that stands twice", [...good, ...good.slice(2)], 'row 4 ("B-PAYOUT"): the same row is there twice'],
  [
    "a row from outside the period",
    [{ ref: "A", at: "2026-03-01 00:00:00", balance: "0" }],
    'row 1 ("A"): value date 2026-03-01 is outside the period',
  ],
  [
    "a value date that isn't a day",
    [{ ref: "A", at: "yesterday", balance: "0" }],
    'row 1 ("A"): value date "yesterday" isn\'t a day',
  ],
  ["a row without a balance", [{ ref: "A", balance: "null" }], 'row 1 ("A"): it has no balance'],
  [
    "an amount that isn't a number",
    [{ ref: "A", credit: '"ten"', balance: "0" }],
    'row 1 ("A"): an amount isn\'t a number',
  ],
];

test.each(flaws)("without --strict, %s is a warning", async (_, lines, flaw) => {
  const { exit, summary, stdout } = await statement(lines);
  expect(exit).toBe(0);
  expect(summary).toMatch(new RegExp(`, does not add up: ${flaw.replaceAll(/[()."]/g, String.raw`\$&`)}$`));
  expect(stdout.split("\n")).toHaveLength(lines.length + 2);
});

test.each(flaws)("with --strict, %s ends with 9, empty stdout and the old file unchanged", async (_, lines, flaw) => {
  const printed = await statement(lines, "--strict");
  expect(printed).toMatchObject({ exit: 9, stdout: "" });
  expect(printed.stderr).toContain(`The statement does not add up: ${flaw}.`);
  await service?.stop();
  const path = join(temporaryFolder(), "old.csv");
  writeFileSync(path, "old");
  expect(await statement(lines, `--strict --save ${path}`)).toMatchObject({ exit: 9, stdout: "" });
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(existsSync(path)).toBe(true);
});

const paid: Line = { ref: "T", credit: "10", balance: "1010" };
const taken: Line = { ref: "T", debit: "10", balance: "1000" };

test.each([
  ["oldest first", [paid, taken, paid]],
  ["newest first", [paid, taken, paid, { ref: "S", credit: "1", balance: "1000" }]],
])("a row paid, reversed and paid again in one second counts as three rows, %s", async (_, lines) => {
  const { exit, summary } = await statement(lines, "--strict");
  expect(summary).toMatch(/, adds up$/);
  expect(exit).toBe(0);
});

test.each([
  ["oldest first", [paid, { ref: "S", credit: "1", balance: "1011" }, paid], 'row 3 ("T")'],
  [
    "newest first",
    [{ ref: "S", at: "2026-02-12 08:00:00", credit: "1", balance: "1011" }, paid, { ref: "R", balance: "1000" }, paid],
    'row 4 ("T")',
  ],
  ["after a break", [{ ref: "S", credit: "1", balance: "7" }, taken, paid, paid], 'row 2 ("T")'],
])("a repeated row whose balance does not follow is found, %s", async (_, lines, row) => {
  const { exit, stderr } = await statement(lines, "--strict");
  expect(exit).toBe(9);
  expect(stderr).toContain(`The statement does not add up: ${row}: `);
});

test("txnDate may be before the period: only the value date counts", async () => {
  expect((await statement(good, "--strict")).exit).toBe(0);
});

test("an empty statement adds up and has only a header", async () => {
  const { exit, stdout, summary } = await statement([], "--strict");
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: "tranRefNo,valueDate,txnDate,narration,debitOrCredit,amountCredited,amountDebited,balance\n",
  });
  expect(summary).toBe("0 rows, +0.00 −0.00, adds up");
});
