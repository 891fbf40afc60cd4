import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Inbox } from "../../src/webhooks/inbox/inbox.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { openSharedInbox } from "../../src/webhooks/inbox/postgres-open.ts";
import { start } from "../host/servers.ts";
import { urlOf } from "../journal/shared-places.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { PostgresServer } from "../postgres.ts";
import { withPostgres } from "../with-postgres.ts";

// SQL queries give the same result for a local ledger and for a shared one.

/** Rows that lack what the specification makes optional, or have it in another type. */
const walletRows = [
  '{"tranRefNo":"A","valueDate":"2026-10-01 10:00:00","txnDate":"2026-10-01 10:00:00","narration":"rent","debitOrCredit":"CR","amountCredited":100.00,"amountDebited":0.00,"balance":100.00}',
  '{"tranRefNo":"B","valueDate":"","narration":"","debitOrCredit":"CR","amountCredited":"5","amountDebited":"","balance":"105"}',
  '{"tranRefNo":"C","valueDate":null,"narration":12.50,"debitOrCredit":"DR","amountCredited":null,"amountDebited":1.5,"balance":103.50}',
  '{"tranRefNo":"A-PAYIN","valueDate":"2026-10-02 10:00:00","txnDate":"2026-10-02 10:00:00","narration":"SERVICE FEE","debitOrCredit":"DR","amountCredited":0,"amountDebited":2.125,"balance":101.375}',
  '{"tranRefNo":"Z","valueDate":"2026-10-02 10:00:00","narration":"Ärger \' \\" line\\nend","debitOrCredit":"CR","amountCredited":0.00,"amountDebited":0.00,"balance":101.375}',
  '{"valueDate":"2026-10-03T23:30:00Z","debitOrCredit":"CR","amountCredited":"some","amountDebited":0,"balance":101.375}',
];
const merchantRows = [
  '{"transactionId":null,"reference":"M1","paymentReference":null,"creditOrDebit":"CREDIT","transactionDate":"2026-10-02T10:00:00+03:00","valueDate":"2026-10-02T10:00:00+03:00","narration":"n","description":"n","currency":"TZS","amountCredit":12345678901234567.10,"amountDebit":0,"availableBalance":12345678901234567.10,"currentBalance":12345678901234567.10,"senderAccountNo":null,"senderAccountName":null,"senderBankIdentifier":null}',
  '{"transactionId":"t","reference":"M2","paymentReference":"","creditOrDebit":"DEBIT","transactionDate":"2026-10-03T10:00:00+03:00","valueDate":"2026-10-03T10:00:00+03:00","narration":"n","description":"n","currency":"TZS","amountCredit":0,"amountDebit":0.10,"availableBalance":12345678901234567.00,"currentBalance":12345678901234567.00,"senderAccountNo":"","senderAccountName":"","senderBankIdentifier":null}',
  '{"transactionId":"u","reference":"M3","paymentReference":77,"creditOrDebit":"CREDIT","transactionDate":"2026-10-03T11:00:00+03:00","valueDate":"2026-10-03T11:00:00+03:00","narration":"n","description":"n","currency":"TZS","amountCredit":1,"amountDebit":0,"availableBalance":12345678901234568.00,"currentBalance":12345678901234568.00,"senderAccountNo":255712345678,"senderAccountName":"","senderBankIdentifier":null}',
];

function partnerIn(environment: Record<string, string>) {
  return (line: string) => run(words(line), { now: Date.parse("2026-10-05T09:00:00Z"), environment });
}

async function desk(server: PostgresServer) {
  const answers: Record<string, string> = {
    "/wallet":
      '[{"accountNo":"9000112233","accountName":"SHOP","type":"DISBURSEMENT","balance":101.375,"currency":"TZS"},{"accountNo":"1000112233","accountName":"","type":"DISBURSEMENT","balance":0,"currency":""}]',
    "/wallet/balance": '{"availableBalance":101.375,"currentBalance":101.375}',
    "/wallet/statement": `[${walletRows.join(",")}]`,
    "/transaction/withdraw": '{"paymentRef":"","transactionId":"w","transactionRef":"r"}',
    "/collection": '{"statusCode":"PENDING_ACK","transactionRef":"C-1","transactionId":"c"}',
    "/account/0100/balance":
      '{"success":true,"statusCode":"SUCCESS","timestamp":"2026-10-05T10:00:00+03:00","result":{"accountNo":"0100","accountName":"M","branchCode":"1","currency":"TZS","status":"ACTIVE","availableBalance":12345678901234568.00,"currentBalance":12345678901234568.00}}',
    "/account/0100/statement": `{"success":true,"statusCode":"SUCCESS","timestamp":"2026-10-05T10:00:00+03:00","result":{"accountNo":"0100","statement":[${merchantRows.join(",")}]}}`,
  };
  const service = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      const path = new URL(request.url ?? "", "http://service").pathname;
      response.setHeader("content-type", "application/json");
      const isEmpty = path === "/wallet/statement" && body.includes("1000112233");
      const isZero = path === "/wallet/balance" && body.includes("1000112233");
      response.end(isEmpty ? "[]" : isZero ? '{"availableBalance":0,"currentBalance":0}' : answers[path]);
    });
  });
  const port = await start(service);
  const environment = (folder: string, more: Record<string, string> = {}) => ({
    PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_ACCESS_TOKEN: "token",
    PARTNER_STATE_DIR: join(folder, "state"),
    PARTNER_CONFIG_DIR: folder,
    ...more,
  });
  const alone = environment(temporaryFolder());
  const address = await server.newDatabase();
  const shared = environment(temporaryFolder(), { PARTNER_JOURNAL_URL: address });
  const [one, other] = [partnerIn(alone), partnerIn(shared)];
  expect(await other("journal migrate")).toMatchObject({ exit: 0 });
  for (const partner of [one, other]) {
    await partner("ledger sync 9000112233 --start-date 2026-10-01");
    await partner("ledger sync 0100 1000112233 --start-date 2026-10-01");
  }
  await fill(
    await openInbox(memoryHost(), { stateFolder: alone.PARTNER_STATE_DIR, use: "write", warn: () => undefined }),
  );
  await fill(await openSharedInbox(memoryHost(), { url: urlOf(address), certificates: undefined }));
  return { one, other };
}

/** Payers of webhooks, in the forms in which the service may send them. */
const payers = [
  null,
  {},
  { name: "Asha" },
  { accountName: "Shop", accountNo: "" },
  { name: "", accountNo: "255712345678" },
];

async function fill(inbox: Inbox): Promise<void> {
  const timestamp = "2026-10-02T12:00:00+03:00";
  for (const [at, counterparty] of payers.entries()) {
    const transaction = {
      id: `e-${at}`,
      reference: at === 0 ? "" : `INV-${at}`,
      currency: "TZS",
      amountCredit: at,
      amountDebit: 0,
    };
    const account = { accountNo: "0100", accountName: "Shop" };
    const payload = `${JSON.stringify({ event: "transaction.created", account, transaction, counterparty }).slice(0, -1)}, "more": 1.50}`;
    const body = new TextEncoder().encode(JSON.stringify({ timestamp, signature: "c2lnbmVk", payload }));
    await inbox.store({ id: `e-${at}`, receivedAt: at, requestId: null, timestamp, body, dueAt: null });
  }
  const body = new TextEncoder().encode("no event");
  await inbox.quarantine({ body, receivedAt: 99, requestId: "R-odd", timestamp, problem: "it is not JSON" });
  await inbox.close();
}

withPostgres("SQL queries of the user", (server) => {
  test("give the same results in a local ledger and in a shared one", async () => {
    const { one, other } = await desk(server);
    const orders = [
      "withdraw --account 9000112233 --amount 5 --narration n --reference W-1 --yes",
      "collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 1500 --narration n --reference C-1 --callback-url https://h.example/x --yes",
      "transfer --from 9000112233 --to 1000112233 --amount 7 --description d --reference T-1 --yes",
    ];
    for (const line of orders) for (const partner of [one, other]) await partner(line);
    const ids =
      "kind, state, reference, amount, currency, payer, receiver, opened_at, settled_at, evidence, transaction_id";
    const statements = [
      '"SELECT * FROM accounts" --json',
      '"SELECT * FROM rows" --json',
      '"SELECT * FROM rows" --csv --as-of 2026-10-05T09:30:00Z',
      '"SELECT * FROM days" --json',
      '"SELECT * FROM days" --csv --as-of 2026-10-05T09:30:00Z',
      `"SELECT ${ids} FROM orders" --json`,
      '"SELECT * FROM events" --json',
      '"SELECT account, sum(amount_minor) AS minor FROM rows WHERE NOT is_fee GROUP BY account ORDER BY minor" --json',
      '"SELECT reference FROM rows WHERE time IS NULL" --json',
    ];
    for (const statement of statements) {
      const line = `ledger sql ${statement}`;
      const [mine, theirs] = await Promise.all([one(line), other(line)]);
      expect([line, theirs.stdout, theirs.stderr]).toEqual([line, mine.stdout, mine.stderr]);
      expect(mine.exit).toBe(0);
    }
    const events = await other(
      'ledger sql "SELECT id, account, credit, debit, payer FROM events WHERE payer IS NOT NULL" --csv',
    );
    expect(events.stdout).toBe(
      "id,account,credit,debit,payer\ne-2,0100,2,,Asha\ne-3,0100,3,,Shop\ne-4,0100,4,,255712345678\n",
    );
    const { stdout } = await other(
      "ledger sql \"SELECT time, narration, counterparty FROM rows WHERE reference = 'C'\" --json",
    );
    expect(JSON.parse(stdout)).toEqual([{ time: null, narration: "12.50", counterparty: null }]);
  });
});
