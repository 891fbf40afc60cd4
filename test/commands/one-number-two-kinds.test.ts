import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// One number, first a merchant account and later also listed as a wallet: two accounts with rows of their own.

const number = "0100";
const at = "2026-10-02T10:00:00+03:00";
const merchantRow = {
  transactionId: null,
  reference: "M1",
  paymentReference: null,
  creditOrDebit: "CREDIT",
  transactionDate: at,
  valueDate: at,
  narration: "n",
  description: "n",
  currency: "TZS",
  amountCredit: 1000,
  amountDebit: 0,
  availableBalance: 1000,
  currentBalance: 1000,
  senderAccountNo: null,
  senderAccountName: null,
  senderBankIdentifier: null,
};
const walletRow = {
  tranRefNo: "W1",
  valueDate: "2026-10-03 10:00:00",
  txnDate: "2026-10-03 10:00:00",
  narration: "n",
  debitOrCredit: "CR",
  amountCredited: 7,
  amountDebited: 0,
  balance: 7,
};

function inEnvelope(result: object) {
  return { success: true, statusCode: "SUCCESS", timestamp: at, result };
}

async function twoKinds() {
  let wallets: readonly object[] = [];
  const facts = { accountNo: number, accountName: "SHOP", branchCode: "1", currency: "TZS", status: "ACTIVE" };
  const answerTo: Readonly<Record<string, () => object>> = {
    "/wallet": () => wallets,
    "/wallet/balance": () => ({ availableBalance: 7, currentBalance: 7 }),
    "/wallet/statement": () => [walletRow],
    [`/account/${number}/balance`]: () => inEnvelope({ ...facts, availableBalance: 1000, currentBalance: 1000 }),
    [`/account/${number}/statement`]: () => inEnvelope({ accountNo: number, statement: [merchantRow] }),
  };
  const service = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answerTo[url.split("?")[0] ?? ""]?.()));
  });
  const folder = temporaryFolder();
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${await start(service)}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_ACCESS_TOKEN: "token",
    PARTNER_STATE_DIR: folder,
    PARTNER_CONFIG_DIR: folder,
  };
  const partner = (line: string) => run(words(line), { now: Date.parse("2026-11-05T09:00:00Z"), environment });
  expect(await partner(`ledger sync ${number} --start-date 2026-10-01`)).toMatchObject({ exit: 0 });
  wallets = [{ accountNo: number, accountName: "SHOP", type: "COLLECTION", balance: 7, currency: "TZS" }];
  expect(await partner("ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  return { partner, folder };
}

test("close writes one statement each for a number used by a wallet and a merchant account", async () => {
  const { partner, folder } = await twoKinds();
  const to = join(folder, "close");
  expect(await partner(`close --month 2026-10 --to ${to}`)).toMatchObject({ exit: 0 });
  for (const [kind, line] of [
    ["wallet", "wallet statement"],
    ["merchant", "account statement"],
  ]) {
    const file = readFileSync(join(to, "statements", `${number}-${kind}.csv`), "utf8");
    expect(file).toBe((await partner(`${line} ${number} --month 2026-10 --csv`)).stdout);
  }
});

test("ledger statement requires --account-kind for a number used by two accounts", async () => {
  const { partner } = await twoKinds();
  const line = `ledger statement ${number} --month 2026-10 --csv --no-header`;
  const both = await partner(line);
  expect(both).toMatchObject({ exit: 2, stdout: "" });
  expect(both.stderr).toContain(
    `Error: ${number} is a wallet and a merchant account.\nHint: Say which one: --account-kind wallet or --account-kind merchant\n`,
  );
  for (const [kind, reference] of [
    ["wallet", "W1"],
    ["merchant", "M1"],
  ]) {
    const one = await partner(
      `${line} --account-kind ${kind} --columns ${kind === "wallet" ? "tranRefNo" : "reference"}`,
    );
    expect(one).toMatchObject({ exit: 0, stdout: `${reference}\n` });
  }
});

test("accounts whose numbers differ only in punctuation get separate files", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  const to = join(folder, "close");
  const numbers = ["90_01", "90/01", "90 01"];
  write(Object.fromEntries(numbers.map((each) => [each, { lines: [] }])));
  expect(await onDay("2026-11-05", `close --month 2026-10 --to ${to}`)).toMatchObject({ exit: 0 });
  expect(readdirSync(join(to, "statements"))).toHaveLength(numbers.length);
});
