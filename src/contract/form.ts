import * as z from "zod/mini";
import { Numeral } from "../values/json.ts";
import { isLoopback } from "../values/addresses/loopback.ts";

// The specification's forms of fields, as checks with messages for people. Spec 2 and 4.

/** Text that isn't empty: the service refuses empty strings. */
export const text = z.string("must be text").check(z.minLength(1, "must not be empty"));

/** A calendar day. Spec 4.4, 4.6, 4.10: `YYYY-MM-DD`. */
export const day = matching(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, "must be a day, YYYY-MM-DD");

/** The service's own time without a zone. Spec 4.5: `YYYY-MM-DD HH:mm:ss`. */
export const wallTime = matching(
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
  "must be a time, YYYY-MM-DD HH:mm:ss",
);

/** Spec 2.1: an ISO 8601 timestamp. */
export const timestamp = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/,
  "must be an ISO 8601 timestamp",
);

/** Spec 2.1, 8: a Tanzanian number. */
export const tanzanianPhone = matching(/^255\d{9}$/, "must be 255 and nine digits, such as 255712345678");

/** Spec 4.5: a Tanzanian number. Kenyan numbers occur with Kenyan channels. */
export const mobileNumber = matching(/^25[45]\d{9}$/, "must be 255 and nine digits, such as 255712345678");

/** Spec 2.1: ISO 4217. */
export const currencyCode = matching(/^[A-Z]{3}$/, "must be a currency code of three letters, such as USD");

/** Spec 2.1: ISO 3166 alpha-2. */
export const countryCode = matching(/^[A-Z]{2}$/, "must be a country code of two letters, such as KE");

/** Spec 2.1, 8: a legal name. */
export const fullName = text.check(z.refine((name) => /^.{2,100}$/su.test(name), "must have 2 to 100 characters"));

/**
 * Spec 2.1: an https URL that can be reached from the internet. Spec 4.5 is silent on the scheme; here it is the same.
 * http is our own exception for addresses of this machine, which only the simulator can reach.
 */
export const callbackUrl = text.check(
  z.refine((url) => url === "" || isCallbackUrl(url), "must be an https URL (http is only for this machine)"),
);

/** Money above zero, its digits as typed. */
export const positiveAmount = numeral(/^(?!0+(\.0+)?$)\d+(\.\d+)?$/, "must be an amount above zero");

/** Spec 4.7, 8: no decimals. */
export const positiveInteger = numeral(/^[1-9]\d*$/, "must be a whole amount above zero");

/** Spec 2.1, 8: at least 1000 shillings, without decimals. */
export const remittanceAmount = numeral(/^[1-9]\d{3,}$/, "must be a whole amount of at least 1000");

export function oneOf<const T extends string>(values: readonly [T, ...T[]]): z.ZodMiniEnum<{ [K in T]: K }> {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

function isCallbackUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/]\S*$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopback(hostname);
}

function matching(form: RegExp, message: string) {
  return text.check(z.regex(form, message));
}

function numeral(form: RegExp, message: string) {
  return z
    .custom<Numeral>((value) => value instanceof Numeral, message)
    .check(z.refine((value) => form.test(value.text), message));
}
