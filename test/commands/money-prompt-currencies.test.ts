import { describe, expect } from "vitest";
import type { PromptAnswer } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";

const person = (...answers: PromptAnswer[]) => ({
  terminal: { stdin: true, stdout: true, stderr: true },
  columns: 500,
  answers,
  now,
  environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_EXTENSIONS: "payout", NO_COLOR: "1" },
});

const oneCurrency = "9000445566 is in KES, 9000112233 in TZS; a transfer has one currency.";

describe("a person prompted for an order", () => {
  test("learns before the first question that the two wallets have different currencies", async ({ partnerIn }) => {
    const ended = await partnerIn(person())`transfer --from 9000112233 --to 9000445566`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toContain(`Error: --to ${oneCurrency}\n`);
    expect(ended.stderr).not.toContain("You are asked");
    expect(ended.stderr).not.toContain("The same without questions");
  });

  test("learns right after the receiver of a payout that the wallet is in another currency", async ({ partnerIn }) => {
    const ended = await partnerIn(person("254712345678"))`payout --from 9000112233 --channel KE-SAFARICOM-B2C`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toContain('--from "9000112233" is in TZS, and the channel pays in KES.');
  });

  test("is offered no wallet that does not fit the order, after an edit either", async ({ partnerIn }) => {
    const line = "transfer --from 9000112233";
    expect((await partnerIn(person("9000445566"))`${line}`).stderr).toContain(
      '"To which wallet" does not offer 9000445566',
    );
    const change = ["edit", "from", "9000445566"] as const;
    const changed = await partnerIn(person(...change))`${line} --to 9000112244 --amount 5 --description x`;
    expect(changed.stderr).toContain('"From which wallet" does not offer 9000445566');
    const collecting = partnerIn(person("0560066551200"));
    expect((await collecting`payout --to 0712345678 --name Asha --amount 5 --narration x`).stderr).toContain(
      '"From which wallet" does not offer 0560066551200',
    );
  });

  test.for([
    ["To which wallet", "transfer --from 9000112233 --amount 5 --description x", "--to"],
    ["From which wallet", "transfer --to 9000112244 --amount 5 --description x", "--from"],
    ["From which wallet", "payout --to 0712345678 --name Asha --amount 5 --narration x", "--from"],
    ["From which wallet", "withdraw --amount 5 --narration x", "--account"],
  ] as const)(
    'is offered, at "%s" of %s, the wallets that %s takes',
    async ([question, line, flag], { partnerIn, simulator }) => {
      const isOffered = async (wallet: string) =>
        !(await partnerIn(person(wallet))`${line}`).stderr.includes(`"${question}" does not offer ${wallet}`);
      const isTaken = async (wallet: string) =>
        (await partnerIn(person())`${line} ${flag} ${wallet} --dry-run`).exit === 0;
      const [offered, taken]: [string[], string[]] = [[], []];
      for (const wallet of simulator.wallets) {
        if (await isOffered(wallet)) offered.push(wallet);
        if (await isTaken(wallet)) taken.push(wallet);
      }
      expect(offered).toEqual(taken);
      expect(offered.length).toBeGreaterThan(0);
    },
  );

  test("gets the suggested command after an edit, but none for an order that cannot work", async ({ partnerIn }) => {
    const answers = ["edit", "to", "9000112244", true] as const;
    const good = await partnerIn(
      person(...answers),
    )`transfer --from 9000112233 --to 9000112255 --amount 5 --description x`;
    const [, same = ""] = /^The same without questions: partner (.*)$/m.exec(good.stderr) ?? [];
    expect(same).toMatch(/^transfer --from 9000112233 --to 9000112244 --amount 5 --description x --reference \S+$/);
    expect((await partnerIn({})`${same} --dry-run`).exit).toBe(0);
    const ended = await partnerIn(person("5", "rent"))`withdraw --account 560066551200`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toContain("has lost its leading zero: 0560066551200 is a wallet");
    expect(ended.stderr).not.toContain("The same without questions");
  });

  test("sees the currency in the amount question, and a warning when the wallet holds too little", async ({
    partnerIn,
  }) => {
    const asked: string[] = [];
    const answers = (text: string) => (message: string) => {
      asked.push(message);
      return text;
    };
    const ended = await partnerIn(
      person(answers("99999999"), "rent", false),
    )`transfer --from 9000112233 --to 9000112244`;
    expect(ended.exit).toBe(130);
    expect(asked).toContain("How much (TZS, a whole amount)");
    const short =
      "Warning: 9000112233 holds 37,737,494.00 TZS, not enough for the 99,999,999.00 TZS that are to leave it.";
    expect(ended.stderr.split(short)).toHaveLength(3);
    const withdrawn = await partnerIn(person(answers("1500.50"), "October", true))`withdraw --account 9000112233`;
    expect(withdrawn.exit).toBe(0);
    expect(asked).toContain("How much (TZS)");
  });
});
