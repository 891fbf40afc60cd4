import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Decimal } from "../../src/values/money/decimal.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";

const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
const figures = join(import.meta.dirname, "figures.py");
const month = "2026-03";

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

test("figures are those that python3 makes of the served rows", async ({ partnerIn, simulator, skip }) => {
  skip(!hasPython, "python3 is not installed");
  const folder = temporaryFolder();
  const served = join(folder, "served");
  mkdirSync(served);
  const partner = partnerIn({ now, environment: { PARTNER_CONFIG_DIR: folder } });
  await partner`transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salaries --reference SAL-40 --yes`;
  await partner`withdraw --account 9000112233 --amount 1500.55 --narration October --reference W-1 --yes`;
  const wallets = JSON.parse((await partner`wallets list --json`).stdout);
  const currencies: Record<string, string> = {};
  for (const { accountNo, currency } of wallets) {
    currencies[accountNo] = currency;
    const { stdout } = await partner`wallet statement ${accountNo} --month ${month} --json`;
    writeFileSync(join(served, `${accountNo}.json`), stdout);
  }
  writeFileSync(join(served, "currencies.json"), JSON.stringify(currencies));
  const expected = JSON.parse(execFileSync("python3", [figures, served], { encoding: "utf8" }));

  expect(await partner`ledger sync --start-date ${month}-01 --quiet`).toMatchObject({ exit: 0 });
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
  // The journal knows more than rows do: what it ordered as a withdrawal is none of the rest.
  expect(flow["withdrawal TZS"]).toEqual({ count: "1", in: "0", out: "1500.55" });
  const rest = flow["other TZS"];
  const all = expected.flow["other TZS"];
  expect(Number(rest?.["count"])).toBe(Number(all.count) - 1);
  const { "withdrawal TZS": _w, "other TZS": _o, ...others } = flow;
  const { "other TZS": _a, ...theirs } = expected.flow;
  expect(others).toEqual(theirs);
});
