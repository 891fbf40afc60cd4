import { describe, expect } from "vitest";
import { test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";
import { remittanceWith } from "./remittance.ts";

describe("a batch check explains an amount that can't be read", () => {
  test.for([
    ["transfer", "1.000,00", "has separators between its digits; write 1000 or 1000.00"],
    ["transfer", "1,000.00", "has separators between its digits; write 1000 or 1000.00"],
    ["withdraw", "1.500,50", "has separators between its digits; write 1500.50"],
    ["withdraw", "1.000.000", "has separators between its digits; write 1000000"],
    ["withdraw", "1 500 000", "has separators between its digits; write 1500000"],
    ["transfer", "1.500", "is ambiguous (1500 or 1.5?)"],
    ["transfer", "1,500", "is ambiguous (1500 or 1.5?)"],
    ["withdraw", "1,000.500", "is ambiguous (1000500 or 1000.5?)"],
    ["withdraw", "0,500", "has a comma; decimals follow a point"],
    ["transfer", "１２３", "has digits other than 0 to 9"],
  ] as const)("%s of %s %s", async ([kind, amount, words], { partnerIn }) => {
    const desk = openDesk();
    const wallets =
      kind === "transfer"
        ? "--from 9000112233 --set to=9000112244 --description x"
        : "--set account=9000112233 --narration x";
    const file = desk.write(`reference,amount\nR-1,"${amount}"\n`);
    const { exit, stderr } = await partnerIn(desk)`batch check ${file} --kind ${kind} ${wallets}`;
    expect(exit).toBe(2);
    expect(stderr).toContain(`line 2, amount: "${amount}" ${words}\n`);
  });
});

test("a rate with three decimals in a batch row gets a warning with its line", async ({ partnerIn }) => {
  const desk = openDesk();
  const draft = new Map(Object.entries(remittanceWith({ senderAmount: 1000, receiverAmount: 2650 })));
  const cells = [...draft].flatMap(([name, value]): [string, string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([inner, leaf]): [string, string] => [`${name}.${inner}`, String(leaf)])
      : [[name, name === "exchangeRate" ? "2.650" : String(value)]],
  );
  const row = cells.map(([, text]) => `"${text}"`).join(",");
  const file = desk.write(`reference,${cells.map(([name]) => name).join(",")}\nR-1,${row}\n`);
  const { exit, stderr } = await partnerIn(desk)`batch check ${file} --kind remit`;
  expect(exit).toBe(0);
  expect(stderr).toContain(
    `Warning: line 2 (R-1): exchangeRate 2.650 is read as 2.65 shillings for one USD, not as 2650`,
  );
});

describe("a batch of collections is totalled by currency", () => {
  const collections = `reference,msisdn,channel,amount
K-1,254712345678,KE-SAFARICOM-C2B,500
T-1,255712345678,TZ-TIGO-C2B,1000
T-2,255622345678,TZ-NEW-C2B,70
K-2,254712345678,NEW,8
`;
  const shared = "--kind collect --narration lunch --callback-url https://hooks.example";

  test("in batch check, with Kenyan and Tanzanian shillings apart", async ({ partnerIn }) => {
    const desk = openDesk();
    const file = desk.write(collections);
    const { exit, stdout } = await partnerIn(desk)`batch check ${file} ${shared} --json`;
    expect({ exit, totals: JSON.parse(stdout).totals }).toEqual({ exit: 0, totals: { KES: 508, TZS: 1070 } });
  });

  test("and compared with each --expect-total", async ({ partnerIn }) => {
    const desk = openDesk();
    const file = desk.write(collections);
    const expecting = (total: string) => partnerIn(desk)`batch check ${file} ${shared} ${total}`;
    expect(await expecting("--expect-total TZS=1070 --expect-total KES=508")).toMatchObject({ exit: 0 });
    expect(await expecting("--expect-total TZS=1578")).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("1,578.00 TZS expected; the file has 508.00 KES and 1,070.00 TZS"),
    });
  });
});
