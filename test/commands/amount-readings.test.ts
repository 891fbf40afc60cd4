import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";
import { draftFile, remittanceWith } from "./remittance.ts";
import { ask, ok } from "./served.ts";

// Some people write twenty-five thousand as 25,000, others as 25.000. When both readings are likely, the amount
// is refused.

describe("an amount with two possible readings is refused, and both readings are named", () => {
  test.for([
    ["withdraw --account 9000112233 --amount 25.000 --narration x", '--amount "25.000" is ambiguous (25000 or 25?)'],
    [
      "withdraw --account 9000112233 --amount 25.125 --narration x",
      '--amount "25.125" is ambiguous (25125 or 25.125?)',
    ],
    ["withdraw --account 9000112233 --amount 25,000 --narration x", '--amount "25,000" is ambiguous (25000 or 25?)'],
    [
      "withdraw --account 9000112233 --amount 0.505 --narration x",
      '--amount "0.505" has 3 decimals, and at most 2 are',
    ],
    [
      "withdraw --account 9000112233 --amount 25.5005 --narration x",
      '--amount "25.5005" has 4 decimals, and at most 2 are',
    ],
    [
      "transfer --from 9000112233 --to 9000112244 --amount 25.000 --description x",
      '--amount "25.000" is ambiguous (25000 or 25?)',
    ],
    [
      "collect --msisdn 255712345678 --amount 1.500 --narration x --callback-url https://h.example/x",
      '--amount "1.500" is ambiguous (1500 or 1.5?)',
    ],
    ["wallet balance 9000112233 --fail-below 40.000", '--fail-below "40.000" is ambiguous (40000 or 40?)'],
    ["wallets list --where balance>=40.000", '"40.000", which is ambiguous (40000 or 40?)'],
    ["profile set till limit.day=40.000", "limit.day has an amount that is ambiguous (40000 or 40?)"],
    ["profile set till limit.day=USD=40.000", "limit.day has an amount that is ambiguous (40000 or 40?)"],
  ] as const)("%s", async ([line, words], { partnerIn, simulator }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    await partner`profile add till --environment simulator --base-url ${simulator.baseUrl} --account-id a --secret-store file`;
    const before = simulator.world.wallet("9000112233").balance.toString();
    const { exit, stdout, stderr } = await partner`${line}${/^(wallet|profile)/.test(line) ? "" : " --yes"}`;
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
  });
});

test("an expected total has as many decimals as its currency", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,account,amount\nW-1,9000112233,25000\n");
  const check = (total: string) =>
    partnerIn(desk)`batch check ${file} --kind withdraw --narration x --expect-total ${total}`;
  expect((await check("TZS=25.000")).stderr).toContain('"25.000" is ambiguous (25000 or 25?)');
  expect((await check("KWD=25.000")).stderr).toContain("25.000 KWD expected; the file has 25,000.00 TZS");
});

describe("a rate may have three decimals, and a remittance says how it is read", () => {
  const warning = "is read as 2.65 shillings for one USD, not as 2650";

  test("as a warning in a dry run, unless the rate is clear", async ({ partner }) => {
    const changes = { senderAmount: 1000, receiverAmount: 2650, partnerReference: "R-1" };
    const run = async (rate: string) => {
      const draft = JSON.stringify(remittanceWith(changes)).replace('"exchangeRate":2500', `"exchangeRate":${rate}`);
      return (await partner`remit --from-file ${draftFile(draft)} --dry-run`).stderr;
    };
    expect(await run("2.650")).toContain(`Warning: exchangeRate 2.650 ${warning}`);
    for (const clear of ["2.65", "2.6500", "2650.125", "0.385"]) expect(await run(clear)).not.toContain("is read as");
  });

  test("but the amounts beside it are money, and are refused when ambiguous", async ({ partner }) => {
    const draft = draftFile(remittanceWith({ partnerReference: "R-1" }));
    const typed = "--sender-amount 1.500 --receiver-amount 250.000";
    const { exit, stderr } = await partner`remit --from-file ${draft} ${typed} --dry-run`;
    expect(exit).toBe(2);
    expect(stderr).toContain("senderAmount is ambiguous (1500 or 1.5?)");
    expect(stderr).toContain("receiverAmount is ambiguous (250000 or 250?)");
  });
});

test("extra zeros after the decimals are accepted when they can't mean thousands", async () => {
  const list = ok('[{"accountNo":"9000112233","currency":"TZS","balance":5000}]');
  const withdraw = (amount: string) =>
    ask(`withdraw --account 9000112233 --amount ${amount} --narration x --dry-run`, list);
  expect((await withdraw("1500.000")).exit).toBe(0);
  expect((await withdraw("150.000")).exit).toBe(2);
});

test("amounts are shown with their currency's decimals, without extra zeros, and other digits are kept", async () => {
  const wallet = { accountNo: "9000112233", accountName: "Payouts", type: "DISBURSEMENT", currency: "TZS" };
  const list = ok(JSON.stringify([wallet]).replace("{", '{"balance":39476469.500,'));
  expect((await ask("wallets list", list)).stdout).toMatch(/ 39,476,469\.50\s/);
  const odd = ok(JSON.stringify([wallet]).replace("{", '{"balance":39476469.505,'));
  expect((await ask("wallets list", odd)).stdout).toContain(" 39,476,469.505");
});
