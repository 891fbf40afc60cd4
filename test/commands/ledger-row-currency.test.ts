import { createServer } from "node:http";
import { expect, test } from "vitest";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

// An account has one currency: amounts in another one do not belong in its sums.

const account = "0100";

interface Line {
  readonly reference: string;
  readonly currency: string | null;
  readonly credit: number;
  readonly balance: number;
}

const shillings: readonly Line[] = [
  { reference: "M1", currency: "TZS", credit: 1000, balance: 1000 },
  { reference: "M2", currency: null, credit: 50, balance: 1050 },
  { reference: "M3", currency: "tzs", credit: 5, balance: 1055 },
  { reference: "M4", currency: "TZS ", credit: 1, balance: 1056 },
  { reference: "M5", currency: " ", credit: 1, balance: 1057 },
];
const dollars: Line = { reference: "M6", currency: "USD", credit: 20, balance: 1077 };

/** A machine, and a service with a merchant account that has those rows. */
async function desk(lines: readonly Line[]) {
  const statement = lines.map(({ reference, currency, credit, balance }) => ({
    transactionId: null,
    reference,
    paymentReference: null,
    creditOrDebit: "CREDIT",
    transactionDate: "2026-10-02T10:00:00+03:00",
    valueDate: "2026-10-02T10:00:00+03:00",
    narration: "n",
    description: "n",
    currency,
    amountCredit: credit,
    amountDebit: 0,
    availableBalance: balance,
    currentBalance: balance,
    senderAccountNo: null,
    senderAccountName: null,
    senderBankIdentifier: null,
  }));
  const held = { availableBalance: lines.at(-1)?.balance, currentBalance: lines.at(-1)?.balance };
  const facts = {
    accountNo: account,
    accountName: "SHOP",
    branchCode: "1",
    currency: "TZS",
    status: "ACTIVE",
    ...held,
  };
  const service = createServer(({ url = "" }, response) => {
    const result = url.includes("/statement") ? { accountNo: account, statement } : facts;
    const envelope = { success: true, statusCode: "SUCCESS", timestamp: "2026-10-05T10:00:00+03:00", result };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(url.endsWith("/wallet") ? [] : envelope));
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
  return (line: string) => run(words(line), { now: Date.parse("2026-10-05T09:00:00Z"), environment });
}

test("a merchant account with a row in another currency is not synced, and the row is named", async () => {
  const partner = await desk([...shillings, dollars]);
  const { exit, stdout, stderr } = await partner(`ledger sync ${account} --start-date 2026-10-01`);
  expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
  expect(stderr).toContain(
    `Not synced: 1 of 1 account (${account}): Row M6 of ${account} is in USD, and the account is in TZS.\n`,
  );
  expect((await partner("ledger status")).exit).toBe(9);
  const cash = await partner("report cash --month 2026-10 --csv");
  expect(cash).toMatchObject({ exit: 9, stdout: "" });
});

test("a statement with a row in another currency does not add up, and says why", async () => {
  const partner = await desk([...shillings, dollars]);
  const line = `account statement ${account} --month 2026-10 --csv`;
  const said = 'does not add up: row 6 ("M6"): it is in USD, and rows before it are in TZS';
  expect(await partner(line)).toMatchObject({ exit: 0, stderr: expect.stringContaining(said) });
  expect(await partner(`${line} --strict`)).toMatchObject({ exit: 9, stdout: "" });
});

test("rows without a currency, or with the account's in another spelling, are proved with the others", async () => {
  const partner = await desk(shillings);
  expect(await partner(`ledger sync ${account} --start-date 2026-10-01`)).toMatchObject({
    exit: 0,
    stderr: expect.not.stringContaining("Error"),
  });
  expect((await partner("ledger status --csv --columns rows,closing,state")).stdout).toBe(
    "rows,closing,state\n5,1057,proved\n",
  );
  const { stderr } = await partner(`account statement ${account} --month 2026-10 --csv --strict`);
  expect(stderr).toContain("adds up");
});
