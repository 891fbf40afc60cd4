import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Partner } from "../simulated.ts";
import type { World } from "../memory-host.ts";
import { test as base } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";

// Personal data that a company must forget after a time, and what its books must still prove.

const test = base.extend({ extensions: true });
const follow = (lines: string, file: string) => spawnSync("python3", ["-c", lines, file], { encoding: "utf8" });
const dayMs = 86_400_000;
const now = Date.UTC(2026, 2, 31, 9);
const personal = /ASHA|JUMA|255712000111|712000111|Salary March|Rent of Asha/i;

const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const [script = "", proofScript = ""] = [...page.matchAll(/```python\n([^`]*)```/g)].map(([, lines]) => lines);
const needsPython = spawnSync("python3", ["--version"]).status === 0 ? "" : " (skipped: needs python3)";

/** A desk on any number of days after its orders. */
function openOffice(partnerIn: (world: World) => Partner) {
  const folder = temporaryFolder();
  const environment = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
  const after = (days: number) => partnerIn({ environment, now: now + days * dayMs, seed: days + 1 });
  return { folder, state: join(folder, "state"), after };
}

/** All bytes of a folder as text. */
function bytesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString("latin1")).join("\n");
}

const transfer =
  'transfer --from 9000112233 --to 9000112244 --amount 700 --description "Rent of Asha Juma" --reference RENT-1 --yes --json';
const payout = (name: string) =>
  `payout --from 9000112233 --to 255712000111 --name "${name}" --amount 25000 --narration "Salary March" --reference SAL-17 --yes --json`;

describe("journal redact", () => {
  test("removes all personal data from every file, and the history still verifies", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    await office.after(0)`${transfer}`;
    await office.after(0)`${payout("ASHA JUMA")}`;
    await office.after(0)`journal resolve SAL-17 --as accepted --evidence "Asha Juma has it" --json`;
    const { stderr } = await office.after(0)`journal export --events --save ${join(office.folder, "before.ndjson")}`;
    const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1] ?? "";
    expect(bytesIn(office.state)).toMatch(personal);

    const looked = await office.after(500)`journal redact --older-than 400d --dry-run --json`;
    expect(JSON.parse(looked.stdout)).toMatchObject({ orders: 2, redacted: false });
    const index = join(office.state, "find.db");
    writeFileSync(index, "terms of ASHA JUMA");
    const redacted = await office.after(500)`journal redact --older-than 400d --yes --json`;
    expect(redacted).toMatchObject({ exit: 0 });
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 2, redacted: true });
    expect(existsSync(index)).toBe(false);

    expect(bytesIn(office.state)).not.toMatch(personal);
    expect(await office.after(500)`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    const shown = JSON.parse((await office.after(500)`journal list --json`).stdout);
    expect(shown).toMatchObject([
      { reference: "RENT-1", state: "accepted" },
      { reference: "SAL-17", state: "accepted" },
    ]);
    expect(JSON.parse((await office.after(500)`journal redact --older-than 400d --yes --json`).stdout)).toMatchObject({
      orders: 0,
    });
  });

  test("keeps references used: the same payout is recognized, and a different one is refused", async ({
    partnerIn,
    simulator,
  }) => {
    const office = openOffice(partnerIn);
    const paid = () => simulator.world.wallet("9000112233")?.entries.length ?? 0;
    await office.after(0)`${payout("ASHA JUMA")}`;
    await office.after(0)`journal resolve SAL-17 --as accepted --evidence seen`;
    const before = paid();
    await office.after(500)`journal redact --older-than 400d --yes`;
    const again = await office.after(500)`${payout("ASHA JUMA")}`;
    expect([again.exit, JSON.parse(again.stdout).state]).toEqual([0, "accepted"]);
    const other = await office.after(500)`${payout("JUMA ASHA")}`;
    expect([other.exit, other.stdout]).toEqual([2, ""]);
    expect(other.stderr).toContain("SAL-17");
    expect(paid()).toBe(before);
  });

  test("skips orders that are pending or unknown, and recent ones", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    await office.after(0)`${payout("ASHA JUMA")}`;
    await office.after(100)`${transfer}`;
    const exported = () => office.after(500)`journal export --events --output ndjson`;
    const before = (await exported()).stdout;
    const redacted = await office.after(450)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 0, batches: 0 });
    expect((await exported()).stdout).toBe(before);
    const later = await office.after(501)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(later.stdout)).toMatchObject({ orders: 1 });
    expect((await exported()).stdout).toMatch(/ASHA JUMA/);
    expect((await exported()).stdout).not.toMatch(/Rent of Asha/);
  });

  test("keeps the ledger proved, and a sync of the same days brings no text back", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    await office.after(0)`${transfer}`;
    await office.after(0)`ledger sync --start-date 2026-03-01`;
    const rows = async (day: number) => JSON.parse((await office.after(day)`ledger status --json`).stdout);
    const before = await rows(0);
    expect(bytesIn(office.state)).toMatch(personal);
    const redacted = await office.after(500)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout).rows).toBeGreaterThan(1);
    expect(bytesIn(office.state)).not.toMatch(personal);
    expect(await rows(500)).toEqual(before);
    expect(await office.after(0)`ledger sync --start-date 2026-03-01`).toMatchObject({ exit: 0 });
    const after = await rows(0);
    expect(after).toEqual(before);
    expect(after.map(({ state }: { state: string }) => state)).not.toContain("broken");
    expect(bytesIn(office.state)).not.toMatch(personal);
    const found = await office.after(0)`find RENT-1 --offline --json`;
    expect(JSON.parse(found.stdout)).toMatchObject([{ state: "accepted" }]);
  });

  test("removes the copy of a batch whose orders are all finished, and keeps one with an open order", async ({
    partnerIn,
  }) => {
    const office = openOffice(partnerIn);
    const file = join(office.folder, "salaries.csv");
    writeFileSync(
      file,
      "reference,from,to,amount,narration,name\nS-1,9000112233,255712000111,5000,Salary March,ASHA JUMA\n",
    );
    await office.after(0)`batch run ${file} --kind payout --yes`;
    const looked = async () =>
      JSON.parse((await office.after(500)`journal redact --older-than 400d --dry-run --json`).stdout);
    expect(await looked()).toMatchObject({ orders: 0, batches: 0 });
    await office.after(1)`journal resolve S-1 --as accepted --evidence seen`;
    expect(await looked()).toMatchObject({ orders: 1, batches: 1 });
    await office.after(500)`journal redact --older-than 400d --yes`;
    expect(bytesIn(office.state)).not.toMatch(personal);
    const again = await office.after(500)`batch run ${file} --kind payout --yes --json`;
    expect(JSON.parse(again.stdout)).toMatchObject([{ reference: "S-1", state: "accepted" }]);
  });

  test("still lets yesterday's payments be noticed when a batch repeats them under new references", async ({
    partnerIn,
  }) => {
    const office = openOffice(partnerIn);
    const [file, twin] = [join(office.folder, "rent.csv"), join(office.folder, "rent-again.csv")];
    writeFileSync(file, "reference,from,to,amount,description\nR-1,9000112233,9000112244,700,Rent of Asha\n");
    writeFileSync(twin, "reference,from,to,amount,description\nR-2,9000112233,9000112244,700,Rent of Asha\n");
    await office.after(0)`batch run ${file} --kind transfer --yes`;
    const redacted = await office.after(1)`journal redact --older-than 1h --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 1, batches: 1 });
    expect(bytesIn(office.state)).not.toMatch(personal);
    const again = await office.after(1)`batch run ${twin} --kind transfer --yes`;
    expect([again.exit, again.stdout]).toEqual([2, ""]);
    expect(again.stderr).toContain("was accepted: R-1");
  });

  test("forgets what an order was like once no window reaches it, even if its texts went earlier", async ({
    partnerIn,
  }) => {
    const office = openOffice(partnerIn);
    const keys = () => {
      const database = new DatabaseSync(join(office.state, "journal.db"), { readOnly: true });
      const rows = database.prepare("SELECT like_key FROM order_keys").all();
      database.close();
      return rows.map((row) => String(row["like_key"]));
    };
    await office.after(0)`${transfer}`;
    const [key] = keys();
    await office.after(1)`journal redact --older-than 1h --yes`;
    expect(keys()).toEqual([key]);
    await office.after(400)`journal redact --older-than 399d --yes`;
    expect(keys()).toEqual([expect.stringMatching(/^redacted-[0-9a-f]{32}$/)]);
  });

  test("warns when even the latest order is old enough, since the clock may be years ahead", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    await office.after(0)`${transfer}`;
    const old = "The latest order is of 2026-03-31, 500 days ago by this machine's clock.";
    const looked = await office.after(500)`journal redact --older-than 400d --dry-run`;
    expect(looked.stderr).toContain(old);
    const terminal = { stdin: true, stdout: true, stderr: true };
    const environment = { PARTNER_CONFIG_DIR: join(office.folder, "config"), PARTNER_STATE_DIR: office.state };
    const person = partnerIn({ environment, now: now + 500 * dayMs, terminal, answers: [false], columns: 80 });
    const asked = await person`journal redact --older-than 400d`;
    expect([asked.exit, asked.stderr]).toEqual([130, expect.stringMatching(/^Warning: The latest order is of /)]);
    expect(bytesIn(office.state)).toMatch(personal);
    await office.after(400)`${transfer.replace("RENT-1", "RENT-2")}`;
    const redacted = await office.after(500)`journal redact --older-than 400d --yes --json`;
    expect([redacted.stderr, JSON.parse(redacted.stdout)]).toMatchObject(["", { orders: 1, redacted: true }]);
  });

  test("without a terminal and --yes changes nothing and exits with 2", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    await office.after(0)`${transfer}`;
    expect(await office.after(500)`journal redact --older-than 400d`).toMatchObject({ exit: 2, stdout: "" });
    expect(bytesIn(office.state)).toMatch(personal);
  });

  test("asks no question when there is nothing to redact, and says so", async ({ partnerIn }) => {
    const terminal = { stdin: true, stdout: true, stderr: true };
    // A question would end the run, as there is no answer.
    const { exit, stdout, stderr } = await partnerIn({
      terminal,
      columns: 80,
    })`journal redact --older-than 400d --json`;
    expect([exit, stderr]).toEqual([0, "There is nothing to redact; nothing was changed.\n"]);
    expect(JSON.parse(stdout)).toMatchObject({ orders: 0, batches: 0, rows: 0, redacted: false });
  });
});

describe.skipIf(needsPython !== "")(`the published script accepts a redacted history${needsPython}`, () => {
  test("from the first line to the last, and notices a changed or missing line", async ({ partnerIn }) => {
    const office = openOffice(partnerIn);
    const [history, proof] = [join(office.folder, "history.ndjson"), join(office.folder, "proof.json")];
    await office.after(0)`${transfer}`;
    await office.after(500)`journal redact --older-than 400d --yes`;
    await office.after(500)`${transfer.replace("RENT-1", "RENT-2")}`;
    const { stderr } = await office.after(500)`journal export --events --save ${history}`;
    const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1];
    await office.after(500)`journal prove RENT-1 --save ${proof}`;
    expect(follow(script, history)).toMatchObject({ status: 0, stdout: `${head}\n` });
    expect(follow(proofScript, proof).status).toBe(0);
    expect(await office.after(500)`journal verify --export ${history} --head ${head ?? ""}`).toMatchObject({ exit: 0 });
    // A redacted line can't be changed, and the line that says it was redacted can't be left out.
    const text = readFileSync(history, "utf8");
    const forgeries = [text.replace("700", "900"), text.replace(/^.*"step":"redact".*\n/m, "")];
    for (const [at, forged] of forgeries.entries()) {
      const file = join(office.folder, `forged-${at}.ndjson`);
      writeFileSync(file, forged);
      expect(forged).not.toBe(text);
      expect(follow(script, file).status).not.toBe(0);
      expect(await office.after(500)`journal verify --export ${file}`).toMatchObject({ exit: 9, stdout: "" });
    }
  });
});

describe("rows that journal recover stored", () => {
  test("lose personal data once their day is old enough, and their references stay used", async ({ partnerIn }) => {
    const [sender, office] = [openOffice(partnerIn), openOffice(partnerIn)];
    await sender.after(0)`${transfer}`;
    await office.after(0)`journal recover --json`;
    expect(bytesIn(office.state)).toMatch(personal);
    expect(JSON.parse((await office.after(1)`journal redact --older-than 400d --yes --json`).stdout)).toMatchObject({
      rows: 0,
    });
    expect(bytesIn(office.state)).toMatch(personal);
    const looked = JSON.parse((await office.after(500)`journal redact --older-than 400d --dry-run --json`).stdout);
    expect(looked.rows).toBeGreaterThan(0);
    const redacted = await office.after(500)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 0, rows: looked.rows, redacted: true });
    expect(bytesIn(office.state)).not.toMatch(personal);
    expect(JSON.parse((await office.after(500)`journal redact --older-than 400d --yes --json`).stdout).rows).toBe(0);
    expect(await office.after(500)`journal verify`).toMatchObject({ exit: 0 });
    const other = transfer.replace("700", "701");
    expect(await office.after(500)`${other}`).toMatchObject({ exit: 2, stdout: "" });
    const journal = new DatabaseSync(join(office.state, "journal.db"));
    expect(() => journal.exec("UPDATE seen SET row = '{}'")).toThrow("what was seen stays");
    expect(() => journal.exec("UPDATE seen SET reference = 'x'")).toThrow("what was seen stays");
    journal.close();
  });
});

withPostgres("journal redact on a shared journal", (server) => {
  test("removes texts from rows that journal recover stored", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const sender = openOffice(partnerIn);
    await sender.after(0)`${transfer}`;
    const host = (days: number) =>
      partnerIn({
        environment: { PARTNER_CONFIG_DIR: join(sender.folder, "host"), PARTNER_JOURNAL_URL: address },
        now: now + days * dayMs,
      });
    await host(0)`journal migrate`;
    await host(0)`journal recover`;
    const seen = async () => JSON.stringify(await server.sql(address, "SELECT * FROM partner.seen"));
    expect(await seen()).toMatch(personal);
    expect(JSON.parse((await host(500)`journal redact --older-than 400d --yes --json`).stdout).rows).toBeGreaterThan(0);
    expect(await seen()).not.toMatch(personal);
    expect(JSON.parse((await host(500)`journal redact --older-than 400d --yes --json`).stdout).rows).toBe(0);
    expect(await host(500)`journal verify`).toMatchObject({ exit: 0 });
    for (const change of ["\"row\" = '{}'", "reference = 'x'", "account_no = 'x', \"row\" = 'redacted-'"])
      await expect(server.sql(address, `UPDATE partner.seen SET ${change}`)).rejects.toThrow("what was seen is kept");
  });

  test("removes texts for every host, and earlier marks and heads still hold", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const folder = temporaryFolder();
    const host = (name: string, days: number) =>
      partnerIn({
        host: { ids: { uuid: randomUUID, bytes: (count) => new Uint8Array(randomBytes(count)), random: () => 0.5 } },
        environment: { PARTNER_CONFIG_DIR: join(folder, name), PARTNER_JOURNAL_URL: address },
        machine: { hostName: name },
        now: now + days * dayMs,
      });
    await host("one", 0)`journal migrate`;
    await host("one", 0)`${payout("ASHA JUMA")}`;
    await host("one", 0)`journal resolve SAL-17 --as accepted --evidence seen`;
    await host("two", 0)`${transfer}`;
    await host("one", 0)`ledger sync --start-date 2026-03-01`;
    const { stderr } = await host("two", 0)`journal export --events --save ${join(folder, "before.ndjson")}`;
    const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1] ?? "";
    const redacted = await host("one", 500)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 2, redacted: true });
    expect(await server.sql(address, "SELECT like_key FROM partner.order_keys WHERE like_key !~ '^redacted-'")).toEqual(
      [],
    );
    const tables = ["movements", "events", "proofs", "ledger_entries", "ledger_changes"];
    for (const table of tables)
      expect(JSON.stringify(await server.sql(address, `SELECT * FROM partner.${table}`))).not.toMatch(personal);
    expect(await host("two", 500)`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    const again = await host("two", 500)`${payout("ASHA JUMA")}`;
    expect([again.exit, JSON.parse(again.stdout).state]).toEqual([0, "accepted"]);
    expect(await host("two", 500)`${payout("JUMA ASHA")}`).toMatchObject({ exit: 2, stdout: "" });
    await host("two", 500)`ledger sync --start-date 2026-03-01`;
    const status = JSON.parse((await host("two", 500)`ledger status --json`).stdout);
    expect(status.filter(({ changed }: { changed: number }) => changed > 0)).toEqual([]);
    await expect(server.sql(address, "UPDATE partner.events SET note = 'x', line_hash = 'x'")).rejects.toThrow(
      "never changed",
    );
  });
});
