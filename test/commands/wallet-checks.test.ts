import { expect } from "vitest";
import { test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";

// Checks of wallets, with the same words for a single order and for a row of a batch.

const holds = "37,737,494.00 TZS";
interface Case {
  readonly name: string;
  readonly single: string;
  readonly batch: string;
  readonly rows: string;
  readonly words: string;
}

const odd: readonly Case[] = [
  {
    name: "none of the account's wallets receives",
    single: "transfer --from 9000112233 --to 9999 --amount 5 --description x",
    batch: "--kind transfer --from 9000112233 --description x",
    rows: "reference,to,amount\nR-1,9999,5\n",
    words: "No wallet of this account has the number 9999. See: partner wallets list",
  },
  {
    name: "a collection wallet receives a transfer",
    single: "transfer --from 9000112233 --to 0560066551200 --amount 5 --description x",
    batch: "--kind transfer --from 9000112233 --description x",
    rows: "reference,to,amount\nR-1,0560066551200,5\n",
    words: "0560066551200 is a collection wallet; a transfer goes from one disbursement wallet to another.",
  },
  {
    name: "none of the account's wallets pays",
    single: "withdraw --account 9999 --amount 5 --narration x",
    batch: "--kind withdraw --narration x",
    rows: "reference,account,amount\nR-1,9999,5\n",
    words: "No wallet of this account has the number 9999. See: partner wallets list",
  },
  {
    name: "more is to leave than a transfer's wallet holds",
    single: "transfer --from 9000112233 --to 9000112244 --amount 99999999 --description x",
    batch: "--kind transfer --from 9000112233 --description x",
    rows: "reference,to,amount\nR-1,9000112244,99999999\n",
    words: `9000112233 holds ${holds}, not enough for the 99,999,999.00 TZS that are to leave it.`,
  },
  {
    name: "more is to leave than a withdrawal's wallet holds",
    single: "withdraw --account 9000112233 --amount 99999999.50 --narration x",
    batch: "--kind withdraw --narration x",
    rows: "reference,account,amount\nR-1,9000112233,99999999.50\n",
    words: `9000112233 holds ${holds}, not enough for the 99,999,999.50 TZS that are to leave it.`,
  },
];

test.for(odd)("$name: a warning in a single order, a dry run and a batch", async (one, { partnerIn, simulator }) => {
  expect(simulator.world.wallet("9000112233").balance.grouped(2)).toBe("37,737,494.00");
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(one.rows);
  const dry = await partner`${one.single} --dry-run`;
  expect(dry.exit).toBe(0);
  for (const line of [`batch check ${file} ${one.batch}`, `batch run ${file} ${one.batch} --dry-run`]) {
    const run = await partner`${line}`;
    expect([line, run.exit]).toEqual([line, 0]);
    expect(run.stderr).toContain(`Warning: ${one.words.includes(" holds ") ? "" : "line 2 (R-1): "}${one.words}\n`);
  }
  const sent = await partner`${one.single} --yes`;
  expect([dry.stderr, sent.stderr]).toEqual([
    expect.stringContaining(`Warning: ${one.words}\n`),
    expect.stringContaining(`Warning: ${one.words}\n`),
  ]);
});

const wrong: readonly Case[] = [
  {
    name: "a wallet that pays itself",
    single: "transfer --from 9000112233 --to 9000112233 --amount 5 --description x",
    batch: "--kind transfer --description x",
    rows: "reference,from,to,amount\nR-1,9000112233,9000112233,5\n",
    words: 'to "9000112233" is the wallet that pays',
  },
  {
    name: "two currencies",
    single: "transfer --from 9000112233 --to 9000445566 --amount 5 --description x",
    batch: "--kind transfer --description x",
    rows: "reference,from,to,amount\nR-1,9000112233,9000445566,5\n",
    words: "to 9000445566 is in KES, 9000112233 in TZS; a transfer has one currency",
  },
  {
    name: "a wallet without its leading zero",
    single: "withdraw --account 560066551200 --amount 5 --narration x",
    batch: "--kind withdraw --narration x",
    rows: "reference,account,amount\nR-1,560066551200,5\n",
    words: 'account "560066551200" has lost its leading zero: 0560066551200 is a wallet',
  },
];

test.for(wrong)("$name: refused in a single order, a dry run and a batch", async (one, { partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(one.rows);
  for (const line of [`${one.single} --yes`, `${one.single} --dry-run`]) {
    const run = await partner`${line}`;
    expect([line, run.exit, run.stdout]).toEqual([line, 2, ""]);
    expect(run.stderr).toContain(`--${one.words}.`);
    expect(run.stderr).toContain("No money moved.");
  }
  for (const line of ["check", "run --yes", "run --dry-run"]) {
    const run = await partner`batch ${line} ${file} ${one.batch}`;
    expect([line, run.exit, run.stdout]).toEqual([line, 2, ""]);
    expect(run.stderr).toContain(`line 2, ${one.words.replace(" ", ": ")}\n`);
  }
});

test("an order is sent even if the list of wallets cannot be read", async ({ partnerIn, faults }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  faults.plan("fail-request=list-wallets");
  const line = "transfer --from 9000112233 --to 9000112244 --amount 5 --description x --yes";
  expect(await partner`${line} --dry-run`).toMatchObject({ exit: 0 });
  expect(await partner`${line}`).toMatchObject({ exit: 0 });
});

test("the question shows that a wallet holds too little", async ({ partnerIn }) => {
  const terminal = { stdin: true, stderr: true };
  const asking = partnerIn({ terminal, answers: [false], environment: { ...openDesk().environment, NO_COLOR: "1" } });
  const no = await asking`transfer --from 9000112233 --to 9000112244 --amount 99999999 --description x`;
  expect(no.exit).toBe(130);
  expect(no.stderr).toMatch(/from +9000112233 .* → .62,262,505\.00 TZS \(not enough\)\n/);
});

test("a batch warns about each receiver that is not a wallet, beside the faults of other rows", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const check = (rows: string) => {
    const file = desk.write(`reference,to,amount\n${rows}`);
    return partnerIn(desk)`batch check ${file} --kind transfer --from 9000112233 --description x`;
  };
  const [good, wrong, again] = ["R-1,9000112244,5\n", "R-2,9000112234,6\n", "R-3,9000112234,7\n"];
  const told = "No wallet of this account has the number 9000112234. Did you mean 9000112233 or 9000112244?";
  const one = await check(good + wrong);
  expect(one).toMatchObject({ exit: 0, stderr: expect.stringContaining(`Warning: line 3 (R-2): ${told}`) });
  const two = await check(good + wrong + again);
  expect(two.stderr).toContain(`Warning: line 3 (R-2) and 1 more row: ${told}`);
  const beside = await check(`${good}${wrong}R-4,9000112244,\n`);
  expect(beside.exit).toBe(2);
  expect(beside.stderr).toContain(`Warning: line 3 (R-2): ${told}`);
  expect(beside.stderr).toContain("line 4, amount: is empty");
});

test("the question shows an unknown currency for a wallet that is not listed", async ({ partnerIn }) => {
  const terminal = { stdin: true, stderr: true };
  const asking = () =>
    partnerIn({ terminal, answers: [false], environment: { ...openDesk().environment, NO_COLOR: "1" } });
  const withdrawal = await asking()`withdraw --account 9000112232 --amount 5000 --narration x`;
  expect(withdrawal.exit).toBe(130);
  expect(withdrawal.stderr).toContain("Withdraw 5,000.00 (currency not known) to the main account\n");
  expect(withdrawal.stderr).toContain(
    "Warning: No wallet of this account has the number 9000112232. Did you mean 9000112233?\n",
  );
  const transfer = await asking()`transfer --from 9000112232 --to 9000112244 --amount 5000 --description x`;
  expect(transfer.stderr).toContain("Transfer 5,000.00 (currency not known)\n");
});

test("ledger sync with a mistyped number suggests the nearest wallet", async ({ partnerIn }) => {
  const partner = partnerIn(openDesk());
  const short = await partner`ledger sync 900011223`;
  expect(short.exit).toBe(5);
  expect(short.stderr).toContain("Hint: Did you mean 9000112233?\n");
  expect((await partner`ledger sync 123`).stderr).toContain("Hint: Merchant account numbers come from");
});
