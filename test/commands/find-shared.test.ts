import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Inbox } from "../../src/webhooks/inbox/inbox.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { openSharedInbox } from "../../src/webhooks/inbox/postgres-open.ts";
import { memoryHost } from "../memory-host.ts";
import { saying } from "../movements/teller.ts";
import { openTill } from "../movements/till.ts";
import { urlOf } from "../journal/shared-places.ts";
import { serveStatements } from "../statements-served.ts";
import { withPostgres } from "../with-postgres.ts";

// The server of a shared journal and inbox searches the texts itself, and its results are checked like any other.

/** Words as people and the service write them. */
const words = [
  "school fees",
  "Zoë Mwangá",
  "100% paid",
  "İstanbul",
  "Σοφος 7",
  "e\u0301te",
  "a/b-7",
  "o'brien & sons",
  String.raw`back\slash_x`,
  "+255 712 345 678",
  "(0712) 345-679",
  "0754.111.222",
  "254712345678",
  "5,000/=",
  "\u212a9 kelvin",
  "line one, two",
] as const;

const needles = [
  ...words,
  "INV-3",
  "inv-0003",
  "INV-3-PAYIN",
  "FEES School",
  "zoe",
  "istanbul",
  "ete",
  "0712345678",
  "255712345679",
  "0754111222",
  "1,003.50",
  "1000",
  "1,002",
  "1008",
  "TZS 1,001.50",
  "9000112244",
  "asha",
  "BTX2",
  "pay/5",
  "k9",
  "sons",
  "slash",
  "%",
  "_",
  "nothing of the kind",
];
const timestamp = "2026-03-31T12:00:00+03:00";

async function fill(inbox: Inbox): Promise<void> {
  for (const [at, description] of words.entries()) {
    const transaction = {
      id: `evt-${at}`,
      transactionId: `BTX${at}`,
      reference: at % 3 === 0 ? `INV-${at}` : `T-${at}`,
      paymentReference: `pay/${at}`,
      transactionDate: timestamp,
      creditOrDebit: "CREDIT",
      currency: "TZS",
      amountCredit: at % 2 === 0 ? 6000 + at : 1000.5 + at,
      amountDebit: at % 2 === 0 ? 5000 : 0,
      description: `${description} Asha`,
    };
    const account = { accountNo: "9000112233", accountName: "Shop" };
    const payload = JSON.stringify({ event: "transaction.created", account, transaction, counterparty: null });
    const escaped =
      at % 4 === 1 ? payload.replaceAll("s", String.raw`\u0073`).replaceAll("/", String.raw`\/`) : payload;
    const text = JSON.stringify({ timestamp, signature: "c2lnbmVk", payload: escaped });
    const body = new TextEncoder().encode(text);
    await inbox.store({ id: `evt-${at}`, receivedAt: at, requestId: null, timestamp, body, dueAt: null });
  }
  const body = new Uint8Array([0x7b, 0, 0xff, 0x7d]);
  await inbox.quarantine({ body, receivedAt: 99, requestId: "R-odd", timestamp, problem: "it is not JSON" });
  await inbox.close();
}

withPostgres("a search in a shared journal", (server) => {
  test("finds what a search in the same journal and inbox on one machine finds", async () => {
    const service = await serveStatements({ react: saying("500 Internal Server Error", "") });
    const till = openTill(service.environment);
    for (const [at, text] of words.entries()) {
      const line = `transfer --from 9000112233 --to 9000112244 --amount ${1000 + at} --reference INV-${at} --description "${text}"`;
      expect(await till.run(`${line} --yes --again --check-statement never`)).toMatchObject({ exit: 6 });
    }
    mkdirSync(till.stateFolder, { recursive: true, mode: 0o700 });
    await fill(await openInbox(memoryHost(), { stateFolder: till.stateFolder, use: "write", warn: () => undefined }));
    const find = async (what: string) => {
      const { exit, stdout } = await till.run(`find "${what}" --offline --json`);
      return { what, exit, stdout };
    };
    const alone = [];
    for (const what of needles) alone.push(await find(what));
    const address = await server.newDatabase();
    till.environment["PARTNER_JOURNAL_URL"] = address;
    expect(await till.run("journal migrate")).toMatchObject({ exit: 0 });
    expect(await till.run("journal copy")).toMatchObject({ exit: 0 });
    await fill(await openSharedInbox(memoryHost(), { url: urlOf(address), certificates: undefined }));
    const shared = [];
    for (const what of needles) shared.push(await find(what));
    expect(shared).toEqual(alone);
    expect(alone.filter(({ exit }) => exit === 0).length).toBeGreaterThan(words.length);
  });

  test("works in a database whose language folds the letter I differently", async () => {
    await server.sql(
      "postgres",
      "CREATE DATABASE turkish TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'",
    );
    const address = Object.assign(new URL(await server.newDatabase()), { pathname: "/turkish" }).href;
    const service = await serveStatements({ react: saying("500 Internal Server Error", "") });
    const till = openTill({ ...service.environment, PARTNER_JOURNAL_URL: address });
    expect(await till.run("journal migrate")).toMatchObject({ exit: 0 });
    const line = "transfer --from 9000112233 --to 9000112244 --amount 5 --reference INVOICE-I --description RENT";
    expect(await till.run(`${line} --yes --check-statement never`)).toMatchObject({ exit: 6 });
    await fill(await openSharedInbox(memoryHost(), { url: urlOf(address), certificates: undefined }));
    for (const what of ["INVOICE-I", "invoice-i", "KELVIN", "inv-3"])
      expect(await till.run(`find ${what} --offline`)).toMatchObject({ exit: 0 });
  });
});
