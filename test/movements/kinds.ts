import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { remit } from "../../src/contract/remittance.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import type { MovementKind } from "../../src/journal/movement.ts";
import { collectOrder } from "../../src/movements/kinds/collect.ts";
import type { MoneyOrder } from "../../src/movements/order.ts";
import { payoutOrder } from "../../src/movements/kinds/payout.ts";
import { transferOrder } from "../../src/movements/kinds/transfer.ts";
import { withdrawOrder } from "../../src/movements/kinds/withdraw.ts";
import { Day } from "../../src/values/time/day.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { JsonObject } from "../../src/values/json.ts";
import { isJsonObject } from "../../src/values/json.ts";
import { temporaryFolder } from "../memory-host.ts";

/** A command that moves money and the service's answer to it, typed by hand from the specification. */
export interface Kind {
  readonly kind: MovementKind;
  readonly path: string;
  /** The command line, which asks no question; another amount makes it another request. */
  line(reference: string, amount?: string): string;
  /** The order of the line. */
  order(reference: string): MoneyOrder;
  /** The default amount of the line, and another one. */
  readonly amounts: readonly [string, string];
  /** Reads that the command makes before it opens the journal. */
  readonly readsBefore: 0 | 1;
  /** The answer's status line and body, and the state that they mean. */
  readonly status: string;
  answer(reference: string, amount?: string): string;
  readonly state: "accepted" | "pending";
  /** The reference of a request. */
  referenceIn(body: string): string | undefined;
}

const moment = "2026-03-31T12:00:00+03:00";
const callbackUrl = "https://hooks.example/partner";

// Spec 2.1, except for the reference and the amount in TZS.
const remittance = `{"paymentDate":"${moment}","callbackUrl":"${callbackUrl}","description":"School fees","senderCurrency":"USD","senderAmount":100,"receiverCurrency":"TZS","exchangeRate":2500,"receiverChannel":"MOBILE","institutionCode":"TZ-TIGO-B2C","receiverAccount":"255712345678","sender":{"fullName":"Zoë Mwangá","nationality":"KE","countryCode":"KE","idType":"PASSPORT","idNumber":"A1234567","dateOfBirth":"1990-02-28","phoneNumber":"254700000000","address":"12 Riverside Drive, Nairobi","sourceOfFundsDeclaration":"salary","purposeOfTransaction":"education"},"receiver":{"fullName":"Amina Juma","phoneNumber":"255712345678","countryCode":"TZ"}}`;
const draft = join(temporaryFolder(), "draft.json");
writeFileSync(draft, remittance);

/** Asks neither a person nor the statement: the tests look at what is sent and what becomes of it. */
const unasked = "--yes --json --check-statement never";

/** The kinds that every table of tests uses. */
export const kinds: readonly [Kind, ...Kind[]] = [
  {
    kind: "transfer",
    path: "/transaction/transfer-local",
    amounts: ["5", "6"],
    line: (reference, amount = "5") =>
      `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description rent --reference ${reference} ${unasked}`,
    order: (reference) =>
      transferOrder({
        from: "9000112233",
        to: "9000112244",
        amount: decimal("5"),
        description: "rent",
        reference,
        tagged: true,
      }),
    readsBefore: 1,
    status: "200 OK",
    // Spec 2.7.
    answer: (reference, amount = "5") =>
      `{"transactionId":"a1B2c3D4e5F6","from":"9000112233","to":"9000112244","transactionDate":"${moment}","narration":"rent [${reference}]","amount":${amount},"transactionRef":"g7H8i9J0k1L2"}`,
    state: "accepted",
    referenceIn: (body) => / \[([^[\]]+)\]$/.exec(textIn(body, "description"))?.[1],
  },
  {
    kind: "withdraw",
    path: "/transaction/withdraw",
    amounts: ["5.50", "5.51"],
    line: (reference, amount = "5.50") =>
      `withdraw --account 9000112233 --amount ${amount} --narration payout --reference ${reference} ${unasked}`,
    order: (reference) =>
      withdrawOrder({
        account: "9000112233",
        amount: decimal("5.50"),
        narration: "payout",
        reference,
        date: undefined,
        today: day("2026-03-31"),
      }),
    readsBefore: 1,
    status: "201 Created",
    // Spec 2.9.
    answer: (reference) => `{"paymentRef":"","transactionId":"a1B2c3D4e5F6","transactionRef":"${reference}"}`,
    state: "accepted",
    referenceIn: (body) => textIn(body, "externalRef"),
  },
  {
    kind: "collect",
    path: "/collection",
    amounts: ["1500", "1600"],
    line: (reference, amount = "1500") =>
      `collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount ${amount} --narration lunch --callback-url ${callbackUrl} --reference ${reference} ${unasked}`,
    order: (reference) =>
      collectOrder({
        msisdn: "255712345678",
        channel: "TZ-TIGO-C2B",
        amount: decimal("1500"),
        narration: "lunch",
        reference,
        callbackUrl,
        callbackIsMade: false,
        nowMs: Date.parse(moment),
      }),
    readsBefore: 0,
    status: "201 Created",
    // Spec 4.5.
    answer: (reference) =>
      `{"statusCode":"PENDING_ACK","transactionRef":"${reference}","transactionId":"a1B2c3D4e5F6"}`,
    state: "pending",
    referenceIn: (body) => textIn(body, "transactionRef"),
  },
  {
    kind: "remit",
    path: "/payment/remittance",
    amounts: ["250000", "250001"],
    line: (reference, amount = "250000") =>
      `remit --from-file ${draft} --receiver-amount ${amount} --reference ${reference} --yes --json`,
    order: (reference) => ({
      kind: "remit",
      endpoint: remit,
      reference,
      input: objectIn(remittance.replace("{", `{"partnerReference":"${reference}","receiverAmount":250000,`)),
      volatile: [],
    }),
    readsBefore: 1,
    status: "201 Created",
    // Spec is silent: the record of an older API.
    answer: (reference) =>
      `{"partnerReference":"${reference}","status":"CREATED","statusCode":"CREATED","createdAt":"${moment}"}`,
    state: "pending",
    referenceIn: (body) => textIn(body, "partnerReference"),
  },
  {
    kind: "payout",
    path: "/payment/wallet-to-mobile",
    amounts: ["25000", "26000"],
    line: (reference, amount = "25000") =>
      `payout --from 9000112233 --to 255712000111 --name "ASHA JUMA" --amount ${amount} --narration salary --callback-url ${callbackUrl} --reference ${reference} ${unasked}`,
    order: (reference) =>
      payoutOrder({
        account: "9000112233",
        msisdn: "255712000111",
        serviceCode: "TZ-TIGO-B2C",
        name: "ASHA JUMA",
        amount: decimal("25000"),
        narration: "salary",
        reference,
        callbackUrl,
        callbackIsMade: false,
        nowMs: Date.parse(moment),
      }),
    readsBefore: 1,
    status: "200 OK",
    // Not in the specification: as the service's public pages show it.
    answer: (reference) =>
      `{"statusCode":"PENDING_ACK","transactionRef":"${reference}","transactionId":"q7XbT2mNc9Ls"}`,
    state: "pending",
    referenceIn: (body) => textIn(body, "transactionRef"),
  },
];

export function objectIn(text: string): JsonObject {
  const value = decodeJson(text);
  if (!isJsonObject(value)) throw new Error("Not an object");
  return value;
}

function textIn(text: string, name: string): string {
  const value = objectIn(text)[name];
  return typeof value === "string" ? value : "";
}

function day(text: string): Day {
  const found = Day.parse(text);
  if (found === undefined) throw new Error(`${text} isn't a day`);
  return found;
}

function decimal(text: string): Decimal {
  const amount = Decimal.parse(text);
  if (amount === undefined) throw new Error(`${text} isn't a valid amount`);
  return amount;
}
