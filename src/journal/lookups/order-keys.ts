import { decodeJson } from "../../contract/wire.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { findMsisdn, spellingsOf } from "../../values/msisdn.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import { accountIn } from "../account-name.ts";
import { sha256 } from "../requests/request-hash.ts";
import type { MovementKey, MovementKind, MovementState } from "../movement.ts";

/** What an order is looked up by when it could be the same payment under another reference. */
export interface OrderKeys {
  /** Equal for orders that have kind, account, payer, receiver and amount in common. */
  readonly like: string;
  /** Equal for orders whose references differ only in how they are written. */
  readonly near: string;
}

/**
 * How an order counts when others are compared with it: nothing moved (`free`), its outcome is pending or unknown
 * (`open`), or it is known what moved (`done`).
 */
export type OrderStanding = "free" | "open" | "done";

/** The field with the receiving account at a bank or an operator. */
const receiverFields: Readonly<Partial<Record<MovementKind, string>>> = { remit: "receiverAccount", payout: "msisdn" };
/** The fields that name wallets of the service. */
const walletFields: ReadonlySet<string> = new Set(["from", "to", "accountNo"]);
/** What people put between the digits of an account number. */
const separators = /[\s.,/_\p{Pd}]/gu;
/** The longest number that is written out: no reference is longer. */
const exponentMax = 100;

const standings: Readonly<Record<MovementState, OrderStanding>> = {
  prepared: "open",
  sending: "open",
  accepted: "done",
  pending: "open",
  refused: "free",
  reversed: "done",
  unsent: "free",
  unknown: "open",
};

export function orderStandingOf(state: MovementState): OrderStanding {
  return standings[state];
}

/** Reads them from an order; a field that the request lacks is empty. */
export function keysOf({ scope, kind, reference }: MovementKey, request: string): OrderKeys {
  const accountId = accountIn(scope)?.accountId ?? scope;
  return {
    like: likeKey(accountId, kind, likeness(kind, bodyOf(request))),
    near: sha256(JSON.stringify([kind, accountId, nearForm(reference)])),
  };
}

/**
 * Every key under which similar orders are stored, its own key first. A redacted order has the key from when it was
 * ordered, and earlier versions compared account numbers as they were written.
 */
export function likeKeysOf({ scope, kind }: Pick<MovementKey, "scope" | "kind">, request: string): string[] {
  const accountId = accountIn(scope)?.accountId ?? scope;
  const body = bodyOf(request);
  const number = mobileReceiver(kind, body);
  const typed = plainText(body, receiverFields[kind] ?? "");
  const former = [typed, ...(number === undefined ? [] : spellingsOf(number))];
  const all = [
    likeness(kind, body),
    ...[receiverOf(kind, body), ...former].map((receiver) => partsOf(kind, body, receiver, asTyped)),
    ...former.map((receiver) => partsOf(kind, body, receiver)),
  ];
  return [...new Set(all.map((parts) => likeKey(accountId, kind, parts)))];
}

function likeKey(accountId: string, kind: MovementKind, parts: readonly string[]): string {
  return sha256(JSON.stringify([kind, accountId, ...parts]));
}

/** Payer, receiver and amount, as far as a request names them: the same texts in like orders. */
export function likeness(kind: MovementKind, request: object): readonly string[] {
  return partsOf(kind, request, receiverOf(kind, request));
}

function partsOf(
  kind: MovementKind,
  request: object,
  receiver: string | undefined,
  walletForm: (typed: string) => string = plainAccount,
): readonly string[] {
  return likeFields[kind].map((name) => {
    if (name === receiverFields[kind] && receiver) return receiver;
    const typed = plainText(request, name);
    return walletFields.has(name) ? walletForm(typed) : typed;
  });
}

function receiverOf(kind: MovementKind, request: object): string | undefined {
  return mobileReceiver(kind, request) ?? bankReceiver(kind, request);
}

function asTyped(text: string): string {
  return text;
}

/** The number that mobile money goes to, however it is written; undefined for a bank account. */
function mobileReceiver(kind: MovementKind, request: object): string | undefined {
  if (kind !== "remit" || plainText(request, "receiverChannel") !== "MOBILE") return undefined;
  return findMsisdn(plainText(request, "receiverAccount"));
}

/**
 * An account's number without what people put between its digits, and without leading zeros: `015-000.111 222` and
 * `15000111222` count as one. If they are two after all, a person can say so. As typed where nothing would be left.
 */
function plainAccount(typed: string): string {
  return typed.normalize("NFKC").replaceAll(separators, "").toUpperCase().replace(/^0+/, "") || typed;
}

function bankReceiver(kind: MovementKind, request: object): string | undefined {
  const field = receiverFields[kind];
  if (field === undefined) return undefined;
  const typed = plainText(request, field);
  const [, bank = "", account = typed] = kind === "payout" ? (/^([^:]+:)(.+)$/s.exec(typed) ?? []) : [];
  return account === "" ? undefined : bank + plainAccount(account);
}

/** The fields that similar orders share: payer, receiver and amount, as far as a request names them. */
const likeFields: Readonly<Record<MovementKind, readonly string[]>> = {
  transfer: ["from", "to", "amount"],
  withdraw: ["accountNo", "amount"],
  collect: ["msisdn", "amount"],
  remit: ["institutionCode", "receiverAccount", "receiverAmount"],
  payout: ["accountNo", "msisdn", "amount"],
};

/** What a spreadsheet or a hurried hand changes about a reference, each with what undoes it, in this order. */
const spellings: readonly (readonly [name: string, undo: (text: string) => string])[] = [
  ["the form of its letters", (text) => text.normalize("NFC")],
  ["letter case", (text) => text.toUpperCase().toLowerCase()],
  ["spaces", (text) => text.replaceAll(/\s/gu, "")],
  ["scientific notation", (text) => writtenOut(text) ?? text],
  ["leading zeros", (text) => text.replace(/^0+(?=.)/u, "")],
];

/** A reference without such differences: `0001` and `1` are equal, `INV-007` and `INV-7` are not. */
export function nearForm(reference: string): string {
  return spellings.reduce((text, [, undo]) => undo(text), reference);
}

/** In what two references of one near form differ, in words: `letter case and spaces`. */
export function nearness(one: string, other: string): string {
  const names = spellings.flatMap(([name]) => {
    const rest = spellings.filter(([each]) => each !== name);
    const [first, second] = [one, other].map((text) => rest.reduce((left, [, undo]) => undo(left), text));
    return first === second ? [] : [name];
  });
  return names.length === 0 ? "how it is written" : names.join(" and ");
}

/** `1.5e+05` and `1,5E5` as `150000`; undefined for what has no exponent, or isn't whole when it is written out. */
function writtenOut(text: string): string | undefined {
  const [, whole, fraction = "", exponent] = /^(\d+)(?:[.,](\d*))?e\+?(\d{1,4})$/i.exec(text) ?? [];
  if (whole === undefined || exponent === undefined) return undefined;
  const digits = withoutEnding(fraction, "0");
  const zeros = Number(exponent) - digits.length;
  return zeros < 0 || zeros > exponentMax ? undefined : whole + digits + "0".repeat(zeros);
}

function bodyOf(request: string): JsonObject {
  const body = decodeJson(request);
  return isJsonObject(body) ? body : {};
}

/** Amounts by their value, texts without spaces around them. */
function plainText(request: object, name: string): string {
  const value: unknown = Reflect.get(request, name);
  if (value instanceof Numeral) {
    const amount = amountOf(value);
    if (amount === null || amount === undefined) return value.text;
    const [whole = "", fraction = ""] = amount.toString().split(".");
    const decimals = withoutEnding(fraction, "0");
    return decimals === "" ? whole : `${whole}.${decimals}`;
  }
  return typeof value === "string" ? value.trim() : "";
}
