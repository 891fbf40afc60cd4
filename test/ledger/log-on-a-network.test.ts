import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { ledgerDesk } from "../commands/ledger-desk.ts";

test("a ledger moved to a network folder with its log has the rows of both, and has no log from then on", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const [here, share] = [join(folder, "state"), join(folder, "share")];
  const sync = async (...refs: readonly string[]): Promise<void> => {
    write({ 9000112233: { lines: refs.map((ref) => ({ ref, day: "2026-11-02" })) } });
    expect(await onDay("2026-11-06", "ledger sync --start-date 2026-11-01")).toMatchObject({ exit: 0 });
  };
  await sync("A", "B");
  const killed = new DatabaseSync(join(here, "ledger.db"));
  killed.exec("PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema");
  await sync("A", "B", "C");
  mkdirSync(share, { mode: 0o700 });
  for (const name of ["ledger.db", "ledger.db-wal"]) copyFileSync(join(here, name), join(share, name));
  killed.close();
  const files = nodeFiles();
  const mounts = Buffer.from(`34 22 0:30 / ${share} rw - nfs4 server:/x rw\n`);
  const read = (path: string, maxBytes: number) =>
    path === "/proc/self/mountinfo" ? Promise.resolve(mounts) : files.read(path, maxBytes);
  const onShare = {
    environment: { PARTNER_STATE_DIR: share },
    machine: { platform: "linux" },
    host: { files: { ...files, read } },
  };
  const status = await onDay("2026-11-06", "ledger status --csv --columns rows,state --no-header", onShare);
  expect(status).toMatchObject({ exit: 0, stdout: "3,proved\n" });
  expect(existsSync(join(share, "ledger.db-wal"))).toBe(false);
  expect(await onDay("2026-11-06", "ledger sync", onShare)).toMatchObject({ exit: 0 });
});
