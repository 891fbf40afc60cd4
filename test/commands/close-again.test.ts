import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import type { Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { World } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A closed month that has changed since is never closed again silently.

const wallet = "9000112233";
const rows: readonly Line[] = [
  { ref: "A1", day: "2026-10-01", amount: 1200 },
  { ref: "A3", day: "2026-10-03", amount: 70 },
  { ref: "A4", day: "2026-10-04", amount: -70 },
  { ref: "A5", day: "2026-10-31", amount: -30 },
];
const withoutPair = rows.filter(({ ref }) => ref !== "A3" && ref !== "A4");
const changed = `2026-10 was closed on 2026-11-20, and has changed since: ${wallet} A3 vanished; ${wallet} A4 vanished.`;
const figures = `${wallet}: 2026-10 was closed on 2026-11-20 with opening 0.00, closing 1,170.00, 4 rows. Now: opening 0.00, closing 1,170.00, 2 rows.`;

/** October was closed with all rows; now the service lacks two of them. */
async function desk() {
  const { onDay, write, folder } = await ledgerDesk();
  const to = join(folder, "close-2026-10");
  const partner = (line: string, world: World = {}) => onDay("2026-11-20", line, world);
  const close = (flags = "", world: World = {}) => partner(`close --month 2026-10 --to ${to} ${flags}`.trim(), world);
  const books = (lines: readonly Line[]) => write({ [wallet]: { lines } });
  books(rows);
  expect(await close()).toMatchObject({ exit: 0 });
  books(withoutPair);
  return { partner, books, close, to, page: () => readFileSync(join(to, "close.html"), "utf8") };
}

test("--check of a closed month names what has changed since, and exits with 9 like ledger status", async () => {
  const { partner, close, page } = await desk();
  const before = page();
  for (const flags of ["--check", "--strict"]) {
    const checked = await close(flags);
    expect(checked.exit).toBe(9);
    expect(checked.stderr).toContain(changed);
    expect(checked.stderr).toContain(figures);
    expect(page()).toBe(before);
    expect(await partner("ledger status")).toMatchObject({ exit: 9 });
  }
});

test("closing a changed month again exits with 9 and names the change everywhere; the next close exits with 0", async () => {
  const { partner, close, page, to } = await desk();
  const again = await close();
  expect(again.exit).toBe(9);
  expect(again.stderr).toContain(changed);
  expect(again.stderr).toContain(figures);
  expect(again.stderr).toContain(`The close that was there is now ${to}.before-1.`);
  expect(again.stderr).toContain("closing it once more ends with 0");
  const written = page();
  for (const line of [changed, figures]) expect(written).toContain(`<li>${line}</li>`);
  const { sheets } = await readXlsx(readFileSync(join(to, "close.xlsx")));
  expect(sheets[0]?.rows.flat()).toEqual(expect.arrayContaining([changed, figures]));
  expect(await partner("ledger status")).toMatchObject({ exit: 0 });
  for (const flags of ["--check", "", "--strict"]) {
    expect(await close(flags)).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("before-2") });
    expect(page()).toBe(written);
  }
});

test("a month closed without its proofs is closed again with 0 when its missing rows come, with the new figures", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const close = () => onDay("2026-11-20", `close --month 2026-10 --to ${join(folder, "close")}`);
  const [first, ...others] = rows;
  write({ [wallet]: { lines: [{ ...(first ?? others[0] ?? { ref: "", day: "" }) }], balance: 1270 } });
  expect(await close()).toMatchObject({ exit: 9 });
  write({ [wallet]: { lines: rows.slice(0, 2) } });
  expect(await close()).toMatchObject({ exit: 0, stderr: expect.stringContaining("closing 1,270.00, 2 rows.") });
});

test("a month whose balances alone moved with the month before is closed again with 0, with the new figures", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const close = (month: string) => onDay("2026-11-20", `close --month ${month} --to ${join(folder, month)}`);
  const september: Line = { ref: "S", day: "2026-09-09", amount: 5 };
  write({ [wallet]: { lines: [september, ...rows] } });
  for (const month of ["2026-09", "2026-10"]) expect(await close(month)).toMatchObject({ exit: 0 });
  write({ [wallet]: { lines: [september, { ...september, ref: "LATE" }, ...rows] } });
  expect(await close("2026-09")).toMatchObject({ exit: 9 });
  const october = await close("2026-10");
  expect(october.stderr).toContain(
    "with opening 5.00, closing 1,175.00, 4 rows. Now: opening 10.00, closing 1,180.00, 4 rows.",
  );
  expect(october.exit).toBe(0);
});

test.each([
  [`statements/${wallet}.csv`, "170.00", "970.00"],
  ["manifest.json", '"bytes": ', '"bytes": 1'],
])("when %s of a closed folder has been changed, --check and the next close report it", async (name, from, by) => {
  const { partner, books, close, to } = await desk();
  books(rows);
  expect(await close("--check")).toMatchObject({ exit: 0 });
  const path = join(to, name);
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, whole.replace(from, by));
  const said = `${path} is not what the close wrote: something has changed it.`;
  for (const flags of ["--check", "--strict"])
    expect(await close(flags)).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  const again = await close();
  expect(again).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  expect(again.stderr).toContain(`The close that was there is now ${to}.before-1.`);
  expect(readFileSync(path, "utf8")).toBe(whole);
  for (const flags of ["--check", ""]) expect(await close(flags)).toMatchObject({ exit: 0 });
  rmSync(join(to, "close.xlsx"));
  const lost = `${join(to, "close.xlsx")} is not what the close wrote`;
  expect(await close("--check")).toMatchObject({ exit: 9, stderr: expect.stringContaining(lost) });
  expect(await partner("ledger status")).toMatchObject({ exit: 0 });
});

test.each([
  ["is gone", (manifest: string) => rmSync(manifest), (manifest: string) => `There is no ${manifest}: `],
  [
    "is that of another month",
    (manifest: string) => writeFileSync(manifest, readFileSync(manifest, "utf8").replace("2026-10", "2026-09")),
    (manifest: string) => `${manifest} is of another month: `,
  ],
  [
    "is not JSON any more",
    (manifest: string) => writeFileSync(manifest, "{"),
    (manifest: string) => `${manifest} is not JSON: `,
  ],
])(
  "when the manifest of a closed folder %s, --check says that nothing can be compared, and close refuses",
  async (_, change, problem) => {
    const { books, close, to } = await desk();
    books(rows);
    const manifest = join(to, "manifest.json");
    change(manifest);
    const said = `${problem(manifest)}nothing compares the folder with the close. Move it away before you close the month there.`;
    expect(await close("--check")).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
    expect(await close()).toMatchObject({ exit: 2 });
    renameSync(to, `${to}.away`);
    expect(await close()).toMatchObject({ exit: 0 });
    expect(await close("--check")).toMatchObject({ exit: 0 });
  },
);

test("--check ignores a folder that is the close of another account", async () => {
  const { books, close, to } = await desk();
  books(rows);
  const manifest = join(to, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"account": ".*"/, '"account": "other"'));
  expect(await close("--check")).toMatchObject({ exit: 0 });
});

function noRoom(): Promise<never> {
  return Promise.reject(Object.assign(new Error("no room"), { code: "ENOSPC" }));
}

test("a full disk is reported with the folder, whichever file is being written, and the earlier close stays", async () => {
  const { partner, books, close, to, page } = await desk();
  books(rows);
  const before = page();
  const files = nodeFiles();
  for (const ending of [`${wallet}.csv`, "close.xlsx", "manifest.json"]) {
    const full: Files = {
      ...files,
      draft: (path, mode) => (path.endsWith(ending) ? noRoom() : files.draft(path, mode)),
    };
    const ended = await close("", { host: { files: full } });
    expect(ended).toMatchObject({ exit: 5, stdout: "" });
    expect(ended.stderr).toBe(
      `Error: --to ${to} could not be written: the disk is full.\nHint: The file that was there is unchanged. Make room or name another file with --to.\n`,
    );
  }
  expect(page()).toBe(before);
  expect(await partner("ledger status")).toMatchObject({ exit: 0 });
});

test("a close in a folder that can't be listed is written and reported", async () => {
  const { close, to, page } = await desk();
  const files = nodeFiles();
  const unlisted: Files = {
    ...files,
    names: (folder) =>
      folder === dirname(to) ? Promise.reject(Object.assign(new Error("no"), { code: "EACCES" })) : files.names(folder),
  };
  const before = page();
  const closed = await close("", { host: { files: unlisted } });
  expect(closed).toMatchObject({ exit: 9, stderr: expect.stringContaining(`Wrote ${to}: `) });
  expect(page()).not.toBe(before);
});

test("when a close can't be moved into its place, the earlier close stays", async () => {
  const { close, to, page } = await desk();
  const before = page();
  const files = nodeFiles();
  const full: Files = {
    ...files,
    renameFolder: (from, target) =>
      from.endsWith(".part") && target === to ? noRoom() : files.renameFolder(from, target),
  };
  const ended = await close("", { host: { files: full } });
  expect(ended).toMatchObject({ exit: 5, stdout: "" });
  expect(ended.stderr).toContain("The file that was there is unchanged.");
  expect(page()).toBe(before);
  expect(readdirSync(dirname(to)).filter((name) => name.includes("close-2026-10"))).toEqual(["close-2026-10"]);
  const again = await close();
  expect(again.exit).toBe(9);
  expect(again.stderr).toContain(`The close that was there is now ${to}.before-1.`);
});

test("after an old ledger was restored, the next close names the changed rows of a closed month", async () => {
  const { onDay, write, folder, environment } = await ledgerDesk();
  const ledger = join(environment.PARTNER_STATE_DIR, "ledger.db");
  const close = (month: string, day: string) => onDay(day, `close --month ${month} --to ${join(folder, month)}`);
  write({ [wallet]: { lines: [] } });
  await onDay("2026-09-30", "ledger sync --start-date 2026-09-01");
  copyFileSync(ledger, `${ledger}.old`);
  write({ [wallet]: { lines: rows } });
  expect(await close("2026-10", "2026-11-20")).toMatchObject({ exit: 0 });
  copyFileSync(`${ledger}.old`, ledger);
  write({ [wallet]: { lines: withoutPair } });
  const next = await close("2026-11", "2026-12-02");
  expect(next.exit).toBe(9);
  expect(next.stderr).toContain(figures);
  expect(await close("2026-10", "2026-12-02")).toMatchObject({ exit: 9 });
  expect(await close("2026-10", "2026-12-02")).toMatchObject({ exit: 0 });
  expect(await close("2026-11", "2026-12-02")).toMatchObject({ exit: 0 });
});

test("a person's own file stays in the close's folder, and moves away with that folder when it is replaced", async () => {
  const { books, close, to } = await desk();
  books(rows);
  const own = join("statements", "signed.pdf");
  writeFileSync(join(to, own), "signed");
  expect(await close()).toMatchObject({ exit: 0 });
  expect(await close("--check")).toMatchObject({ exit: 0 });
  expect(readFileSync(join(to, own), "utf8")).toBe("signed");
  books(withoutPair);
  expect(await close()).toMatchObject({ exit: 9 });
  expect(readFileSync(join(`${to}.before-1`, own), "utf8")).toBe("signed");
  expect(readdirSync(join(to, "statements"))).toEqual([`${wallet}.csv`]);
});
