import { describe, expect } from "vitest";
import { test } from "../simulated.ts";
import { guardedTill, remit, transfer, withdraw } from "./guarded.ts";

const bank = (receiverAccount: string, institutionCode = "CORUTZTZ") => ({
  receiverChannel: "BANK",
  institutionCode,
  receiverAccount,
});
const mobile = (receiverAccount: string, institutionCode = "TZ-TIGO-B2C") => ({ receiverAccount, institutionCode });

describe("allow.to for remittances", () => {
  const allowed: readonly (readonly [entry: string, to: object])[] = [
    ["CORUTZTZ:0150123456", bank("0150123456")],
    ["9000112244,CORUTZTZ:0150123456", bank("0150123456")],
    ["TZ-TIGO-B2C:255712345678", mobile("255712345678")],
    ["TZ-TIGO-B2C:0712345678", mobile("255712345678")],
    ["255712345678", mobile("255712345678")],
    ["0712345678", mobile("255712345678")],
    ["+255712345678", mobile("255712345678")],
    ["255712345678", mobile("0712345678")],
    ["255712345678", mobile("+255 712 345 678")],
    ["255712345678", mobile("255712345678", "TZ-AIRTEL-B2C")],
  ];
  test.for(allowed)("%s allows %o", async ([entry, to], { simulator }) => {
    const till = await guardedTill(simulator, `allow.to=${entry}`);
    expect(await till.type(remit("A", { ...to }))).toMatchObject({ exit: 0 });
  });

  const refused: readonly (readonly [entry: string, to: object, says: string])[] = [
    ["255712345678", mobile("255712345679"), "TZ-TIGO-B2C:255712345679 is not one of 255712345678"],
    ["9000112244", mobile("255712345678"), "is not one of 9000112244"],
    ["CORUTZTZ:0150123456", bank("0150123457"), "CORUTZTZ:0150123457 is not one of CORUTZTZ:0150123456"],
    ["CORUTZTZ:0150123456", bank("0150123456", "NMIBTZTZ"), "NMIBTZTZ:0150123456 is not one of"],
    ["CORUTZTZ:0150123456", bank("150123456"), "CORUTZTZ:150123456 is not one of"],
    ["CORUTZTZ:0712345678", bank("255712345678"), "CORUTZTZ:255712345678 is not one of"],
    ["corutztz:0150123456", bank("0150123456"), "CORUTZTZ:0150123456 is not one of"],
    ["TZ-TIGO-B2C:255712345678", mobile("255712345678", "TZ-AIRTEL-B2C"), "TZ-AIRTEL-B2C:255712345678 is not one of"],
    ["2550712345678", mobile("255712345678"), "is not one of"],
    ["712345678", mobile("255712345678"), "is not one of"],
    [":255712345678", mobile("255712345678"), "is not one of"],
    ["TZ-TIGO-B2C:", mobile("255712345678"), "is not one of"],
  ];
  test.for(refused)("%s does not allow %o", async ([entry, to, says], { simulator }) => {
    const till = await guardedTill(simulator, `allow.to=${entry}`);
    const run = await till.type(remit("A", { ...to }));
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    expect(run.stderr).toContain("allow.to of profile shop stops this remittance; nothing was sent.");
    expect(run.stderr).toContain(says);
    expect(await till.movements()).toEqual([]);
  });

  test("an entry of 0.1.0 with a bank account's number alone still loads, refuses, and says how to write it", async ({
    simulator,
  }) => {
    const till = await guardedTill(simulator, "allow.to=0150123456,9000112244");
    expect(await till.type(transfer(1, "A"))).toMatchObject({ exit: 0 });
    const run = await till.type(remit("B", bank("0150123456")));
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    expect(run.stderr).toContain("a number alone means mobile money only. To allow it, add CORUTZTZ:0150123456\n");
    await till.type("profile set shop allow.to=0150123456,9000112244,CORUTZTZ:0150123456");
    expect(await till.type(remit("B", bank("0150123456")))).toMatchObject({ exit: 0 });
  });
});

test.for([
  ["255712345678", transfer(1, "A"), "255712345678,9000112244"],
  ["9000112244,NMIBTZTZ:1", remit("A", { ...bank("0150123456") }), "9000112244,NMIBTZTZ:1,CORUTZTZ:0150123456"],
  ["1", remit("A", { ...mobile("+255 712 345 678") }), "1,TZ-TIGO-B2C:+255712345678"],
] as const)(
  "with allow.to=%s, the suggested command allows the receiver as well",
  async ([entry, order, list], { simulator }) => {
    const till = await guardedTill(simulator, `allow.to=${entry}`);
    const { stderr } = await till.type(order);
    const [, command = ""] = /^Hint: .*: partner (profile set .*)$/m.exec(stderr) ?? [];
    expect(command).toBe(`profile set shop allow.to=${list}`);
    expect(await till.type(command)).toMatchObject({ exit: 0 });
    expect(await till.type(order)).toMatchObject({ exit: 0 });
  },
);

test.for(["0150123456,255712345678", "0150 123456"])(
  "an account with blanks or commas, %s, is not offered for allow.to: the entry would allow others",
  async (account, { simulator }) => {
    const till = await guardedTill(simulator, "allow.to=9000112244");
    const { exit, stderr } = await till.type(remit("A", { ...bank(account) }));
    expect(exit).toBe(2);
    expect(stderr).toContain(`allow.to: CORUTZTZ:${account} is not one of 9000112244\n`);
    expect(stderr).toContain(
      "Hint: See the limits: partner profile show. allow.to cannot name an account with spaces or commas: check it.\n",
    );
    expect(stderr).not.toContain("profile set");
  },
);

test("only an entry without an institution allows a wallet, and a mobile number's other spelling does not", async ({
  simulator,
}) => {
  const till = await guardedTill(simulator, "allow.to=255900011224,CORUTZTZ:9000112244");
  const run = await till.type(transfer(1, "A"));
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain("allow.to: 9000112244 is not one of 255900011224, CORUTZTZ:9000112244");
  const phone = await guardedTill(simulator, "allow.to=255712345678");
  expect((await phone.type(transfer(1, "A", "0712345678"))).exit).toBe(2);
});

test("a withdrawal goes to the account's own main account, and allow.to does not stop it", async ({ simulator }) => {
  const till = await guardedTill(simulator, "allow.to=1");
  expect(await till.type(withdraw(1, "A"))).toMatchObject({ exit: 0 });
});
