import { remit } from "../contract/remittance.ts";
import type { Violations } from "../contract/request.ts";
import { violationsOf } from "../contract/request.ts";
import { amountOf } from "../values/money/amount.ts";
import { decimalsProblem, markProblem } from "../values/money/amount-marks.ts";
import { homeCurrency } from "../values/money/limits.ts";
import { isCountry } from "../values/country.ts";
import { isCurrency } from "../values/money/currency.ts";
import { Day } from "../values/time/day.ts";
import { decimalMaxDigits } from "../values/money/decimal.ts";
import { findMsisdn } from "../values/msisdn.ts";
import { feeEndingOf, referenceMaxChars } from "../values/reference.ts";
import { isVisible } from "../values/text/text.ts";
import type { RemittanceDraft } from "./draft.ts";
import { bodyOf, isPlainNumber, isToMobile } from "./draft.ts";
import type { RemittanceField } from "./fields.ts";
import { leftOut, remittanceFields } from "./fields.ts";

/** `T08:00:00+03:00`: what follows the day in a timestamp. */
const timeAfterDay = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;
const dayChars = 10;
const expired = "has passed: the id is no longer valid";
const noMobileNumber = "must be a mobile number, as the channel is MOBILE, such as 255712345678";
const unseen = "must not have invisible characters";
const unfilled = "must be filled in";
/** Violations that a sent order may have: they came with time, or were not looked for when it was sent. */
export const laterViolations: ReadonlySet<string> = new Set([expired, noMobileNumber, unseen, unfilled]);

/**
 * All violations of a remittance that can be found without the service: paths with words that follow the field's name,
 * in the order of the specification.
 */
export function remittanceViolations(draft: RemittanceDraft, today: Day): Violations {
  const body = bodyOf(draft);
  // A missing sender is a sender with every field missing, so that each of them is named.
  const form = violationsOf(remit, { ...body, sender: body["sender"] ?? {}, receiver: body["receiver"] ?? {} });
  return Object.fromEntries(
    remittanceFields.flatMap((field): [string, string][] => {
      const text = draft.get(field.path);
      const violation =
        (text === undefined ? undefined : valueFault(field, text, { today, draft })) ?? form[field.path];
      return violation === undefined ? [] : [[field.path, violation]];
    }),
  );
}

/** What is wrong with a value besides its form. */
function valueFault(
  { path, kind, isRate = false, personal = false }: RemittanceField,
  text: string,
  { today, draft }: { readonly today: Day; readonly draft: RemittanceDraft },
): string | undefined {
  if (text.trim() === "") return "must not be blank";
  if (personal && text.trim() === leftOut) return unfilled;
  if (isRate) return numberFault(text);
  if (kind === "amount")
    return (
      numberFault(text) ?? decimalsProblem(text, path === "senderAmount" ? draft.get("senderCurrency") : homeCurrency)
    );
  if (kind === "currency") return isCurrency(text) ? undefined : "must be a currency code, such as USD";
  if (kind === "country") return isCountry(text) ? undefined : countryFault(text);
  if (kind === "day") return dayFault(path, text, today);
  if (kind === "time")
    return Day.parse(text.slice(0, dayChars)) !== undefined && timeAfterDay.test(text.slice(dayChars))
      ? undefined
      : "must be a valid date and time, such as 2026-10-31T08:00:00+03:00";
  if (path === "receiverAccount") return accountFault(text, draft);
  return path === "partnerReference" ? referenceFault(text) : undefined;
}

/** UK has two letters, and isn't the code of any country. */
function countryFault(text: string): string {
  const fault = "must be a country code of two letters, such as KE";
  return text === "UK" ? `${fault}; the United Kingdom is GB` : fault;
}

function numberFault(text: string): string | undefined {
  if (!isPlainNumber(text))
    return markProblem(text) ?? "must be an amount: digits, a point before decimals, no separators";
  return amountOf(text) === undefined ? `must not have more than ${decimalMaxDigits} digits` : undefined;
}

function dayFault(path: string, text: string, today: Day): string | undefined {
  const day = Day.parse(text);
  if (day === undefined) return "must be a day that exists, YYYY-MM-DD";
  if (path === "sender.dateOfBirth" && day.compare(today) >= 0) return "must be in the past";
  return path === "sender.idExpiryDate" && day.compare(today) < 0 ? expired : undefined;
}

/** What is wrong with an account that can't be credited, or has characters that a person doesn't see. */
function accountFault(text: string, draft: RemittanceDraft): string | undefined {
  if (!isToMobile(draft)) return isVisible(text) ? undefined : unseen;
  return findMsisdn(text) === undefined ? noMobileNumber : undefined;
}

/** The same rules as for `--reference`. */
function referenceFault(text: string): string | undefined {
  if (text.trim() !== text || !isVisible(text))
    return "must not begin or end with white space, nor contain invisible characters";
  const ending = feeEndingOf(text);
  if (ending !== undefined) return `must not end in ${ending}, as the service writes its fees`;
  return text.length > referenceMaxChars ? `must not be longer than ${referenceMaxChars} characters` : undefined;
}
