import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { extensionNames } from "../../src/values/extension.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test as base } from "../simulated.ts";

// Pays people out of a wallet: what is sent, what is refused before, and how it ends.

const test = base.extend({ extensions: true });

const to = '--to 255712000111 --name "ASHA JUMA" --amount 25000 --narration "Salary March"';
const bank = '--to 0150000111222 --bank CORUTZTZ --name "ASHA JUMA" --amount 25000 --narration "Salary March"';
const folders = () => {
  const folder = temporaryFolder();
  return { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") };
};

describe("payout", () => {
  test("to a mobile number sends eleven fields with the expected values", async ({ partner }) => {
    const { exit, stdout, stderr } = await partner`payout --from 9000112233 ${to} --reference SAL-17 --yes --json`;
    expect([exit, stderr.includes("Channel TZ-TIGO-B2C, by the number's prefix")]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "payout",
      state: "pending",
      reference: "SAL-17",
      request: {
        countryCode: "TZ",
        accountNo: "9000112233",
        serviceCode: "TZ-TIGO-B2C",
        amount: 25000,
        msisdn: "255712000111",
        narration: "Salary March",
        currencyCode: "TZS",
        recipientNames: "ASHA JUMA",
        transactionRef: "SAL-17",
        transactionDate: "2026-03-31 12:00:00",
        callbackUrl: "https://callback.invalid/partner",
      },
    });
  });

  test("shows the paying wallet's balance before fees at the question", async ({ partnerIn }) => {
    const partner = partnerIn({ terminal: { stdin: true, stderr: true }, answers: [false] });
    const { stderr } = await partner`payout --from 9000112233 ${to}`;
    expect(stderr).toMatch(/ from .* → [\d,.]+ TZS before fees\n/);
  });

  test("to a bank puts the bank code before the account number", async ({ partner }) => {
    const { exit, stdout } = await partner`payout --from 9000112233 ${bank} --dry-run --json`;
    expect(exit).toBe(0);
    expect(JSON.parse(stdout).request).toMatchObject({
      serviceCode: "TZ-BANK-B2C",
      msisdn: "CORUTZTZ:0150000111222",
      countryCode: "TZ",
    });
  });

  test("to a Kenyan number requires a wallet in KES", async ({ partner }) => {
    const kenyan = "--to +254712345678 --name Otieno --amount 500 --narration Fare";
    const paid = await partner`payout --from 9000445566 ${kenyan} --dry-run --json`;
    expect(JSON.parse(paid.stdout).request).toMatchObject({
      countryCode: "KE",
      serviceCode: "KE-SAFARICOM-B2C",
      currencyCode: "KES",
      msisdn: "254712345678",
    });
    const other = await partner`payout --from 9000112233 ${kenyan} --yes`;
    expect([other.exit, other.stderr]).toEqual([
      2,
      expect.stringContaining('--from "9000112233" is in TZS, and the channel pays in KES.'),
    ]);
  });

  test.for([
    ["--to 12345", "--to isn't a mobile number"],
    ["--to 255732000111", "--channel is missing, and the number's prefix does not say which"],
    ["--to 255712000111 --channel KE-SAFARICOM-B2C", "--channel KE-SAFARICOM-B2C is not a channel of Tanzania"],
    ["--to 255712000111 --bank crdb", "--bank must be the bank's code"],
    ["--to 0150000111222 --bank CORUTZTZ --channel TZ-TIGO-B2C", "--channel TZ-TIGO-B2C pays no banks"],
    ["--to NMIBTZTZ:0150000111222 --bank CORUTZTZ", "--to names another bank than CORUTZTZ"],
    ["--to 0150000111222 --channel TZ-BANK-B2C", "--bank is missing"],
    ["--to 255712000111 --channel UG-MTN-B2C", "--channel UG-MTN-B2C names no country that can be paid"],
  ] as const)("%s is refused before anything leaves", async ([receiver, says], { partner, simulator }) => {
    const rest = "--name A --amount 25000 --narration x --yes";
    const { exit, stdout, stderr } = await partner`payout --from 9000112233 ${receiver} ${rest}`;
    expect([exit, stdout, stderr]).toEqual([2, "", expect.stringContaining(says)]);
    expect(simulator.world.payouts.size).toBe(0);
  });

  test("from a collection wallet is refused", async ({ partner }) => {
    const { exit, stderr } = await partner`payout --from 0560066551200 ${to} --yes`;
    expect([exit, stderr]).toEqual([2, expect.stringContaining("a payout leaves from a disbursement wallet")]);
  });

  test("without the extension says what to set, and sends nothing", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ environment: { PARTNER_EXTENSIONS: "collection-status" } });
    const { exit, stdout, stderr } = await partner`payout --from 9000112233 ${to} --yes`;
    expect([exit, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("The extension payout is off for this account; nothing was sent.");
    expect(stderr).toMatch(
      /PARTNER_EXTENSIONS=payout,collection-status, or: partner profile set \S+ extensions=payout,collection-status\n/,
    );
    const terminal = partnerIn({ terminal: { stderr: true }, columns: 80, environment: { PARTNER_EXTENSIONS: "" } });
    const shown = (await terminal`payout --from 9000112233 ${to} --yes`).stderr.split("\n");
    expect(shown).toContain("  partner profile set NAME extensions=payout");
    expect(simulator.world.payouts.size).toBe(0);
  });

  test("without the extension asks no question on a terminal, and indents the remedy", async ({ partnerIn }) => {
    const terminal = { stdin: true, stdout: true, stderr: true };
    const environment = { PARTNER_EXTENSIONS: "collection-status", NO_COLOR: "1" };
    // There are no answers: a question would end the run otherwise.
    const partner = partnerIn({ terminal, columns: 80, environment });
    const asked = await partner`payout`;
    expect([asked.exit, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toMatch(/^Error: The extension payout is off for this account; nothing was sent\.\n/);
    const wrong = await partner`payout --from 9000112233 ${to} --timeout 5 --yes`;
    expect(wrong.stderr).toMatch(/^Error: 2 things are wrong\.\n/);
    expect(wrong.stderr).toMatch(/^ {4,}partner profile set NAME/m);
  });

  test("--wait ends with the callback's outcome", async ({ partnerIn }) => {
    const partner = partnerIn({ environment: { ...folders(), PARTNER_EXTENSIONS: "payout" } });
    const paid = await partner`payout --from 9000112233 ${to} --reference W-1 --yes --wait --json`;
    expect([paid.exit, JSON.parse(paid.stdout)]).toMatchObject([0, { state: "accepted", evidence: "callback" }]);
    const refused =
      await partner`payout --from 9000112233 --to 255712990001 --name B --amount 5000 --narration x --reference W-2 --yes --wait --json`;
    expect([refused.exit, JSON.parse(refused.stdout)]).toMatchObject([4, { state: "refused", evidence: "callback" }]);
  });

  test("is settled after a lost answer by the row that its fee names, and is not sent again", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const partner = partnerIn({ environment: { ...folders(), PARTNER_EXTENSIONS: "payout" } });
    faults.plan("lose-answer=payout:1");
    expect((await partner`payout --from 9000112233 ${to} --reference L-1 --yes`).exit).toBe(6);
    await simulator.idle();
    const resolved = await partner`journal resolve L-1 --json`;
    expect([resolved.exit, JSON.parse(resolved.stdout)]).toMatchObject([
      0,
      [{ state: "accepted", evidence: "statement" }],
    ]);
    expect((await partner`payout --from 9000112233 ${to} --reference L-1 --yes`).exit).toBe(0);
    expect([...simulator.world.bookings.keys()].filter(({ endpoint }) => endpoint === "payout")).toHaveLength(1);
  });

  test("is not proved by another payout with the same narration and amount", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const environment = { PARTNER_EXTENSIONS: "payout" };
    const other = partnerIn({ environment: { ...folders(), ...environment } });
    const partner = partnerIn({ environment: { ...folders(), ...environment } });
    await other`payout --from 9000112233 ${to} --reference OTHER-1 --yes`;
    await simulator.idle();
    faults.plan("reset-request=payout:1");
    await partner`payout --from 9000112233 ${to} --reference MINE-1 --yes`;
    const { exit, stdout } = await partner`journal resolve MINE-1 --json`;
    expect([exit, JSON.parse(stdout)]).toMatchObject([6, [{ state: "unknown" }]]);
    expect(JSON.parse(stdout)[0].saw).toContain("has a fee that names another reference");
  });

  test("is recovered from the statement after the journal was lost, and not paid twice", async ({
    partnerIn,
    simulator,
  }) => {
    const environment = { PARTNER_EXTENSIONS: "payout" };
    const before = partnerIn({ environment: { ...folders(), ...environment } });
    await before`payout --from 9000112233 ${to} --reference R-1 --yes`;
    await simulator.idle();
    const after = partnerIn({ environment: { ...folders(), ...environment } });
    expect((await after`journal recover --from 2026-03-30`).exit).toBe(0);
    const again = await after`payout --from 9000112233 ${to} --reference R-1 --yes --json`;
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { state: "accepted", evidence: "statement" }]);
    expect(simulator.world.payouts.size).toBe(1);
  });

  test("respects limit.transfer and allow.to; receipt and find show its receiver", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ environment: { ...folders() } });
    const { baseUrl } = simulator;
    await partner`profile add shop --environment simulator --base-url ${baseUrl} --account-id simulator --secret-store file`;
    await partner`profile set shop allow.to=255712000111,CORUTZTZ:0150000111222 limit.transfer=30000 extensions=payout`;
    expect((await partner`payout -p shop --from 9000112233 ${to} --reference A-1 --yes`).exit).toBe(0);
    expect((await partner`payout -p shop --from 9000112233 ${bank} --reference A-2 --yes`).exit).toBe(0);
    const other =
      await partner`payout -p shop --from 9000112233 --to 255712000222 --name B --amount 5 --narration x --yes`;
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining("255712000222 is not one of")]);
    const large =
      await partner`payout -p shop --from 9000112233 --to 255712000111 --name B --amount 30001 --narration x --yes`;
    expect([large.exit, large.stderr]).toEqual([2, expect.stringContaining("30,001.00 is more than 30,000.00")]);
    const receipt = await partner`journal receipt -p shop A-1 --json`;
    expect(JSON.parse(receipt.stdout)).toMatchObject({ to: "ASHA JUMA (255712000111)", from: "9000112233" });
    const found = await partner`find -p shop "ASHA JUMA" --json`;
    expect(found.stdout).toContain("A-1");
  });
});

const file = (rows: string) => {
  const path = join(temporaryFolder(), "salaries.csv");
  writeFileSync(path, `reference,from,to,amount,narration,channel,bank,name\n${rows}`);
  return path;
};

describe("batch --kind payout", () => {
  test("has a template with eight columns", async ({ partner }) => {
    const { stdout } = await partner`batch template --kind payout`;
    expect(stdout).toBe("reference,from,to,amount,narration,channel,bank,name\n");
  });

  test("pays rows with equal narration and amount once each, even after lost answers", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const partner = partnerIn({ environment: { ...folders(), PARTNER_EXTENSIONS: "payout" } });
    const rows = Array.from(
      { length: 12 },
      (_, at) => `S-${at},9000112233,25571200${1000 + at},25000,Salary,,,P${at}\n`,
    );
    const path = file(rows.join(""));
    faults.plan("lose-answer=payout:3");
    faults.plan("lose-answer=payout:4");
    expect((await partner`batch run ${path} --kind payout --yes`).exit).toBe(6);
    await simulator.idle();
    const { exit } = await partner`journal resolve --all`;
    expect(exit).toBe(0);
    expect((await partner`batch run ${path} --kind payout --yes`).exit).toBe(0);
    const references = [...simulator.world.bookings.keys()].map(({ reference }) => reference);
    expect(references.toSorted()).toEqual(rows.map((row) => row.slice(0, row.indexOf(","))).toSorted());
  });

  test("shows each paying wallet's balance before fees at the question", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ terminal: { stdin: true, stderr: true }, answers: [false] });
    const path = file("A,9000112233,255712000111,5,x,,,N\n");
    const { exit, stderr } = await partner`batch run ${path} --kind payout`;
    expect([exit, simulator.world.payouts.size]).toEqual([130, 0]);
    expect(stderr).toMatch(/ from .* → [\d,.]+ TZS before fees\n/);
    expect(stderr.endsWith("\nNothing was sent.\n")).toBe(true);
  });

  test("names every fault by line and column", async ({ partner }) => {
    const path = file(
      "A,9000112233,12,5,x,,,N\nB,9000112233,0150000111222,5,x,TZ-TIGO-B2C,CORUTZTZ,N\nC,0560066551200,255712000111,5,x,,,N\nD,9000112233,255712000111,5,x,,,\n",
    );
    const { exit, stdout, stderr } = await partner`batch check ${path} --kind payout`;
    expect([exit, stdout]).toEqual([2, ""]);
    for (const fault of [
      "line 2, to: isn't a mobile number",
      "line 3, channel: TZ-TIGO-B2C pays no banks",
      "line 4, from:",
      "line 5, name: is empty",
    ])
      expect(stderr).toContain(fault);
  });

  test("without the extension says what to set", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ environment: { PARTNER_EXTENSIONS: "wallets" } });
    const path = file("A,9000112233,255712000111,5,x,,,N\n");
    const { exit, stderr } = await partner`batch run ${path} --kind payout --yes`;
    expect([exit, stderr]).toEqual([2, expect.stringContaining("extensions=payout,wallets")]);
    const mixed = join(temporaryFolder(), "mixed.csv");
    writeFileSync(mixed, "kind,reference,from,to,amount,narration,name\npayout,A,9000112233,255712000111,5,x,N\n");
    const other = await partner`batch run ${mixed} --yes`;
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining("the extension payout is off")]);
    expect([simulator.world.payouts.size, extensionNames.length]).toEqual([0, 4]);
  });
});
