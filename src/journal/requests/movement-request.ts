import { decodeClaim, decodeJson } from "../../contract/wire.ts";
import { otherAmount } from "../../contract/answers/whose-answer.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { Day } from "../../values/time/day.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import { movementForms } from "./movement-kinds.ts";
import type { Movement, MovementKind } from "../movement.ts";

/** The currency in which a country's operators collect and pay. */
export const operatorCurrencies = { TZ: "TZS", KE: "KES" } as const;
const currencyNames = ["currency", "currencyCode"] as const;
const currencies: ReadonlyMap<string, string> = new Map(Object.entries(operatorCurrencies));

/** An amount, and what says its currency: the request itself, or the wallet that it names. */
export interface MovedAmount {
  readonly amount: Decimal;
  readonly currency: string | undefined;
  readonly wallet: string | undefined;
}

/** Who gets the money: an account, and for a remittance or payout the institution that keeps it. */
export interface Receiver {
  readonly account: string;
  readonly institution: string | undefined;
  /** Spec 2.1: `MOBILE` or `BANK`. */
  readonly channel: string | undefined;
}

/** The day in Dar es Salaam that a request gives; undefined where its kind has none. */
export function dayIn(kind: MovementKind, request: object): Day | undefined {
  const { day } = movementForms[kind];
  if (day === undefined) return undefined;
  const text = String(Reflect.get(request, day));
  return Day.parse(dayOfTimestamp(text) ?? text);
}

/** The request that was or would be sent; empty where its text isn't a JSON object. */
export function requestOf({ request }: Pick<Movement, "request">): JsonObject {
  return objectIn(request);
}

/** The service's answer; empty where there is none, it isn't a JSON object, or it repeats a member. */
export function responseOf({ response }: Pick<Movement, "response">): JsonObject {
  return objectIn(response ?? "");
}

/** Every amount in the request: two for a remittance. Missing and invalid ones are left out. */
export function amountsIn(kind: MovementKind, request: object): readonly MovedAmount[] {
  const text = (name: string | undefined) => (name === undefined ? undefined : requestText(request, name));
  return movementForms[kind].amounts.flatMap(({ amount: name, currency, wallet }) => {
    const amount = amountOf(valueIn(request, name));
    return amount ? [{ amount, currency: text(currency), wallet: text(wallet) }] : [];
  });
}

/**
 * The name of a field in which a callback or a status has another amount or currency than the order; undefined where
 * there is none.
 */
export function otherAmountIn(kind: MovementKind, said: JsonObject, request: object): string | undefined {
  const { amounts } = movementForms[kind];
  const other = otherAmount(
    said,
    amounts.map(({ amount }) => amount),
    request,
  );
  if (other !== undefined) return other;
  const named = amounts.flatMap(({ currency }) => (currency === undefined ? [] : [currency]));
  const ordered = new Map(named.map((name) => [name, requestText(request, name)]));
  // An order with one amount has one currency, whatever the field's name.
  if (amounts.length === 1) for (const name of currencyNames) ordered.set(name, firstAmount(kind, request)?.currency);
  return [...ordered].find(([name, ours]) => {
    const theirs = requestText(said, name);
    return ours !== undefined && theirs !== undefined && theirs.toUpperCase() !== ours;
  })?.[0];
}

/**
 * The amount that people count, with the currency that the request or its channel names; undefined where the request
 * has none.
 */
export function firstAmount(kind: MovementKind, request: object): MovedAmount | undefined {
  const [moved] = amountsIn(kind, request);
  return moved && { ...moved, currency: moved.currency ?? currencies.get(channelCountry(kind, request) ?? "") };
}

/** The country that the order's channel begins with, as in `TZ-TIGO-C2B`; undefined where it names no known country. */
export function channelCountry(kind: MovementKind, request: object): string | undefined {
  const { channel } = movementForms[kind].amounts[0];
  const [country = "", ...others] =
    (channel === undefined ? undefined : requestText(request, channel))?.split("-") ?? [];
  return others.length > 0 && currencies.has(country) ? country : undefined;
}

/** The amounts that leave the account, each side in its currency; none for a collection. */
export function leavingAmounts(kind: MovementKind, request: object): readonly MovedAmount[] {
  return movementForms[kind].direction === "leaves" ? amountsIn(kind, request) : [];
}

/** Who gets the money; undefined where that is the account itself, or the request doesn't say. */
export function receiverOf(kind: MovementKind, request: object): Receiver | undefined {
  const fields = movementForms[kind].receiver;
  const account = fields === null ? undefined : requestText(request, fields.account);
  if (fields === null || account === undefined) return undefined;
  const { institution, channel, namesBank } = fields;
  const bank = namesBank === true ? bankAccount(account) : undefined;
  if (bank !== undefined) return bank;
  if (namesBank === true) return { account, institution: requestText(request, institution ?? ""), channel: "MOBILE" };
  return {
    account,
    institution: institution === undefined ? undefined : requestText(request, institution),
    channel: channel === undefined ? undefined : requestText(request, channel),
  };
}

/** `CORUTZTZ:0150000111222` as a receiver; undefined for a mobile number. */
function bankAccount(text: string): Receiver | undefined {
  const [, institution, account = ""] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  return institution === undefined ? undefined : { account, institution, channel: "BANK" };
}

/** The receiver's name, as far as the request says it. */
export function receiverName(kind: MovementKind, request: object): string | undefined {
  let value: unknown = request;
  for (const name of movementForms[kind].receiver?.name ?? [""])
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The wallet or the phone that pays; undefined where the request doesn't say. */
export function payerOf(kind: MovementKind, request: object): string | undefined {
  const { payer } = movementForms[kind];
  return payer === null ? undefined : requestText(request, payer);
}

/** The wallet of the account that pays; undefined where money comes in, or the request doesn't say. */
export function payingWallet(kind: MovementKind, request: object): string | undefined {
  return movementForms[kind].direction === "leaves" ? payerOf(kind, request) : undefined;
}

/** The wallet whose statement shows an order, and `any` where the order does not name it. */
export function orderedWallet(order: Pick<Movement, "kind" | "request">): string {
  return payingWallet(order.kind, requestOf(order)) ?? "any";
}

/** The text in a field of a request; undefined where it is missing, empty or not a text. */
export function requestText(request: object, name: string): string | undefined {
  const value = valueIn(request, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function valueIn(request: object, name: string): JsonValue | undefined {
  const value: JsonValue | undefined = Reflect.get(request, name);
  return value;
}

/** A row of a statement, out of the JSON text in which the journal keeps it. */
export function keptRow(text: string): JsonObject {
  const row = decodeJson(text);
  return isJsonObject(row) ? row : {};
}

function objectIn(text: string): JsonObject {
  try {
    const value = decodeClaim(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
