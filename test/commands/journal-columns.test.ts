import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "csv-parse/sync";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import type { Partner } from "../simulated.ts";
import { draftFile, remittanceWith } from "./remittance.ts";

/** Places one order of each kind. */
async function orderEach(partner: Partner): Promise<void> {
  const draft = draftFile(remittanceWith({ partnerReference: "INV-7" }));
  for (const line of [
    "transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salary --reference SAL-1",
    "withdraw --account 9000112233 --amount 1500000.50 --narration October --reference PAYOUT-1",
    "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Invoice --reference INV-1 --callback-url https://h.example/x",
    `remit --from-file ${draft}`,
  ])
    expect(await partner`${line} --yes`).toMatchObject({ exit: 0 });
}

const expected = [
  { kind: "transfer", amount: "250000", currency: "TZS", from: "9000112233", to: "9000112244" },
  { kind: "withdraw", amount: "1500000.50", currency: "TZS", from: "9000112233", to: "" },
  { kind: "collect", amount: "15000", currency: "TZS", from: "255712345678", to: "" },
  { kind: "remit", amount: "250000", currency: "TZS", from: "", to: "255712345678" },
];

test("list and export show amount, currency, payer and receiver of every kind of order in every format", async ({
  partnerIn,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await orderEach(partner);
  for (const command of ["list", "export"]) {
    const { stdout: csv } = await partner`journal ${command} --csv`;
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    expect(rows).toMatchObject(expected.map((row) => ({ ...row, profile: "" })));
    const names = csv.slice(0, csv.indexOf("\n")).split(",");
    expect(names.slice(0, 4)).toEqual(["id", "kind", "state", "reference"]);
    const cents = rows.map(({ amount = "" }) => BigInt((Number(amount) * 100).toFixed(0)));
    expect(cents.reduce((sum, some) => sum + some, 0n)).toBe(201_500_050n);

    const { stdout: json } = await partner`journal ${command} --json`;
    expect(json).toContain('"amount": 1500000.50,');
    expect(JSON.parse(json)).toMatchObject(
      expected.map(({ amount, from, to }) => ({
        amount: Number(amount),
        from: from === "" ? null : from,
        to: to === "" ? null : to,
        profile: null,
      })),
    );
    const lines = (await partner`journal ${command} --output ndjson`).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).from)).toEqual(["9000112233", "9000112233", "255712345678", null]);
    expect((await partner`journal ${command}`).stdout).toMatch(/^id .* amount +currency +from +to/);
  }
  const sorted = await partner`journal list --sort -amount --columns reference,amount --csv --no-header`;
  expect(sorted.stdout.split("\n")[0]).toBe("PAYOUT-1,1500000.50");
});

test("the currency shown for a wallet is the last one seen on this machine, or empty", async ({ partnerIn }) => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: one } });
  for (const [from, to] of [
    ["9000445566", "9000445577"],
    ["9000112233", "9000112244"],
  ] as const)
    await partner`transfer --from ${from} --to ${to} --amount 5 --description rent --reference ${`R-${from}`} --yes`;
  const listed = "journal list --columns currency --csv --no-header";
  expect((await partner`${listed}`).stdout).toBe("KES\nTZS\n");
  const elsewhere = partnerIn({ environment: { PARTNER_CONFIG_DIR: other, PARTNER_STATE_DIR: join(one, "state") } });
  expect((await elsewhere`${listed}`).stdout).toBe("KES\nTZS\n");
  rmSync(join(one, "state/wallet-currencies"));
  expect((await partner`${listed}`).stdout).toBe('""\n""\n');
  writeFileSync(join(one, "state/wallet-currencies"), "\t\u0000\n\n9000112233\tTZS");
  expect(await partner`${listed}`).toMatchObject({ exit: 0, stdout: '""\n""\n' });
});

test("an order is sent even if its currency can't be stored", async ({ partnerIn }) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
  mkdirSync(join(folder, "state/wallet-currencies"), { recursive: true });
  expect(await partner`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes`).toMatchObject({
    exit: 0,
  });
  expect(await partner`journal list --columns amount,currency --csv --no-header`).toMatchObject({ stdout: "5,\n" });
});

test("the profile of an order is shown", async ({ partnerIn, simulator }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const secrets = JSON.stringify({ secretKey: simulator.secretKey });
  const at = `--environment simulator --base-url ${simulator.baseUrl} --account-id ${simulator.accountId}`;
  const without = Object.fromEntries(Object.keys(environmentFor(simulator)).map((name) => [name, ""]));
  const partner = partnerIn({ environment: { ...without, ...environment }, stdin: secrets });
  expect(await partner`profile add shop ${at} --secrets-from -`).toMatchObject({ exit: 0 });
  expect(
    await partner`transfer --profile shop --from 9000112233 --to 9000112244 --amount 5 --description rent --yes`,
  ).toMatchObject({ exit: 0 });
  const { stdout } = await partner`journal list --columns amount,profile --csv --no-header`;
  expect(stdout).toBe("5,shop\n");
});

const rent = "--from 9000112233 --to 9000112244 --amount 5 --description rent --yes";

test("an unknown column of an order is an error, and a known one without a value is left out", async ({
  partnerIn,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`transfer ${rent} --reference R-1`;
  const asked = await partner`journal show R-1 --columns status --csv --no-header --quiet`;
  expect(asked).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining('There is no column "status"') });
  expect(await partner`journal show R-1 --columns proofs --json`).toMatchObject({
    exit: 0,
    stdout: "{}\n",
    stderr: "",
  });
});

test("the beginning of an id names an order, in capitals too, when no other id begins like that", async ({
  partnerIn,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  for (const reference of ["R-1", "R-2"]) await partner`transfer ${rent} --reference ${reference} --again`;
  const [one = "", two = ""] = (await partner`journal list --columns id --csv --no-header`).stdout.split("\n");
  const common = one.split("").findIndex((character, at) => character !== two[at]);
  for (const start of [one, one.slice(0, 8), one.slice(0, common + 1), one.slice(0, 13).toUpperCase()])
    expect((await partner`journal show ${start} --json`).stdout).toContain(`"id": "${one}"`);
  expect(await partner`journal resolve ${two.slice(0, 8)} --json`).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining(two),
  });
  expect(await partner`journal show ${one.slice(0, 8)}x`).toMatchObject({ exit: 4 });
  expect(await partner`journal show ${`${one}0`}`).toMatchObject({ exit: 4 });
});

test("an ambiguous beginning of an id is an error that names all matches, and a reference goes first", async ({
  partnerIn,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  // Of 17 ids, at least two begin with the same one of 16 digits.
  const references = Array.from({ length: 17 }, (_, index) => `R-${index}`);
  for (const reference of references) await partner`transfer ${rent} --reference ${reference} --again`;
  const ids = (await partner`journal list --columns id --csv --no-header`).stdout.trimEnd().split("\n");
  const [start = "", alike = []] =
    Object.entries(Object.groupBy(ids, (id) => id.charAt(0))).find(([, some]) => (some?.length ?? 0) > 1) ?? [];
  const { exit, stderr, stdout } = await partner`journal show ${start}`;
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain(`Error: ${alike.length} orders have an id that begins with "${start}".`);
  for (const id of alike) expect(stderr).toContain(id);
  await partner`transfer ${rent} --reference ${start} --again`;
  expect((await partner`journal show ${start} --json`).stdout).toContain(`"reference": "${start}"`);
});
