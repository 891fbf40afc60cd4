import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportDesk } from "./export-desk.ts";

// Careless rows as services write them, and names of files as people choose them.

type Fields = Readonly<Record<string, unknown>>;

/** Rows given by their fields; balances and amounts stay as they are. */
function statement(...rows: readonly Fields[]) {
  return { lines: [], balance: null, statement: JSON.stringify(rows) };
}

const a = { tranRefNo: "A", valueDate: "2026-10-01", narration: "n", amountCredited: 5, amountDebited: 0, balance: 5 };
const b = { ...a, tranRefNo: "B", valueDate: "2026-10-05 08:00:00", balance: 10 };
const c = { ...a, tranRefNo: "C", valueDate: "2026-10-06T08:00:00+03:00", balance: 15 };
const columns = "--columns tranRefNo";
const begin = `--start-date 2026-10-01 ${columns}`;

test.for([
  ["no value date", { valueDate: null }],
  ["a value date that is no day", { valueDate: "yesterday" }],
  ["no balance", { balance: null }],
  ["an empty balance", { balance: "" }],
  ["a balance that is no amount", { balance: "n/a" }],
  ["an amount that is no amount", { amountCredited: "five" }],
  ["amounts as text", { amountCredited: "5.00", amountDebited: "", balance: "10.00" }],
] as const)("a row with %s is exported once, and later rows follow it", async ([, odd]) => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-05", statement(a), begin)).exit).toBe(0);
  const rows = [a, { ...b, ...odd }];
  expect((await onDay("2026-10-05", statement(...rows), columns)).exit).toBe(0);
  expect((await onDay("2026-10-06", statement(...rows, c), columns)).exit).toBe(0);
  expect((await onDay("2026-10-07", statement(...rows, c), columns)).exit).toBe(0);
  expect(text()).toBe("tranRefNo\nA\nB\nC\n");
});

test("a row that gets its value date after its export is reported as changed, not as missing", async () => {
  const { onDay, text } = await exportDesk();
  const shown = "--columns tranRefNo,valueDate";
  const waiting = { ...b, valueDate: null };
  expect((await onDay("2026-10-06", statement(a, waiting, c), `--start-date 2026-10-01 ${shown}`)).exit).toBe(0);
  const exported = text();
  const dated = await onDay("2026-10-07", statement(a, b, c), shown);
  expect(dated.exit).toBe(9);
  expect(dated.stderr).toContain("1 row has changed since the last run");
  expect(dated.stderr).toContain("row 1 was: B,\n");
  expect(dated.stderr).toContain("row 1 is now: B,2026-10-05 08:00:00\n");
  expect(text()).toBe(exported);
  expect((await onDay("2026-10-07", statement(a, b, c), `${shown} --restart`)).exit).toBe(0);
  expect(text()).toContain("B,2026-10-05 08:00:00\n");
});

test("amounts of many digits and texts that can't be encoded are recognized exactly", async () => {
  const { onDay, text } = await exportDesk();
  const big = { ...a, amountCredited: "12345678901234567.125", balance: "12345678901234567.125" };
  const tiny = {
    ...b,
    narration: "\ud800 \u{1f4b8}",
    amountCredited: "0.0000000001",
    balance: "12345678901234567.1250000001",
  };
  const shown = "--columns tranRefNo,narration,balance";
  expect((await onDay("2026-10-05", statement(big, tiny), `--start-date 2026-10-01 ${shown}`)).exit).toBe(0);
  const next = { ...c, amountCredited: "0.10", balance: "12345678901234567.2250000001" };
  expect((await onDay("2026-10-06", statement(big, tiny, next), `${shown} --overlap 10d --strict`)).exit).toBe(0);
  const lost = { ...next, tranRefNo: "D", amountCredited: "0.1", balance: "12345678901234567.4250000001" };
  expect((await onDay("2026-10-07", statement(big, tiny, next, lost), `${shown} --overlap 10d`)).exit).toBe(9);
  expect(text()).toBe(
    "tranRefNo,narration,balance\nA,n,12345678901234567.125\nB,\ufffd \u{1f4b8},12345678901234567.1250000001\nC,n,12345678901234567.2250000001\n",
  );
});

test("with --strict, a statement that does not add up starts no export and adds no row", async () => {
  const { onDay, file, text } = await exportDesk();
  const broken = { ...b, balance: 11 };
  const refused = await onDay("2026-10-05", statement(a, broken), `${begin} --strict`);
  expect(refused).toMatchObject({ exit: 9, stdout: "" });
  expect(refused.stderr).toContain("The statement does not add up: row 2");
  expect(existsSync(file)).toBe(false);
  expect((await onDay("2026-10-05", statement(a, b), `${begin} --strict`)).exit).toBe(0);
  const whole = "--strict --overlap 10d";
  const dayless = { ...c, valueDate: "yesterday" };
  expect((await onDay("2026-10-06", statement(a, b, dayless), `${columns} ${whole}`)).exit).toBe(9);
  expect(text()).toBe("tranRefNo\nA\nB\n");
  expect((await onDay("2026-10-06", statement(a, b, c), `${columns} ${whole}`)).exit).toBe(0);
  expect(text()).toBe("tranRefNo\nA\nB\nC\n");
});

test("rows that the service sends twice are reported as sent twice, not as missing", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-05", statement(a, b), begin)).exit).toBe(0);
  const d = { ...c, tranRefNo: "D", balance: 20 };
  for (const page of [
    [a, b, c, d, a, b, c, d],
    [a, b, c, a, b, c, d],
    [a, b, c, d, c, d],
  ]) {
    const twice = await onDay("2026-10-06", statement(...page), columns);
    expect(twice.exit).toBe(9);
    const rows = page.length - 4;
    expect(twice.stderr).toContain(`The service sends ${rows} rows of 42 twice; every file is left as it is.`);
    expect(twice.stderr).toContain('sent twice: "C" of 2026-10-06, balance 15.00');
    expect(twice.stderr).not.toContain("missing");
  }
  const lacking = await onDay("2026-10-06", statement(a, b, d, a, b), columns);
  expect(lacking.stderr).toContain("Rows of 42 are missing in 1 place. The service sends 2 rows of 42 twice;");
  expect((await onDay("2026-10-07", statement(a, b, c, d), columns)).exit).toBe(0);
  expect(text()).toBe("tranRefNo\nA\nB\nC\nD\n");
});

test("a new row that is sent twice exits with 9 and is named until the service sends it once", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-05", statement(a, b), begin)).exit).toBe(0);
  const twice = await onDay("2026-10-06", statement(a, b, c, c), columns);
  expect(twice.exit).toBe(9);
  expect(twice.stderr).toContain("The service sends 1 row of 42 twice; every file is left as it is.");
  expect(twice.stderr).toContain('sent twice: "C" of 2026-10-06, balance 15.00');
  expect((await onDay("2026-10-07", statement(a, b, b, c), columns)).exit).toBe(9);
  expect((await onDay("2026-10-08", statement(a, b, c), columns)).exit).toBe(0);
  expect(text()).toBe("tranRefNo\nA\nB\nC\n");
});

test("balances that were recalculated for a late row are accepted", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-05", statement(a, b), begin)).exit).toBe(0);
  const late = { ...a, tranRefNo: "L", balance: 10 };
  const rows = [a, late, { ...b, balance: 15 }, { ...c, balance: 20 }];
  expect((await onDay("2026-10-06", statement(...rows), columns)).exit).toBe(0);
  expect((await onDay("2026-10-07", statement(...rows), columns)).exit).toBe(0);
  expect(text()).toBe("tranRefNo\nA\nB\nL\nC\n");
});

test("with {date} each day has its own file", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `${columns} --save ${folder}/{account}-{date}.csv`;
  expect((await onDay("2026-10-05", statement(a, b), `--start-date 2026-10-01 ${save}`)).exit).toBe(0);
  const late = { ...a, tranRefNo: "L", valueDate: "2026-10-05", balance: 15 };
  expect((await onDay("2026-10-06", statement(a, b, late, { ...c, balance: 20 }), save)).exit).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".csv"))).toEqual([
    "42-2026-10-01.csv",
    "42-2026-10-05.csv",
    "42-2026-10-06.csv",
  ]);
  expect(text("42-2026-10-05.csv")).toBe("tranRefNo\nB\nL\n");
});

test("a row with a future value date does not hide earlier rows that come later", async () => {
  const { onDay, text } = await exportDesk();
  const future = { ...b, valueDate: "2026-11-20", tranRefNo: "F" };
  expect((await onDay("2026-10-05", statement(a, future), begin)).exit).toBe(0);
  const rows = [a, c, { ...a, tranRefNo: "D", valueDate: "2026-10-07", balance: 20 }, future];
  const ended = await onDay("2026-10-07", statement(...rows), columns);
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-11-20"] });
  expect(text()).toBe("tranRefNo\nA\nF\nC\nD\n");
});

test("an NDJSON file is continued, too, with every field as received", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `--columns tranRefNo,balance --save ${join(folder, "w.ndjson")}`;
  expect((await onDay("2026-10-05", statement(a, b), `--start-date 2026-10-01 ${save}`)).exit).toBe(0);
  expect((await onDay("2026-10-06", statement(a, b, c), save)).exit).toBe(0);
  expect(text("w.ndjson")).toBe(
    [a, b, c].map(({ tranRefNo, balance }) => `${JSON.stringify({ tranRefNo, balance })}\n`).join(""),
  );
});
