import { execFile } from "node:child_process";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { newShared } from "../../journal/shared-places.ts";
import { temporaryFolder } from "../../memory-host.ts";
import { withPostgres } from "../../with-postgres.ts";

const program = join(import.meta.dirname, "../../../bin/partner.js");

withPostgres("a journal that another session keeps locked", (server) => {
  test("names the role with the lock, also to a command that only reads", async () => {
    const address = await newShared(server);
    const other = new Client({ connectionString: address });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE partner.movements IN ACCESS EXCLUSIVE MODE");
    const { exit, stderr } = await listed(address);
    expect(stderr).toContain("is locked by the database role postgres");
    expect(exit).toBe(5);
    await other.end();
    expect(await listed(address)).toMatchObject({ exit: 0 });
  });
});

async function listed(address: string): Promise<{ readonly exit: unknown; readonly stderr: string }> {
  const env = { ...process.env, PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address };
  return new Promise((done) => {
    execFile(process.execPath, [program, "journal", "list"], { env }, (error, _stdout, stderr) =>
      done({ exit: error?.code ?? 0, stderr }),
    );
  });
}
