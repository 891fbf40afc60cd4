import { chmodSync, mkdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";
import type { Line } from "./ledger-desk.ts";

const wallet = "9000112233";
const rows: readonly Line[] = [
  { ref: "A1", day: "2026-10-01", amount: 200 },
  { ref: "A2", day: "2026-10-31", amount: -30 },
];
const late: Line = { ref: "LATE", day: "2026-10-12", amount: 7 };

/** A closed October whose record can be rewritten. */
async function closedDesk() {
  const { onDay, write, folder } = await ledgerDesk();
  const path = join(folder, "state", "closes.json");
  const close = (month: string) => onDay("2026-12-20", `close --month ${month} --to ${join(folder, month)}`);
  write({ [wallet]: { lines: rows } });
  expect(await close("2026-10")).toMatchObject({ exit: 0 });
  const kept: { readonly closes: readonly object[] } = JSON.parse(readFileSync(path, "utf8"));
  return {
    close,
    path,
    kept,
    status: () => onDay("2026-12-20", "ledger status"),
    sync: () => onDay("2026-12-20", "ledger sync --start-date 2026-10-01"),
    comesLate: () => write({ [wallet]: { lines: rows.toSpliced(1, 0, late) } }),
  };
}

test("with thousands of remembered closes, status still names a late row and the month can be closed again", async () => {
  const { close, path, kept, status, sync, comesLate } = await closedDesk();
  const others = Array.from({ length: 4000 }, (_, index) => ({
    ...kept.closes[0],
    scope: `sandbox https://${index} a`,
  }));
  writeFileSync(path, JSON.stringify({ ...kept, closes: [...others, ...kept.closes] }, undefined, 2));
  expect(await status()).toMatchObject({ exit: 0, stderr: "" });
  comesLate();
  expect(await sync()).toMatchObject({ exit: 0 });
  expect(await status()).toMatchObject({ exit: 9, stderr: expect.stringContaining(`${wallet} LATE came late`) });
  expect(await close("2026-10")).toMatchObject({ exit: 9 });
  expect(await close("2026-10")).toMatchObject({ exit: 0 });
  expect(await status()).toMatchObject({ exit: 0 });
});

test("a close that could not be remembered names its folder, and the next run remembers it", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const close = () => onDay("2026-12-20", `close --month 2026-10 --to ${join(folder, "2026-10")}`);
  write({ [wallet]: { lines: rows } });
  const lock = join(folder, "state", "closes.json.lock");
  mkdirSync(lock, { recursive: true });
  chmodSync(join(folder, "state"), 0o700);
  utimesSync(lock, new Date(0), new Date(0));
  const first = await close();
  expect(first).toMatchObject({ exit: 5, stdout: "" });
  expect(first.stderr).toContain(
    `Another close is being recorded right now. ${join(folder, "2026-10")} was written, but the month is not remembered as closed.`,
  );
  expect(first.stderr).toContain(`If there is none, remove ${lock}. Then close the month again.`);
  rmdirSync(lock);
  expect(await close()).toMatchObject({ exit: 0 });
  expect(readFileSync(join(folder, "state", "closes.json"), "utf8")).toContain('"month": "2026-10"');
});

test("a folder whose close was not remembered is not called changed, and the next run remembers it", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const close = (flags = "") => onDay("2026-12-20", `close --month 2026-10 --to ${join(folder, "2026-10")} ${flags}`);
  write({ [wallet]: { lines: rows } });
  expect(await close()).toMatchObject({ exit: 0 });
  const lock = join(folder, "state", "closes.json.lock");
  mkdirSync(lock);
  utimesSync(lock, new Date(0), new Date(0));
  expect(await close("--formats ofx")).toMatchObject({ exit: 5 });
  rmdirSync(lock);
  const said = `No close is remembered that wrote ${join(folder, "2026-10", "manifest.json")}: it was stopped before, or something has changed the folder.`;
  const checked = await close("--formats ofx --check");
  expect(checked).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  expect(checked.stderr).not.toContain("is not what the close wrote");
  for (const flags of ["--formats ofx", "--formats ofx --check"]) expect(await close(flags)).toMatchObject({ exit: 0 });
});

test("status names the command to close each changed month again, with its profile", async () => {
  const { onDay, write, folder, environment } = await ledgerDesk();
  const at = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const partner = (line: string) => onDay("2026-12-20", line, at);
  await onDay(
    "2026-12-20",
    `profile add shop --environment sandbox --base-url ${environment.PARTNER_BASE_URL} --account-id a --secrets-from -`,
    { ...at, stdin: '{"secretKey":"secret-key"}' },
  );
  const lines: readonly Line[] = [...rows, { ref: "A3", day: "2026-11-02" }];
  write({ [wallet]: { lines } });
  for (const month of ["2026-10", "2026-11"])
    expect(await partner(`close --month ${month} -p shop --to ${join(folder, month)}`)).toMatchObject({ exit: 0 });
  const changed = lines.toSpliced(1, 0, late);
  write({ [wallet]: { lines: changed } });
  await partner("ledger sync -p shop --start-date 2026-10-01");
  const one = await partner("ledger status -p shop");
  expect(one.stderr).toContain("\nHint: Close it again: partner -p shop close --month 2026-10\n");
  write({ [wallet]: { lines: changed.toSpliced(3, 0, { ref: "L2", day: "2026-11-01" }) } });
  await partner("ledger sync -p shop --start-date 2026-10-01");
  const terminal = await onDay("2026-12-20", "ledger status -p shop", {
    ...at,
    terminal: { stderr: true },
    columns: 80,
  });
  expect(terminal.stderr).toContain(
    "\n  partner -p shop close --month 2026-10; partner -p shop close --month 2026-11\n",
  );
  for (const which of ["-p shop", "--all-profiles"])
    expect((await partner(`ledger status ${which}`)).stderr).toContain(
      "\nHint: Close them again: partner -p shop close --month 2026-10; partner -p shop close --month 2026-11\n",
    );
});

test.each([
  ["a closing that is no amount", '"closing": "170.00"', '"closing": "170,00"', "closes.0.accounts.0.closing"],
  ["a number of rows that is none", '"rows": 2', '"rows": -2', "closes.0.accounts.0.rows"],
  ["a time beyond the calendar", /"closedAt": \d+/, '"closedAt": 9e20', "closes.0.closedAt"],
])("%s is reported as damage: exit 3, and the file is unchanged", async (_, from, to, place) => {
  const { close, path } = await closedDesk();
  const text = readFileSync(path, "utf8").replace(from, to);
  writeFileSync(path, text);
  for (const month of ["2026-10", "2026-11"]) {
    const ended = await close(month);
    expect(ended).toMatchObject({ exit: 3, stdout: "" });
    expect(ended.stderr).toContain(`is damaged: ${place} is missing or not what belongs there.`);
  }
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("closes remembered by a later version are left alone, and the error names PARTNER_STATE_DIR", async () => {
  const { path, status } = await closedDesk();
  writeFileSync(path, readFileSync(path, "utf8").replace('"version": 1', '"version": 2'));
  const ended = await status();
  expect(ended).toMatchObject({ exit: 3, stdout: "" });
  expect(ended.stderr).toContain("was written by a later version of partner.");
  expect(ended.stderr).toContain("name another folder with PARTNER_STATE_DIR");
});
