import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { AccountKind, Told } from "./told.ts";
import { bothKinds, exported, newestFirst, statementBody } from "./told.ts";

const rows: readonly Told[] = [
  { ref: "A", at: "2026-02-07 12:00:00", amount: "500.00" },
  { ref: "B", at: "2026-02-14 12:00:00", amount: "-1200.50" },
  { ref: "C", at: "2026-02-21 12:00:00", amount: "1700.50" },
];

const totals = ["opening  TZS 1,000.00", "credits  TZS 2,200.50", "debits   TZS 1,200.50", "closing  TZS 2,000.00"];

const asciiChart = [
  "",
  "      2k |                                                   +------------------",
  "         |                                                   |",
  "         |                                                   |",
  "    1.5k |                +----------------+                 |",
  "         |                |                |                 |",
  "         |                |                |                 |",
  "      1k |----------------+                |                 |",
  "         |                                 |                 |",
  "         |                                 |                 |",
  "     500 |                                 |                 |",
  "         |                                 +-----------------+",
  "         |",
  "       0 |",
  "         ++---------+---------+---------+---------+---------+---------+---------",
  "          1 Feb     5 Feb     9 Feb     13 Feb    17 Feb    21 Feb    25 Feb",
];

async function shown(flags: string, world: World = {}, kind: AccountKind = "wallet", body = statementBody(kind, rows)) {
  const { stdout, stderr, exit } = await exported("", kind, body, { flags, world });
  const lines = stdout.trimEnd().split("\n");
  return { exit, stdout, stderr, under: lines.slice(lines.findIndex((line) => line.startsWith("opening"))) };
}

const terminal = (environment: Readonly<Record<string, string>>, columns = 100): World => ({
  environment,
  columns,
  terminal: { stdout: true, stderr: true },
});

for (const kind of bothKinds) {
  test(`the table of a ${kind} ends with opening, credits, debits and closing`, async () => {
    expect((await shown("", {}, kind)).under).toEqual(totals);
  });
}

test("rows in reverse order give the same totals and chart", async () => {
  const body = newestFirst(statementBody("wallet", rows));
  expect((await shown("--chart", {}, "wallet", body)).under).toEqual([...totals, ...asciiChart]);
});

test("off a terminal the chart is drawn in ASCII", async () => {
  const { under, stdout } = await shown("--chart");
  expect(under).toEqual([...totals, ...asciiChart]);
  expect(stdout).toMatch(/^[ -~\n]*$/);
});

test("a UTF-8 terminal gets the chart in line characters, as wide as the terminal", async () => {
  const { under } = await shown("--chart", terminal({ LANG: "en_US.UTF-8" }, 60));
  expect(under.slice(totals.length)).toEqual([
    "",
    "      2k ┤                                    ┌─────────────",
    "         │                                    │",
    "         │                                    │",
    "    1.5k ┤           ┌────────────┐           │",
    "         │           │            │           │",
    "         │           │            │           │",
    "      1k ┤───────────┘            │           │",
    "         │                        │           │",
    "         │                        │           │",
    "     500 ┤                        │           │",
    "         │                        └───────────┘",
    "         │",
    "       0 ┤",
    "         └┬──────────┬─────────┬──────────┬──────────┬──────",
    "          1 Feb      7 Feb     13 Feb     19 Feb     25 Feb",
  ]);
});

const plain = [
  ["TERM=dumb", { TERM: "dumb", LANG: "en_US.UTF-8" }],
  ["a locale without UTF-8", { LC_ALL: "C", LANG: "en_US.UTF-8" }],
  ["no locale at all", {}],
] as const;

test.for(plain)("with %s a terminal gets the chart in ASCII, and no bar of the balance", async ([, environment]) => {
  const { under } = await shown("--chart", terminal(environment, 80));
  expect(under).toEqual([...totals, ...asciiChart]);
  expect((await shown("", terminal(environment))).under).toEqual(totals);
});

test("a terminal shows the balance as one line of bars", async () => {
  const { under } = await shown("", terminal({ LC_CTYPE: "C.UTF-8" }));
  expect(under).toEqual([...totals, `balance  ${"▄".repeat(9)}${"▆".repeat(10)}${"▁".repeat(10)}${"█".repeat(11)}`]);
});

test.for([20, 30, 40, 79, 200])("no line of the chart is longer than a terminal of %d columns", async (columns) => {
  const { under } = await shown("--chart", terminal({ LANG: "C.UTF-8" }, columns));
  expect(Math.max(...under.slice(totals.length).map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test.for(["json", "ndjson", "csv", "html"])("%s contains no totals, and --chart is refused", async (format) => {
  const bare = await shown(`--output ${format}`);
  expect(bare.stdout).not.toContain("closing ");
  const asked = await shown(`--chart --output ${format}`);
  expect(asked).toMatchObject({ exit: 2, stdout: "" });
  expect(asked.stderr).toContain("Error: --chart works with a table only.\n");
});

test("a table in a file has its chart in ASCII, even from a terminal", async () => {
  const path = join(temporaryFolder(), "statement.txt");
  await shown(`--chart --save ${path}`, terminal({ LANG: "C.UTF-8" }, 40));
  expect(readFileSync(path, "utf8").trimEnd().split("\n").slice(-asciiChart.length)).toEqual(asciiChart);
});

test("an empty period has neither totals nor chart", async () => {
  const { stdout } = await shown("--chart", {}, "wallet", statementBody("wallet", []));
  expect(stdout).toBe("");
});

test("rows without balances have sums but no invented balance", async () => {
  const bare = rows.map((row) => ({ ...row, balance: null }));
  const { stdout } = await shown("--chart", {}, "wallet", statementBody("wallet", bare));
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual(["credits  TZS 2,200.50", "debits   TZS 1,200.50"]);
});

test("sums are exact where a double would round", async () => {
  const large = [{ amount: "12345678901234567.10" }, { amount: "0.20" }];
  const { under } = await shown("--chart", {}, "merchant", statementBody("merchant", large));
  expect(under[1]).toBe("credits  TZS 12,345,678,901,234,567.30");
});

test.for([
  ["41290497.50", ["41,290,520", "41,290,500", "41,290,480", "41,290,460"]],
  ["-1000000.00", ["-999.98k", "-1M", "-1.00002M", "-1.00004M"]],
  ["0.01", ["40", "20", "0", "-20", "-40"]],
  [
    "12345678901234500.00",
    ["12,345,678,901,234,520", "12,345,678,901,234,500", "12,345,678,901,234,480", "12,345,678,901,234,460"],
  ],
] as const)("axis labels for balances near %s are distinct and exact", async ([opening, numbers]) => {
  const moved = rows.map((row, index) => ({ ...row, amount: ["20.00", "-50.00", "30.00"][index] ?? "" }));
  const { under } = await shown("--chart", {}, "wallet", statementBody("wallet", moved, opening));
  const chart = under.slice(totals.length + 1);
  expect(chart.flatMap((line) => /^ *(\S+) \|/.exec(line)?.[1] ?? [])).toEqual(numbers);
  expect(new Set(chart.map((line) => /[|+]/.exec(line)?.index).filter((at) => at !== undefined)).size).toBe(1);
  expect(Math.max(...chart.map((line) => line.length))).toBe(80);
});
