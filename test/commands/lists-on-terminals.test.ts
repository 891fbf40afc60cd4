import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import type { Partner } from "../simulated.ts";
import { test } from "../simulated.ts";
import { run, words } from "../partner.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { newMachine, now, send } from "../webhooks/listening.ts";

const names = ["José Ng'ombe wa Kariakoo, duka la vifaa vya ujenzi", "株式会社東京建設資材販売", "شركة النور للتجارة"];

/** Makes a batch of three transfers with texts in several scripts, and orders of two more kinds. */
async function worked(partner: Partner): Promise<{ readonly batch: string }> {
  for (const line of [
    "withdraw --account 9000112233 --amount 1500000.50 --narration October --reference PAYOUT-2026-10-01",
    "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Invoice --reference INV-2026-0042 --callback-url https://h.example/x",
  ])
    expect(await partner`${line} --yes`).toMatchObject({ exit: 0 });
  const file = join(temporaryFolder(), "salaries.csv");
  const rows = names.map((name, index) => `SAL-2026-40-00${index + 1},9000112244,${250000 + index},"${name}"\n`);
  writeFileSync(file, `reference,to,amount,description\n${rows.join("")}`);
  const line = `batch run ${file} --kind transfer --from 9000112233 --yes`;
  expect(await partner`${line}`).toMatchObject({ exit: 0 });
  const { batch }: { batch: string } = JSON.parse(
    (await partner`${line.replace("run", "check").replace("--yes", "--json")}`).stdout,
  );
  return { batch };
}

/** Each list by its command, with its headings on 80 columns by their role. */
const lists: readonly {
  readonly command: string;
  readonly roles: Readonly<Record<string, string>>;
  /** Texts that identify a row: they are shown in full on a terminal of any width. */
  readonly identify: readonly string[];
}[] = [
  {
    command: "wallets list",
    roles: { who: "account", what: "name", money: "balance" },
    identify: ["9000112233", "0560066551200", "12,345,678,901,234,567.10 CDF|12,345,678,901,234,567.10  CDF"],
  },
  {
    command: "wallet statement 9000112233 --date 2026-03-30",
    roles: { when: "value date", what: "narration", money: "amount (TZS)  balance (TZS)" },
    identify: ["2026-03-30", "Mishahara", "257,000.00", "37,738,994.00"],
  },
  {
    command: "account statement 0150387654321 --date 2026-03-30",
    roles: { when: "value date", what: "narration", money: "amount (TZS)  available (TZS)" },
    identify: ["2026-03-30", "193,000.00", "35,832,967.53"],
  },
  {
    command: "journal list",
    roles: { when: "time", what: "kind", who: "from → to", money: "amount", state: "state" },
    identify: ["12:00", "SAL-2026-40-001", "PAYOUT-2026-10-01", "INV-2026-0042", "1,500,000.50", "accepted", "pending"],
  },
  {
    command: "batch report BATCH",
    roles: { what: "reference", who: "receiver", money: "amount", state: "state" },
    identify: ["SAL-2026-40-001", "SAL-2026-40-003", "250,002.00", "accepted"],
  },
  {
    command: "reconcile --account 9000112233 --date 2026-03-31",
    roles: { state: "class", when: "date", what: "reference", money: "statement (TZS)" },
    identify: ["SAL-2026-40-001", "PAYOUT-2026-10-01", "-1,500,000.50", "2026-03-31"],
  },
  { command: "institutions", roles: { what: "institution code  name" }, identify: ["TZ-TIGO-B2C", "Exim Bank"] },
  { command: "doctor", roles: { what: "check", state: "result" }, identify: ["journal", "PARTNER_SECRET_KEY"] },
  { command: "profile show", roles: { what: "name", state: "source" }, identify: ["environment", "simulator"] },
  { command: "profile check", roles: { what: "group", state: "result" }, identify: ["accepted"] },
];

test("every list shows a column of each role on 80 columns, and what identifies a row on any width", async ({
  partnerIn,
}) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const { batch } = await worked(partnerIn({ environment }));
  for (const columns of [80, 0, 60, 59, 30, 1, 500]) {
    const partner = partnerIn({ environment, terminal: { stdout: true }, columns });
    for (const { command, roles, identify } of lists) {
      const { stdout } = await partner`${command.replace("BATCH", batch)}`;
      const [headings = ""] = stdout.split("─");
      const missing = identify.filter((text) => !text.split("|").some((form) => stdout.includes(form)));
      if (columns === 80 || columns === 0)
        missing.push(...Object.values(roles).filter((heading) => !headings.includes(heading)));
      // Hints, and the checksum of a file, have words longer than a line.
      const isFitted =
        columns >= (command.startsWith("reconcile") ? 80 : 60) && !/^(?:doctor|profile show)/.test(command);
      const tooLong = isFitted ? stdout.split("\n").filter((line) => line.length > columns) : [];
      expect({ command, columns, missing, tooLong }).toEqual({ command, columns, missing: [], tooLong: [] });
    }
  }
});

test("journal list on 80 columns shows the main columns, and ids in full with --full-ids", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const quiet = partnerIn({ environment });
  const partner = partnerIn({ environment, terminal: { stdout: true } });
  await quiet`collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Invoice --reference INV-2026-0042 --callback-url https://h.example/x --yes`;
  const [id = ""] = (await quiet`journal list --columns id --csv --no-header`).stdout.split("\n");
  expect((await partner`journal list`).stdout)
    .toBe(`time   kind     from → to          amount  currency  state    reference
─────  ───────  ──────────────  ─────────  ────────  ───────  ─────────────
12:00  collect  255712345678 →  15,000.00  TZS       pending  INV-2026-0042
`);
  const full = await partner`journal list --full-ids`;
  expect(full.stdout).toContain(`    ${id}\n`);
  const wide = partnerIn({ environment, terminal: { stdout: true }, columns: 200 });
  expect((await wide`journal list`).stdout).toMatch(new RegExp(` ${id.slice(0, 8)}  `));
  const tomorrow = partnerIn({ environment, terminal: { stdout: true }, now: Date.UTC(2026, 3, 1, 9) });
  expect((await tomorrow`journal list`).stdout).toContain("\n2026-03-31 12:00  collect  ");
  expect((await quiet`journal list --full-ids`).stdout).toBe((await quiet`journal list`).stdout);
});

test("reconcile on 80 columns prints a line for each row, and below it what is open and by how much", async ({
  partnerIn,
}) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const quiet = partnerIn({ environment });
  const partner = partnerIn({ environment, terminal: { stdout: true } });
  await quiet`transfer --from 9000112244 --to 9000112233 --amount 250000 --description rent --reference R-1 --yes`;
  const book = join(temporaryFolder(), "book.csv");
  writeFileSync(book, "Ref,Amount,Date\nR-1,-250100,2026-03-31\nR-2,-70,2026-03-31\n");
  const line = `reconcile --account 9000112244 --date 2026-03-31 --book ${book} --book-reference Ref --book-amount Amount --book-date Date`;
  const shown = await partner`${line}`;
  expect(shown.exit).toBe(9);
  expect(shown.stdout).toMatch(
    /^date +class +reference +statement \(TZS\) +book \(TZS\)\n[─ ]+\n2026-03-31 +differing +R-1 +-250,000\.00 +-250,100\.00\n {4}difference 100\.00; /,
  );
  expect(shown.stdout).toMatch(/\n2026-03-31 +in transit +R-2 +-70\.00\n/);
  const off = await quiet`${line}`;
  expect(off.stdout).toMatch(/^class +reference +statement \(TZS\) +book \(TZS\) +difference \(TZS\) +date +note\n/);
});

test("totals below a list fit a narrow terminal, with each figure on its own line", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const partner = partnerIn({ environment, terminal: { stdout: true }, columns: 40 });
  const { stdout } = await partner`reconcile --account 9000112233 --date 2026-03-30`;
  expect(stdout).toContain(`
only in statement
  rows                    2
  statement   -2,257,000.00
  book                 0.00
  difference  -2,257,000.00
`);
  expect(stdout).toMatch(/\n {4}sha256 [0-9a-f]{16}…\n/);
  await partner`ledger sync --start-date 2026-03-01`;
  const cash = await partner`report cash --this-month --account 9000112233`;
  expect(cash.stdout).toMatch(
    /\ntotal TZS\n {2}opening {2}[\d,.]+\n {2}in {7}[\d,.]+\n {2}out {6}[\d,.]+\n {2}fees {5,}[\d,.]+\n {2}closing {2}[\d,.]+\n$/,
  );
  for (const text of [stdout, cash.stdout]) expect(text.split("\n").filter((line) => line.length > 40)).toEqual([]);
  const wide = await partnerIn({ environment })`report cash --this-month --account 9000112233`;
  expect(wide.stdout).toMatch(
    /\ntotal TZS: opening [\d,.]+, in [\d,.]+, out [\d,.]+, fees [\d,.]+, closing [\d,.]+\n$/,
  );
});

test("reconcile --all on 80 columns prints a line for each account, and below it what is open", async ({
  partnerIn,
}) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const partner = partnerIn({ environment, terminal: { stdout: true } });
  const { stdout } = await partner`reconcile --all --date 2026-03-30`;
  expect(stdout).toMatch(/^account +result +closing +per book\n/);
  expect(stdout).toMatch(
    /\n9000112233 +differs +37,737,494\.00 TZS\n {4}2 only in statement, 1 fee not in book; fees not in book 1,500\.00\n/,
  );
  expect(stdout).toMatch(/\n0720011223344 +agrees +0\.00 KES\n/);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const machine = await partnerIn({ environment })`reconcile --all --date 2026-03-30 --csv`;
  expect(machine.stdout).toMatch(/^account,exit,matched,exceptions,closing,/);
});

test("webhook inbox list on 80 columns shows time, account, amount, reference and state", async () => {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  expect((await send(url, "A")).status).toBe(200);
  await stop();
  const environment = {
    PARTNER_CONFIG_DIR: join(machine.folder, "config"),
    PARTNER_STATE_DIR: join(machine.folder, "state"),
  };
  const listed = async (columns: number) =>
    (await run(words("webhook inbox list"), { now, environment, terminal: { stdout: true }, columns })).stdout;
  expect(await listed(80)).toBe(`received  account         amount  currency  reference       state  id  attempts
────────  ──────────  ──────────  ────────  ──────────────  ─────  ──  ────────
12:00     1234567890  +50,000.00  TZS       TXN-REF-123456  new    A          0
`);
  expect(await listed(40)).toBe(`12:00  1234567890  TXN-REF-123456  new
  amount (TZS)  +50,000.00
`);
});

describe.skipIf(!hasTmux)(`in a real terminal${hasTmux ? "" : " (needs tmux)"}`, { timeout: 120_000 }, () => {
  test("a statement and the journal fit on 80 columns and 24 lines", async ({ simulator, partnerIn }) => {
    const folders = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const environment = { ...environmentFor(simulator), ...folders, PARTNER_STATE_DIR: folders.PARTNER_CONFIG_DIR };
    await worked(partnerIn({ environment }));
    const size = { columns: 80, rows: 24 };
    const statement = openTerminal(["wallet", "statement", "9000112233", "--date", "2026-03-30"], environment, size);
    const rows = (await statement.shows("exit 0")).split("\n");
    expect(rows[1]).toMatch(/^value date  narration +amount \(TZS\)  balance \(TZS\)$/);
    expect(rows[4]).toMatch(/^2026-03-30  Malipo kwa José Ng'ombe +-257,000\.00  37,738,994\.00$/);
    const journal = openTerminal(["journal", "list"], environment, size);
    const listed = (await journal.shows("exit 0")).split("\n");
    expect(listed.find((line) => line.includes("→ 9000…2244"))).toMatch(
      / transfer {2}9000…2233 → 9000…2244 +250,000\.00 +accepted$/,
    );
    expect(listed).toContainEqual(expect.stringMatching(/^ {4}reference SAL-2026-40-001 {2}id [0-9a-f]{8}$/));
  });
});
