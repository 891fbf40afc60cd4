import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "../commands/ledger-desk.ts";

/** Locks the ledger for three seconds, like a sync that merges a large log into it at its end. */
const sole = `
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE other (x); DROP TABLE other");
  console.log("sole");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), 3_000);
`;

test("a command waits for a ledger whose log another process is merging", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  write({ 9000112233: { lines: [{ ref: "A", day: "2026-11-02" }] } });
  expect(await onDay("2026-11-06", "ledger sync --start-date 2026-11-01")).toMatchObject({ exit: 0 });
  const other = spawn(process.execPath, ["--eval", sole, join(folder, "state/ledger.db")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(other.stdout, "data");
  expect(await onDay("2026-11-06", "ledger status --csv --columns state --no-header")).toMatchObject({
    exit: 0,
    stdout: "proved\n",
  });
});
