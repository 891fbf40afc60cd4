import { copyFileSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ledgerDesk } from "../commands/ledger-desk.ts";

const linesUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ref: `R${index}`, day: "2026-11-02", narration: "n".repeat(200) }));

test("a ledger next to the log of a later time is refused and unchanged, and has its rows without that log", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const wallet = "9000112233";
  const ledger = join(folder, "state/ledger.db");
  const sync = async (count: number): Promise<void> => {
    write({ [wallet]: { lines: linesUpTo(count) } });
    expect(await onDay("2026-11-06", "ledger sync --start-date 2026-11-01")).toMatchObject({ exit: 0 });
  };
  await sync(200);
  copyFileSync(ledger, join(folder, "backup"));
  await sync(400);
  const killed = new DatabaseSync(ledger);
  killed.exec("PRAGMA journal_mode = WAL");
  await sync(450);
  copyFileSync(`${ledger}-wal`, join(folder, "log"));
  killed.close();
  copyFileSync(join(folder, "backup"), ledger);
  copyFileSync(join(folder, "log"), `${ledger}-wal`);
  const bytes = () => [ledger, `${ledger}-wal`].map((path) => readFileSync(path));
  const before = bytes();
  for (const line of ["ledger status", "report cash --month 2026-11", "ledger sync"])
    expect(await onDay("2026-11-06", line)).toMatchObject({ exit: 3, stderr: expect.stringContaining("is damaged: ") });
  expect(bytes()).toEqual(before);
  renameSync(`${ledger}-wal`, join(folder, "away"));
  const count = await onDay("2026-11-06", "ledger sql --csv --no-header 'SELECT count(*) FROM rows'");
  expect(count).toMatchObject({ exit: 0, stdout: "200\n" });
});
