import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Line, WalletBooks } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const september: readonly Line[] = [
  { ref: "S1", day: "2026-09-02", amount: 1000 },
  { ref: "S1-PAYIN", day: "2026-09-02", amount: -20, narration: "SERVICE FEE FOR REF:S1 TXNID:T" },
];
const october: readonly Line[] = [{ ref: "O1", day: "2026-10-05", amount: -300, narration: "rent" }];

/** A desk with a wallet of two months, and a folder for each close. */
async function closeDesk(books: Partial<WalletBooks> = {}) {
  const desk = await ledgerDesk();
  const write = (lines: readonly Line[]) => desk.write({ [wallet]: { lines, ...books } });
  write([...september, ...october]);
  const to = (month: string) => join(desk.folder, `close-${month}`);
  const close = (month: string, day: string, more = "") =>
    desk.onDay(day, `close --month ${month} --to ${to(month)} ${more}`.trim());
  return { ...desk, writeLines: write, to, close };
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, "latin1")];
    }),
  );
}

test("closing with an empty ledger syncs the month and writes all files, and sha256sum confirms them", async () => {
  const desk = await closeDesk();
  const ended = await desk.close("2026-09", "2026-10-06", "--csv");
  expect(ended).toMatchObject({ exit: 0, asked: [`${wallet} 2026-09-01 2026-10-06`] });
  expect(ended.stdout).toBe(`account,opening,in,out,fees,closing,currency,rows,state,note
${wallet},0.00,1000.00,0.00,20.00,980.00,TZS,2,proved,
`);
  expect(ended.stderr).toContain(`Wrote ${desk.to("2026-09")}: 4 files.\n`);
  const files = filesIn(desk.to("2026-09"));
  expect(Object.keys(files).toSorted()).toEqual([
    "close.html",
    "close.xlsx",
    "manifest.json",
    `statements/${wallet}.csv`,
  ]);
  expect(files["close.html"]).toContain('<p class="verdict">Every proof holds.</p>');
  // A statement's page labels its columns on a phone by their position; the tables of a close have other columns.
  expect(files["close.html"]).toContain(".wide td::before { content: none; }");
  expect(files["close.html"]).toContain('<div class="wide">\n<table>');
  const statement = await desk.onDay("2026-10-06", `wallet statement ${wallet} --month 2026-09 --csv`);
  expect(files[`statements/${wallet}.csv`]).toBe(statement.stdout);
  const manifest = JSON.parse(files["manifest.json"] ?? "");
  expect(manifest).toMatchObject({ version: 1, month: "2026-09", proved: true });
  const sums = manifest.files.map(({ path, sha256 }: Record<string, string>) => `${sha256}  ${path}\n`).join("");
  const checked = execFileSync("sha256sum", ["--check", "--strict"], { cwd: desk.to("2026-09"), input: sums });
  expect(String(checked)).toBe(`close.html: OK\nclose.xlsx: OK\nstatements/${wallet}.csv: OK\n`);
});

test("a second run on another day writes the same bytes, or leaves the folder as it is", async () => {
  const desk = await closeDesk();
  await desk.close("2026-09", "2026-10-06", "--formats xlsx,ofx,html");
  const first = filesIn(desk.to("2026-09"));
  rmSync(desk.to("2026-09"), { recursive: true });
  // The folder of a killed run, too old to be still in use.
  mkdirSync(join(desk.folder, ".close-2026-09.0a1b2c3d.part"));
  utimesSync(join(desk.folder, ".close-2026-09.0a1b2c3d.part"), new Date("2026-10-06"), new Date("2026-10-06"));
  expect((await desk.close("2026-09", "2026-10-20", "--formats xlsx,ofx,html")).exit).toBe(0);
  expect(filesIn(desk.to("2026-09"))).toEqual(first);
  expect((await desk.close("2026-09", "2026-10-25", "--formats xlsx,ofx,html")).exit).toBe(0);
  expect(readdirSync(desk.folder).filter((name) => name.includes("close-"))).toEqual(["close-2026-09"]);
});

test("a close leaves the unfinished folder of another close alone", async () => {
  const desk = await closeDesk();
  const other = join(desk.folder, ".close-2026-09.0a1b2c3d.part");
  mkdirSync(other);
  const begun = new Date("2026-10-06T08:30:00Z");
  utimesSync(other, begun, begun);
  expect((await desk.close("2026-09", "2026-10-06")).exit).toBe(0);
  expect(existsSync(other)).toBe(true);
});

test("a late row in a closed month is named by status and the next close until that month is closed again", async () => {
  const desk = await closeDesk();
  await desk.close("2026-09", "2026-10-06");
  const before = filesIn(desk.to("2026-09"));
  const late: Line = { ref: "LATE", day: "2026-09-20", amount: 7 };
  desk.writeLines([...september, late, ...october]);
  await desk.onDay("2026-11-02", "ledger sync --start-date 2026-09-01");
  const status = await desk.onDay("2026-11-02", "ledger status");
  expect(status.exit).toBe(9);
  expect(status.stderr).toContain(`The closed month 2026-09 has changed: ${wallet} LATE came late.`);
  const next = await desk.close("2026-10", "2026-11-02");
  expect(next.exit).toBe(9);
  expect(next.stderr).toContain("The closed month 2026-09 has changed");
  expect(next.stderr).toContain("it opens with 987.00, and 2026-09 was closed with 980.00");
  expect(filesIn(desk.to("2026-10"))["close.html"]).toContain("Not every proof holds.");
  const again = await desk.close("2026-09", "2026-11-03");
  expect(again.exit).toBe(9);
  expect(again.stderr).toContain(`The close that was there is now ${desk.to("2026-09")}.before-1.`);
  expect(filesIn(`${desk.to("2026-09")}.before-1`)).toEqual(before);
  expect(filesIn(desk.to("2026-09"))[`statements/${wallet}.csv`]).toContain("LATE");
  expect((await desk.close("2026-09", "2026-11-03")).exit).toBe(0);
  expect(await desk.onDay("2026-11-03", "ledger status")).toMatchObject({ exit: 0 });
  expect((await desk.close("2026-10", "2026-11-03")).exit).toBe(0);
});

test("a folder given with a slash at the end is replaced like any other", async () => {
  const desk = await closeDesk();
  const close = () => desk.onDay("2026-10-06", `close --month 2026-09 --to ${desk.to("2026-09")}/`);
  expect(await close()).toMatchObject({ exit: 0 });
  desk.writeLines([...september, { ref: "LATE", day: "2026-09-29", amount: 7 }, ...october]);
  await desk.onDay("2026-10-06", "ledger sync --start-date 2026-09-01");
  const again = await close();
  expect(again.exit).toBe(9);
  expect(again.stderr).toContain(`The close that was there is now ${desk.to("2026-09")}.before-1.`);
  expect(readdirSync(desk.folder).filter((name) => name.includes("close-"))).toEqual([
    "close-2026-09",
    "close-2026-09.before-1",
  ]);
});

test("a closed month that changed and changed back exits with 9 until it is closed again", async () => {
  const desk = await closeDesk();
  await desk.close("2026-09", "2026-10-06");
  const status = (day: string) => desk.onDay(day, "ledger status");
  desk.writeLines([...september, { ref: "LATE", day: "2026-09-29", amount: 7 }, ...october]);
  await desk.onDay("2026-10-07", "ledger sync --start-date 2026-09-01");
  desk.writeLines([...september, ...october]);
  await desk.onDay("2026-10-08", "ledger sync --start-date 2026-09-01");
  expect(await status("2026-10-08")).toMatchObject({ exit: 9 });
  for (const exit of [9, 0]) expect(await desk.close("2026-09", "2026-10-08")).toMatchObject({ exit });
  expect(await status("2026-10-08")).toMatchObject({ exit: 0 });
});

test("a late row in a closed month is named even if the clock was set back after the close", async () => {
  const desk = await closeDesk();
  await desk.close("2026-09", "2026-10-20");
  desk.writeLines([...september, { ref: "LATE", day: "2026-09-29", amount: 7 }, ...october]);
  await desk.onDay("2026-10-10", "ledger sync --start-date 2026-09-01");
  const said = await desk.onDay("2026-10-10", "ledger status");
  expect(said.exit).toBe(9);
  expect(said.stderr).toContain("The closed month 2026-09 has changed: 9000112233 LATE came late.");
});

test("a row that the service moves into or out of a closed month changes that month", async () => {
  const desk = await closeDesk();
  const moved: Line = { ref: "M1", day: "2026-10-05", amount: -40 };
  desk.writeLines([...september, moved]);
  await desk.close("2026-09", "2026-10-06");
  desk.writeLines([...september, { ...moved, day: "2026-09-30" }]);
  await desk.onDay("2026-10-07", "ledger sync --start-date 2026-09-01");
  const into = await desk.onDay("2026-10-07", "ledger status");
  expect(into.exit).toBe(9);
  expect(into.stderr).toContain("The closed month 2026-09 has changed");
  for (const exit of [9, 0]) expect(await desk.close("2026-09", "2026-10-07")).toMatchObject({ exit });
  desk.writeLines([...september, moved]);
  await desk.onDay("2026-10-08", "ledger sync --start-date 2026-09-01");
  const out = await desk.onDay("2026-10-08", "ledger status");
  expect(out.exit).toBe(9);
  expect(out.stderr).toContain("The closed month 2026-09 has changed");
});

test("identical rows count separately: the close holds, and its statement and a strict statement add up", async () => {
  const desk = await closeDesk();
  const twin = { ref: "T", day: "2026-09-04", amount: 10 };
  desk.writeLines([...september, twin, { ...twin, amount: -10 }, twin]);
  expect(await desk.close("2026-09", "2026-10-06", "--formats html")).toMatchObject({ exit: 0 });
  const files = filesIn(desk.to("2026-09"));
  expect(files["close.html"]).toContain("Every proof holds.");
  expect(files[`statements/${wallet}.html`]).not.toContain("does not add up");
  const strict = await desk.onDay("2026-10-06", `wallet statement ${wallet} --month 2026-09 --strict --csv`);
  expect(strict).toMatchObject({ exit: 0 });
});

test("today's balance of a wallet without rows does not prove a past month, in report and close", async () => {
  const desk = await closeDesk();
  desk.writeLines([]);
  expect((await desk.close("2026-09", "2026-10-06", "--csv")).stdout).toContain(`\n${wallet},0.00,0.00,`);
  const idle = await desk.onDay("2026-10-06", "report cash --month 2026-09 --csv");
  expect(idle).toMatchObject({ exit: 0, stdout: expect.stringContaining(`\n${wallet},0.00,0.00,0.00,0.00,0.00,`) });
  desk.write({ [wallet]: { lines: [], balance: 500 } });
  await desk.onDay("2026-10-07", "ledger sync");
  expect(await desk.onDay("2026-10-07", "ledger status")).toMatchObject({ exit: 9 });
  for (const period of ["--month 2026-09", "--start-date 2026-09-01 --end-date 2026-10-07"]) {
    const report = await desk.onDay("2026-10-07", `report cash ${period} --csv`);
    expect(report.stdout).toContain(`\n${wallet},0.00,0.00,0.00,0.00,0.00,`);
    expect(report.stderr).toContain(`The rows of ${wallet} do not lead to the balance that the service gave.`);
    expect(report.exit).toBe(9);
  }
  expect(await desk.close("2026-09", "2026-10-07", "--check")).toMatchObject({ exit: 9 });
});

test("rows that do not follow exit with 9: written with the place to look at, or not written with --strict", async () => {
  const desk = await closeDesk();
  desk.writeLines([...september, { ref: "J", day: "2026-09-10", jump: 5 }]);
  const strict = await desk.close("2026-09", "2026-10-06", "--strict --csv");
  expect(strict.exit).toBe(9);
  expect(strict.stdout).toContain(",open,the balance does not follow at row J of 2026-09-10\n");
  expect(existsSync(desk.to("2026-09"))).toBe(false);
  expect((await desk.close("2026-09", "2026-10-06")).exit).toBe(9);
  expect(filesIn(desk.to("2026-09"))["close.html"]).toContain(
    `<li>${wallet}: the balance does not follow at row J of 2026-09-10.</li>`,
  );
  expect(readdirSync(desk.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a close of an account that can't be read exits with 5 and writes nothing", async () => {
  const desk = await closeDesk({ isDown: true });
  const { exit, stdout } = await desk.close("2026-09", "2026-10-06");
  expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
  expect(readdirSync(desk.folder).filter((name) => name.includes("close"))).toEqual([]);
});

test("--check proves the month and writes nothing", async () => {
  const desk = await closeDesk();
  const ended = await desk.close("2026-09", "2026-10-06", "--check");
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toMatch(/(^|\n)September 2026 holds; nothing was written\.\n$/);
  expect(readdirSync(desk.folder).filter((name) => name.includes("close"))).toEqual([]);
  expect(existsSync(join(desk.folder, "state", "closes.json"))).toBe(false);
});

test("for a month typed without --month, the whole flag is suggested", async () => {
  const desk = await closeDesk();
  const ended = await desk.onDay("2026-10-06", "close 2026-09");
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toBe("Error: --month is missing.\nHint: Did you mean --month 2026-09?\n");
});

test("--last-month closes the month before this one, and excludes --month", async () => {
  const desk = await closeDesk();
  const ended = await desk.onDay("2026-10-06", "close --last-month --check");
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toMatch(/(^|\n)September 2026 holds; nothing was written\.\n$/);
  const twice = await desk.onDay("2026-10-06", "close --last-month --month 2026-08");
  expect(twice).toMatchObject({ exit: 2, stdout: "" });
  expect(twice.stderr).toContain("The period is given in 2 ways: --month, --last-month.");
});

test("a folder at the destination that is not a close of this month is left alone", async () => {
  const desk = await closeDesk();
  mkdirSync(desk.to("2026-09"));
  writeFileSync(join(desk.to("2026-09"), "mine.txt"), "mine");
  const ended = await desk.close("2026-09", "2026-10-06");
  expect(ended).toMatchObject({ exit: 2, stdout: "", asked: [] });
  expect(filesIn(desk.to("2026-09"))).toEqual({ "mine.txt": "mine" });
  const other = await desk.onDay("2026-11-06", `close --month 2026-10 --to ${desk.to("x")}`);
  expect(other.exit).toBe(0);
  expect((await desk.onDay("2026-11-06", `close --month 2026-09 --to ${desk.to("x")}`)).exit).toBe(2);
});

test("each account is reconciled with its own book when the profile names one", async () => {
  const desk = await closeDesk();
  const { environment, folder } = desk;
  const secrets = join(folder, "secrets.json");
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  const inFolder = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL} --account-id a`;
  await desk.onDay("2026-10-06", `profile add shop ${at} --secrets-from ${secrets}`, inFolder);
  await desk.onDay("2026-10-06", `profile set shop book.path=${folder}/{account}-{month}.csv`, inFolder);
  const close = `close --month 2026-09 --to ${desk.to("2026-09")} -p shop`;
  const without = await desk.onDay("2026-10-06", close, inFolder);
  expect(without.exit).toBe(9);
  expect(without.stderr).toContain("it has no book ");
  const count = Object.keys(filesIn(desk.to("2026-09"))).length;
  expect(without.stderr).toContain(`Wrote ${desk.to("2026-09")}: ${count} files.\n`);
  const book = join(folder, `${wallet}-2026-09.csv`);
  writeFileSync(book, "reference,amount,date\nS1,1000.00,2026-09-02\n");
  const fees = await desk.onDay("2026-10-06", close, inFolder);
  expect(fees.exit).toBe(9);
  const page = join(desk.to("2026-09"), "close.html");
  const rows = join(desk.to("2026-09"), "reconciliations");
  expect(fees.stderr).toContain(`Hint: Look at each: ${page}, and for books ${rows}. Then close the month again.\n`);
  expect(without.stderr).toContain(`Hint: Look at each: ${page}. Then close the month again.\n`);
  const checked = await desk.onDay("2026-10-06", `${close} --check`, inFolder);
  expect(checked.stderr).toContain("Hint: Look at each, and close the month again.\n");
  writeFileSync(book, "reference,amount,date\nS1,1000.00,2026-09-02\nS1-PAYIN,-20.00,2026-09-02\n");
  expect((await desk.onDay("2026-10-06", close, inFolder)).exit).toBe(0);
  const files = filesIn(desk.to("2026-09"));
  expect(files[`reconciliations/${wallet}.csv`]).toContain("matched,S1,1000.00,1000.00");
});

test.each([
  ["--month 2026-10", "The month 2026-10 has not ended yet."],
  ["--month 2026-13", "2026-13"],
  ["--month 2026-09 --formats word", "--formats has no format word."],
  [
    "",
    "--month is missing.\nHint: See what it takes: partner close --help. For example: partner close --month 2026-10\n",
  ],
])("close %s is exit 2", async (line, message) => {
  const desk = await closeDesk();
  const ended = await desk.onDay("2026-10-31", `close ${line}`.trim());
  expect(ended).toMatchObject({ exit: 2, stdout: "", asked: [] });
  expect(ended.stderr).toContain(message);
});

test("a file of closes that is damaged or of a later version exits with 3 and is left unchanged", async () => {
  const desk = await closeDesk();
  mkdirSync(join(desk.folder, "state"), { recursive: true });
  for (const text of ["{", '{"version":2,"closes":[]}']) {
    writeFileSync(join(desk.folder, "state", "closes.json"), text);
    expect((await desk.close("2026-09", "2026-10-06")).exit).toBe(3);
    expect(readFileSync(join(desk.folder, "state", "closes.json"), "utf8")).toBe(text);
  }
});

test("an account of the last close that the ledger no longer has is named until it is read again", async () => {
  const { write, onDay, to, close, folder } = await closeDesk();
  const other = { lines: [{ ref: "M", day: "2026-09-03", amount: 70 }] };
  const one = { lines: [...september, ...october] };
  write({ [wallet]: one, "9000112244": other });
  expect(await close("2026-09", "2026-10-06")).toMatchObject({ exit: 0 });
  // As with a merchant account that nothing names: a lost ledger is read again without it.
  const ledger = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith("ledger.db"));
  rmSync(join(folder, String(ledger)));
  write({ [wallet]: one });
  const said = "9000112244: 2026-09 was closed with 70.00, and the ledger does not hold this account.";
  const ended = await close("2026-10", "2026-11-02");
  expect(ended).toMatchObject({ exit: 9, stderr: expect.stringContaining(`Error: Not every proof holds. ${said}`) });
  expect(readFileSync(join(to("2026-10"), "close.html"), "utf8")).toContain(said);
  write({ [wallet]: one, "9000112244": other });
  await onDay("2026-11-02", "ledger sync --start-date 2026-09-01");
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 0, stderr: expect.not.stringContaining(said) });
});

test("an account with an opening balance that the last close lacks is named in notes and on the page", async () => {
  const { write, to, close } = await closeDesk();
  const one = { lines: [...september, ...october] };
  expect(await close("2026-09", "2026-10-06")).toMatchObject({ exit: 0 });
  const late = { lines: [{ ref: "N", day: "2026-10-20", amount: -5, jump: 500 }] };
  write({ [wallet]: one, "9000112255": late, "9000112266": { lines: [{ ref: "Z", day: "2026-10-07" }] } });
  const said = "9000112255: 2026-09 was closed without it. Nothing proves that it opens with 500.00.";
  const ended = await close("2026-10", "2026-11-02");
  expect(ended).toMatchObject({ exit: 0, stderr: expect.stringContaining(said) });
  expect(ended.stderr).not.toContain("9000112266");
  expect(readFileSync(join(to("2026-10"), "close.html"), "utf8")).toContain(said);
});
