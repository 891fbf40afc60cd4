import { remit } from "../contract/remittance.ts";
import type { Faults } from "../contract/request.ts";
import { faultsOf } from "../contract/request.ts";
import { amountOf } from "../values/amount.ts";
import { isCurrency } from "../values/currency.ts";
import { Day } from "../values/day.ts";
import { Decimal } from "../values/decimal.ts";
import { isCountry } from "../values/country.ts";
import type { JsonObject } from "../values/json.ts";
import type { Draft } from "./draft.ts";
import { remittanceFields } from "./fields.ts";

/** The part of a shilling by which the two amounts may differ from the rate: rounding, and no more. */
const roundingMax = new Decimal(1n, 0);

/** Everything that keeps a body from being sent: path to what is wrong, in words that follow the field's name. */
export function remittanceFaults(body: JsonObject, draft: Draft, today: Day): Faults {
  const faults: Record<string, string> = { ...ownFaults(draft, today), ...faultsOf(remit, withParts(body)) };
  return faults;
}

/** A missing sender is a sender with every field missing: the faults name each of them. */
export function withParts(body: JsonObject): JsonObject {
  return { ...body, sender: body["sender"] ?? {}, receiver: body["receiver"] ?? {} };
}

/** `receiverAmount` beside `senderAmount × exchangeRate`: a warning beyond a shilling. */
export function rateWarning(draft: Draft): string | undefined {
  const expected = convertedAmount(draft);
  const given = amountOf(draft.get("receiverAmount"));
  if (expected === undefined || !given) return undefined;
  const apart = given.subtract(expected).abs();
  if (apart.compare(roundingMax) <= 0) return undefined;
  return `At that rate the receiver would get ${expected.grouped(2)} TZS, not ${given.grouped(0)}.`;
}

/** What the sender's amount comes to in shillings, exactly. */
export function convertedAmount(draft: Draft): Decimal | undefined {
  const [amount, rate] = [amountOf(draft.get("senderAmount")), amountOf(draft.get("exchangeRate"))];
  if (!amount || !rate) return undefined;
  return new Decimal(amount.units * rate.units, amount.scale + rate.scale);
}

function ownFaults(draft: Draft, today: Day): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, kind } of remittanceFields) {
    const text = draft.get(path);
    if (text === undefined) continue;
    if (kind === "currency" && !isCurrency(text)) faults[path] = "is no currency code, such as USD";
    if (kind === "country" && !isCountry(text)) faults[path] = "is no country code, such as KE";
    if (kind === "day" && Day.parse(text) === undefined) faults[path] = "is no day, YYYY-MM-DD";
  }
  const [born, expires] = ["sender.dateOfBirth", "sender.idExpiryDate"].map((path) => Day.parse(draft.get(path) ?? ""));
  if (born !== undefined && born.compare(today) >= 0) faults["sender.dateOfBirth"] = "lies in the future";
  if (expires !== undefined && expires.compare(today) < 0)
    faults["sender.idExpiryDate"] = "has passed: the id is no longer valid";
  return faults;
}
