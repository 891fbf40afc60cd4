import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { JsonError } from "../json/json-error.ts";
import { isFeeRow } from "./fee-row.ts";
import { decodeJson, encodeJson } from "./wire.ts";

/**
 * Members of requests, answers and statement rows that have no personal data: ids of payments, amounts, days, codes and
 * the partner's own wallets. All other members count as personal, even unknown ones.
 */
const impersonalMembers: ReadonlySet<string> = new Set([
  "accountNo",
  "amount",
  "amountCredit",
  "amountCredited",
  "amountDebit",
  "amountDebited",
  "availableBalance",
  "balance",
  "bookedBalance",
  "bookingDate",
  "callbackUrl",
  "cbaRefNo",
  "channel",
  "code",
  "countryCode",
  "createdAt",
  "creditOrDebit",
  "currency",
  "currencyCode",
  "currentBalance",
  "debitOrCredit",
  "error",
  "exchangeRate",
  "externalRef",
  "fee",
  "fees",
  "from",
  "id",
  "institutionCode",
  "partnerReference",
  "paymentRef",
  "rate",
  "reason",
  "receiverAmount",
  "receiverChannel",
  "receiverCurrency",
  "reference",
  "senderAmount",
  "senderCurrency",
  "serviceCode",
  "status",
  "statusCode",
  "success",
  "to",
  "tranRefNo",
  "transactionDate",
  "transactionId",
  "transactionRef",
  "txnDate",
  "type",
  "updatedAt",
  "valueDate",
  "walletId",
]);

/** The replacement for a text; `at` is its path in the document. */
export type Cover = (text: string, at: string) => string;

/** How many digits of a hash replace a text. */
export const coverDigits = 32;
const coveredForm = /^redacted-[0-9a-f]{32}$/;
/** A replacement within a longer text. */
export const coverIn = /redacted-[0-9a-f]{32}/;
/** The beginning of a fee's narration, which is kept: without it, the row would not be recognized as a fee. */
const feeBeginning = /^SERVICE FEE FOR REF:\s*\S+(?: TXNID:\S+)?/i;
/** Our tag at the end of a narration, which ties a row to an order. A telephone number in brackets isn't a tag. */
const tag = / \[(?!\+?\d{9,}\])[^\s[\]]*\d[^\s[\]]*\]$/;

/** The form of a replacement. */
export function coveredBy(hash: string): string {
  return `redacted-${hash.slice(0, coverDigits)}`;
}

/** True for a replacement. */
export function isCovered(text: string): boolean {
  return coveredForm.test(text);
}

/** A JSON text without personal data; any other text counts as personal as a whole. Idempotent. */
export function withoutPeople(text: string, cover: Cover): string {
  if (text === "" || isCovered(text)) return text;
  try {
    return encodeJson(valueWithout(decodeJson(text), "", cover));
  } catch (error) {
    if (error instanceof JsonError) return cover(text, "");
    throw error;
  }
}

/** A row of a statement without personal data. Its amounts and its references are unchanged. */
export function rowWithoutPeople(row: JsonObject, cover: Cover): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, JsonValue] => [
      name,
      name === "narration" && typeof value === "string"
        ? narrationWithout(row, value, cover)
        : memberWithout(name, value, "", cover),
    ]),
  );
}

function narrationWithout(row: JsonObject, narration: string, cover: Cover): string {
  const reference = typeof row["tranRefNo"] === "string" ? row["tranRefNo"] : "";
  const [kept = ""] = isFeeRow({ reference, narration }) ? (feeBeginning.exec(narration) ?? []) : [];
  const [end = ""] = tag.exec(narration.slice(kept.length)) ?? [];
  const text = narration.slice(kept.length, narration.length - end.length).trim();
  if (text === "" || isCovered(text)) return narration;
  return `${kept}${kept === "" ? "" : " "}${cover(text, "narration")}${end}`;
}

function valueWithout(value: JsonValue, at: string, cover: Cover): JsonValue {
  if (Array.isArray(value)) return value.map((item) => valueWithout(item, at, cover));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]): [string, JsonValue] => [
        name,
        memberWithout(name, member, at, cover),
      ]),
    );
  const text = value instanceof Numeral ? value.text : value;
  return typeof text !== "string" || text === "" || isCovered(text) ? value : cover(text, at);
}

function memberWithout(name: string, value: JsonValue, at: string, cover: Cover): JsonValue {
  const isLeaf = !Array.isArray(value) && !isJsonObject(value);
  if (isLeaf && impersonalMembers.has(name)) return value;
  return valueWithout(value, `${at}/${name}`, cover);
}

/** Replaces a whole text; null, empty and replaced texts are unchanged. */
export function coverText(text: string | null, cover: Cover): string | null {
  return text === null || text === "" || isCovered(text) ? text : cover(text, "");
}
