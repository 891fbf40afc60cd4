import { hasOtherDigits, otherDigits } from "./text/text.ts";
import { violation } from "./violation.ts";

/** The country code of Kenya. */
export const kenyanCode = "254";
const msisdnForm = /^25[45]\d{9}$/;
const international = /^(?:\+|00)(?=25[45])/;
/** A number without a country code is Tanzanian. */
const national = /^(?:0(?!0)|(?=[67]\d{8}$))/;
/** Hyphens between digits, as people and programs write them. */
const hyphens = /(?<=\d)[-\u2010\u2011\u2013](?=\d)/g;

/**
 * A mobile number in the service's form, `255XXXXXXXXX`, or `254XXXXXXXXX` for Kenya. People may write it with spaces
 * or hyphens, `+255`, `00255`, a leading zero, or only its nine digits. Nothing is derived from the operator's prefix:
 * numbers are portable. Spec 4.5.
 * @throws {Failure} usage
 */
export function parseMsisdn(text: string, field: string): string {
  const msisdn = findMsisdn(text);
  if (msisdn !== undefined) return msisdn;
  const rule = "255 and nine digits; +255, a leading 0 or the nine digits alone will do as well";
  const problem = hasOtherDigits(text) ? otherDigits : "isn't a valid Tanzanian mobile number";
  throw violation({ field, text, problem, example: "255712345678", rule });
}

/** The number in the service's form; undefined where it isn't a mobile number of Tanzania or Kenya. */
export function findMsisdn(text: string): string | undefined {
  const msisdn = text.replaceAll(/\s/g, "").replaceAll(hyphens, "").replace(international, "").replace(national, "255");
  return msisdnForm.test(msisdn) ? msisdn : undefined;
}

/**
 * How people write such a number, without spaces and hyphens.
 * @param msisdn in the service's form
 */
export function spellingsOf(msisdn: string): readonly string[] {
  const abroad = [msisdn, `+${msisdn}`, `00${msisdn}`];
  const number = msisdn.slice("255".length);
  return msisdn.startsWith("255") ? [...abroad, `0${number}`, number] : abroad;
}

/** True for one mobile number, however it is written: `0712-345-678`, `+255712345678`, `255712345678`. */
export function isSameNumber(one: string, other: string): boolean {
  const msisdn = findMsisdn(one);
  return one === other || (msisdn !== undefined && msisdn === findMsisdn(other));
}
