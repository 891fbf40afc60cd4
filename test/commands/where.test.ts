import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { newMachine, send } from "../webhooks/listening.ts";
import { rulesFile } from "./rules-file.ts";
import { ask, ok } from "./served.ts";

const wallets = [
  '{"accountNo":"1","accountName":"Main","balance":100.50,"currency":"TZS","type":"DISBURSEMENT"}',
  '{"accountNo":"2","accountName":"Test till","balance":7.25,"currency":"KES","region":"coast"}',
].join(",");

const list = (condition: string, ...more: string[]) =>
  ask(["wallets", "list", "--where", condition, ...more], ok(`[${wallets}]`));

test("wallets list shows only matching wallets and their totals", async () => {
  expect(await list("balance>7.25", "--columns", "accountNo,balance")).toMatchObject({
    exit: 0,
    stdout: "account     balance\n1        100.50 TZS\ntotal TZS 100.50\n",
    stderr: "1 of 2 rows matches --where.\n",
  });
  expect((await list('accountName~"TEST"', "--json", "--columns", "accountNo")).stdout).toBe(
    '[\n  {\n    "accountNo": "2"\n  }\n]\n',
  );
  expect(await list("currency=USD", "--csv")).toMatchObject({
    exit: 0,
    stdout: "accountNo,accountName,type,balance,currency,countryCode\n",
  });
  expect(await list("currency=USD")).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "No row matches --where.\n0 of 2 rows match --where.\n",
  });
});

test("a field beyond the specification can be used, but one in no row ends with 2", async () => {
  expect((await list("region=coast", "--json")).stdout).toContain('"accountNo": "2"');
  const unknown = await list("balence>1", "--json");
  expect(unknown).toMatchObject({ exit: 2, stdout: "" });
  expect(unknown.stderr).toContain('There is no column "balence" in this result.\nHint: Did you mean balance? ');
  expect(unknown.stderr).not.toContain("rows match");
  expect(await ask("institutions --where name=x", ok("[]"))).toMatchObject({ exit: 0 });
});

test("an invalid condition is refused before any request", async () => {
  for (const condition of ["balance>", "balance>much", ""])
    expect(await ask(["wallets", "list", "--where", condition], ok("[]"))).toMatchObject({
      exit: 2,
      stdout: "",
    });
  expect((await ask(["wallets", "list", "--where", "balance>"], ok("[]"))).requests).toEqual([]);
});

test("a statement shows the rows that match a signed amount, but still checks all rows", async ({ partner }) => {
  const all = await partner`wallet statement 9000112233 --this-month --json`;
  const rows: { amountDebited: number | null }[] = JSON.parse(all.stdout);
  const outgoing = rows.filter(({ amountDebited }) => amountDebited !== null && amountDebited > 0);
  expect(outgoing.length).toBeGreaterThan(0);
  for (const more of ["", "--by month"]) {
    const { exit, stdout, stderr } =
      await partner`wallet statement 9000112233 --this-month --json --where amount<0 ${more}`;
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual(outgoing);
    expect(stderr).toContain(`${rows.length} rows, `);
    expect(stderr).toContain(`${outgoing.length} of ${rows.length} rows match --where.\n`);
  }
  const table = await partner`wallet statement 9000112233 --this-month --where amount<0`;
  expect(table).toMatchObject({ exit: 0 });
});

test("a file of every row refuses a condition", async ({ partner }) => {
  const file = join(temporaryFolder(), "w.xlsx");
  const workbook = await partner`wallet statement 9000112233 --this-month --where amount<0 --save ${file}`;
  expect(workbook).toMatchObject({ exit: 2, stdout: "" });
  expect(workbook.stderr).toContain("--where cannot be used with xlsx: such a file holds every row.");
  const continued =
    await partner`wallet statement 9000112233 --since-last --start-date 2026-03-01 --where amount<0 --save ${file}.csv`;
  expect(continued.stderr).toContain("--where cannot be used with --since-last");
  const history = await partner`journal export --events --where state=x`;
  expect(history).toMatchObject({ exit: 2, stdout: "" });
});

test("orders are filtered before --limit and --fail-if-any", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  for (const amount of [100, 2000, 300, 4000])
    await partner`transfer --from 9000112233 --to 9000112244 --amount ${amount} --description d --reference R-${amount} --yes --again`;
  const listed = async (line: string) => {
    const { stdout } = await partner`journal list --columns reference --csv --no-header ${line}`;
    return stdout.trim().split("\n");
  };
  expect(await listed("--where amount>=300")).toEqual(["R-2000", "R-300", "R-4000"]);
  expect(await listed("--where amount<1000 --limit 1")).toEqual(["R-300"]);
  expect(await listed("--where request.description~r-2000")).toEqual(["R-2000"]);
  expect(await partner`journal list --where amount>9000 --fail-if-any`).toMatchObject({ exit: 0 });
  expect(await partner`journal list --where amount>3000 --fail-if-any`).toMatchObject({ exit: 6 });
  expect((await partner`journal export --where amount>3000 --limit 2 --csv`).stdout.split("\n")).toHaveLength(3);
  expect(await partner`journal list --where amout>3000`).toMatchObject({ exit: 2, stdout: "" });
});

test("a reconciliation shows matching rows, but its exit code depends on all rows", async ({ partner }) => {
  const line = "reconcile --account 9000112233 --date 2026-03-30";
  const all: { rows: { class: string; statementAmount: number }[] } = JSON.parse(
    (await partner`${line} --json`).stdout,
  );
  const large = all.rows.filter(({ statementAmount }) => statementAmount < -100_000);
  expect([large.length > 0, large.length < all.rows.length]).toEqual([true, true]);
  const { exit, stdout, stderr } = await partner`${line} --json --where statementAmount<-100000`;
  expect(exit).toBe(9);
  expect(JSON.parse(stdout)).toEqual({ ...all, rows: large });
  expect(stderr).toContain(`${large.length} of ${all.rows.length} rows match --where.\n`);
  expect(await partner`${line} --where amout>5 --json`).toMatchObject({ exit: 2, stdout: "" });
  const workbook = await partner`${line} --where class=matched --save ${join(temporaryFolder(), "r.xlsx")}`;
  expect(workbook).toMatchObject({ exit: 2, stderr: expect.stringContaining("--where cannot be used with xlsx") });
  const every = await partner`reconcile --all --date 2026-03-30 --csv --columns account --where account=9000112233`;
  expect(every.stdout).toBe("account\n9000112233\n");
});

test("balances, rules check, doctor and ledger status can be filtered", async ({ partner }) => {
  expect((await partner`wallet balance --all --csv --columns accountNo --where currencyCode=KES`).stdout).toBe(
    "accountNo\n9000445566\n9000445577\n0720011223344\n",
  );
  expect(await partner`wallet balance 9000112233 --where currencyCode=KES`).toMatchObject({ exit: 2, stdout: "" });
  expect((await partner`doctor --csv --columns check --where check=clock`).stdout).toBe("check\nclock\n");
  const status = await partner`ledger status --csv --columns account --where account=9000112233`;
  expect([status.exit, status.stdout]).toEqual([9, "account\n9000112233\n"]);
  const rules = join(temporaryFolder(), "rules.json");
  writeFileSync(rules, '{"rules":[{"when":{"narration":"fee"},"then":{"fee":true}}]}');
  const line = `rules check --rules ${rules} --account 9000112233 --month 2026-03 --csv --columns does --no-header`;
  const { stdout, stderr } = await partner`${line} --where does=fee`;
  expect(new Set(stdout.trimEnd().split("\n"))).toEqual(new Set(["fee"]));
  expect(stderr).toMatch(/^Rule 1: \d+ rows\.$/m);
});

test("every list in the manifest takes a condition, and those of the service refuse an invalid one unasked", async () => {
  const manifest: { commands: Record<string, { flags: object }> } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../oclif.manifest.json"), "utf8"),
  );
  const ids = Object.keys(manifest.commands);
  const filtered = ids.filter((id) => "where" in (manifest.commands[id]?.flags ?? {}));
  expect(ids.filter((id) => id.endsWith("list") && !filtered.includes(id))).toEqual([]);
  const rules = rulesFile([[{ narration: "fee" }, { fee: true }]]);
  const needed: Record<string, string> = {
    "account:statement": "1234567 --today",
    reconcile: "--account 1234567 --today",
    "rules:check": `--account 1234567 --month 2026-03 --rules ${rules}`,
    "wallet:balance": "--all",
    "wallet:statement": "1234567 --today",
  };
  // The others read a shared journal or the ledger first, and send nothing at all.
  for (const id of filtered.filter((name) => !/^(?:approvals|batch|ledger:statement|report)\b/.test(name))) {
    const line = `${id.replaceAll(":", " ")} ${needed[id] ?? ""} --where amount>`;
    const { exit, stdout, stderr, requests } = await ask(line);
    expect({ line, exit, stdout, requests }).toEqual({ line, exit: 2, stdout: "", requests: [] });
    expect(stderr).toContain("--where ends where a value is expected.");
  }
});

test("profiles and received events are filtered by their names in JSON", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const partner = partnerIn({ environment, stdin: '{"webhookKey":"a2V5LWtleS1rZXkta2V5LWtleS1rZXk="}' });
  await partner`profile add shop --environment sandbox --base-url https://api.example --account-id v1 --secrets-from -`;
  const { stdout } = await partner`profile list --where environment=live --csv`;
  expect(stdout).toBe("name,current,environment,baseUrl,accountId,secretStore\n");
  expect((await partner`profile list --where name~SHO --csv`).stdout).toContain("shop,");
  expect(await partner`webhook inbox list --where amount>5`).toMatchObject({ exit: 0, stdout: "" });
  const machine = newMachine();
  const { url, ended } = await machine.listen("--count 2");
  for (const id of ["A", "B"]) await send(url, id);
  await ended;
  const ids = async (condition: string) =>
    (await machine.type(`webhook inbox list --where ${condition} --csv --columns id --no-header`)).stdout;
  expect(await ids("payload.transaction.id=B")).toBe("B\n");
  expect(await ids("requestId~REQ-A")).toBe("A\n");
  expect(await ids("payload.transaction.amountCredit>=50000")).toBe("A\nB\n");
  expect(await ids("payload.transaction.amountCredit>50000")).toBe("");
});
