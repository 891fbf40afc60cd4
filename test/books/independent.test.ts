import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import { decodeJson } from "../../src/contract/wire.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";

const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
const figures = join(import.meta.dirname, "figures.py");
const [earlier, month] = ["2026-02", "2026-03"];

/** Rows of a report by some of their columns, each figure as plain digits without zeros at its end. */
function by(stdout: string, keys: readonly string[], names: readonly string[]): Record<string, Record<string, string>> {
  const [header = "", ...lines] = stdout.trimEnd().split("\n");
  const columns = header.split(",");
  return Object.fromEntries(
    lines.map((line) => {
      const cells = new Map(line.split(",").map((cell, at) => [columns[at] ?? "", cell]));
      const key = keys.map((name) => cells.get(name)).join(" ");
      return [key, Object.fromEntries(names.map((name) => [name, plain(cells.get(name) ?? "")]))];
    }),
  );
}

function plain(digits: string): string {
  const amount = Decimal.parse(digits);
  if (amount === undefined) throw new Error(`${digits} is not an amount`);
  return amount
    .toString()
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

test("the figures equal those computed by python3 from the served rows", async ({ partnerIn, simulator, skip }) => {
  skip(!hasPython, "python3 is not installed");
  const folder = temporaryFolder();
  const [served, before] = [join(folder, "served"), join(folder, "before")];
  mkdirSync(served);
  mkdirSync(before);
  const partner = partnerIn({ now, environment: { PARTNER_CONFIG_DIR: folder } });
  await partner`transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salaries --reference SAL-40 --yes`;
  await partner`withdraw --account 9000112233 --amount 1500.55 --narration October --reference W-1 --yes`;
  const wallets = JSON.parse((await partner`wallets list --json`).stdout);
  const currencies: Record<string, string> = {};
  for (const { accountNo, currency } of wallets) {
    currencies[accountNo] = currency;
    for (const [to, of] of [
      [served, month],
      [before, earlier],
    ] as const) {
      const { stdout } = await partner`wallet statement ${accountNo} --month ${of} --json`;
      writeFileSync(join(to, `${accountNo}.json`), stdout);
    }
  }
  writeFileSync(join(served, "currencies.json"), JSON.stringify(currencies));
  const sent = ["SAL-40", "W-1"];
  const expected = JSON.parse(execFileSync("python3", [figures, served, before, ...sent], { encoding: "utf8" }));

  expect(await partner`ledger sync --start-date ${earlier}-01 --quiet`).toMatchObject({ exit: 0 });
  const report = async (line: string) => {
    const { exit, stdout } = await partner`report ${line} --month ${month} --csv`;
    expect(exit).toBe(0);
    return stdout;
  };
  const cash = by(await report("cash"), ["account"], ["opening", "in", "out", "fees", "closing", "rows"]);
  const withRows = Object.fromEntries(Object.entries(cash).filter(([, { rows }]) => rows !== "0"));
  expect(withRows).toEqual(expected.cash);
  expect(Object.keys(cash)).toHaveLength(simulator.wallets.length);
  expect(by(await report("fees"), ["account"], ["count", "sum", "amounts"])).toEqual(expected.fees);
  const flow = by(await report("flow --by month"), ["kind", "currency"], ["count", "in", "out"]);
  // The journal knows more than the rows: its own withdrawal isn't part of the rest.
  expect(flow["withdrawal TZS"]).toEqual({ count: "1", in: "0", out: "1500.55" });
  const rest = flow["other TZS"];
  const all = expected.flow["other TZS"];
  expect(Number(rest?.["count"])).toBe(Number(all.count) - 1);
  const { "withdrawal TZS": _w, "other TZS": _o, ...others } = flow;
  const { "other TZS": _a, ...theirs } = expected.flow;
  expect(others).toEqual(theirs);
  const customers = sumsOf((await partner`report customers --month ${month} --json`).stdout, [
    "currency",
    "name",
    "number",
  ]);
  expect(Object.keys(customers).length).toBeGreaterThan(0);
  expect(customers).toEqual(expected.customers);
  const open = await partner`report open --month ${month} --where state=unmatched --json`;
  expect(Object.keys(expected.open).length).toBeGreaterThan(0);
  expect(sumsOf(open.stdout, ["account"])).toEqual(expected.open);
  const compared = await partner`report compare ${earlier} ${month} --csv`;
  expect(by(compared.stdout, ["account", "figure"], ["first", "second", "difference"])).toMatchObject(expected.compare);
  expect(Object.keys(expected.compare).length).toBeGreaterThan(5);
});

/** Numbers keep their digits. */
const cell = z.unknown().transform(String);

/** The sums of a report's rows, by some of their columns. */
function sumsOf(stdout: string, keys: readonly string[]): Record<string, { count: string; sum: string }> {
  const sums = new Map<string, { count: number; sum: Decimal }>();
  const rows = z.array(z.record(z.string(), cell)).parse(decodeJson(stdout));
  for (const row of rows) {
    const key = keys.map((name) => row[name]).join(" ");
    const { count, sum } = sums.get(key) ?? { count: 0, sum: Decimal.zero };
    const amount = Decimal.parse(row["sum"] ?? row["amount"] ?? "") ?? Decimal.zero;
    sums.set(key, { count: count + Number(row["count"] ?? 1), sum: sum.add(amount) });
  }
  return Object.fromEntries(
    [...sums].map(([key, { count, sum }]) => [key, { count: String(count), sum: plain(sum.toString()) }]),
  );
}
