import type { MoneyOrder } from "../../src/movements/order.ts";
import { transferOrder } from "../../src/movements/transfer.ts";
import { withdrawOrder } from "../../src/movements/withdraw.ts";
import { Day } from "../../src/values/day.ts";
import { Decimal } from "../../src/values/decimal.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import { isJsonObject } from "../../src/values/json.ts";
import type { JsonObject } from "../../src/values/json.ts";

/** A command that moves money, and what the service says to it, typed by hand from the specification. */
export interface Kind {
  readonly kind: "transfer" | "withdraw";
  readonly path: string;
  /** The command line; asks nobody. */
  line(reference: string): string;
  /** The same reference on another request. */
  otherLine(reference: string): string;
  /** What the first command line orders. */
  order(reference: string): MoneyOrder;
  /** The answer's status line and body. */
  readonly status: string;
  answer(reference: string, amount?: string): string;
  /** The reference that a request was made under. */
  referenceIn(body: string): string | undefined;
}

/** The kinds that every table of tests goes through. */
export const kinds: readonly Kind[] = [
  {
    kind: "transfer",
    path: "/transaction/transfer-local",
    line: (reference) =>
      `transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference ${reference} --yes --json`,
    otherLine: (reference) =>
      `transfer --from 9000112233 --to 9000112244 --amount 6 --description rent --reference ${reference} --yes --json`,
    order: (reference) =>
      transferOrder({
        from: "9000112233",
        to: "9000112244",
        amount: decimal("5"),
        description: "rent",
        reference,
        tagged: true,
      }),
    status: "200 OK",
    // Spec 2.7.
    answer: (reference, amount = "5") =>
      `{"transactionId":"a1B2c3D4e5F6","from":"9000112233","to":"9000112244","transactionDate":"2026-03-31T12:00:00+03:00","narration":"rent [${reference}]","amount":${amount},"transactionRef":"g7H8i9J0k1L2"}`,
    referenceIn: (body) => / \[([^[\]]+)\]$/.exec(textIn(body, "description"))?.[1],
  },
  {
    kind: "withdraw",
    path: "/transaction/withdraw",
    line: (reference) =>
      `withdraw --account 9000112233 --amount 5.50 --narration payout --reference ${reference} --yes --json`,
    otherLine: (reference) =>
      `withdraw --account 9000112233 --amount 5.51 --narration payout --reference ${reference} --yes --json`,
    order: (reference) =>
      withdrawOrder({
        account: "9000112233",
        amount: decimal("5.50"),
        narration: "payout",
        reference,
        date: undefined,
        today: day("2026-03-31"),
      }),
    status: "201 Created",
    // Spec 2.9.
    answer: (reference) => `{"paymentRef":"","transactionId":"a1B2c3D4e5F6","transactionRef":"${reference}"}`,
    referenceIn: (body) => textIn(body, "externalRef"),
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
  if (found === undefined) throw new Error(`${text} is no day`);
  return found;
}

function decimal(text: string): Decimal {
  const amount = Decimal.parse(text);
  if (amount === undefined) throw new Error(`${text} is no amount`);
  return amount;
}
