import { expect, test } from "vitest";
import { remittanceViolations } from "../../src/remittance/check.ts";
import { readDraft } from "../../src/remittance/draft-file.ts";
import { Day } from "../../src/values/time/day.ts";
import { remittanceWith } from "../commands/remittance.ts";

const today = Day.parse("2026-03-31") ?? new Day(0);
const made = { paymentDate: "2026-03-31T12:00:00+03:00", partnerReference: "INV-42" };

/** The faults of the specification's example with one value changed. */
function faults(path: string, value: unknown) {
  return remittanceViolations(readDraft(JSON.stringify(remittanceWith({ ...made, [path]: value }))), today);
}

const moment = "must be a valid date and time, such as 2026-10-31T08:00:00+03:00";
const amount = "must be an amount: digits, a point before decimals, no separators";
const country = "must be a country code of two letters, such as KE";
const currency = "must be a currency code, such as USD";
const day = "must be a day that exists, YYYY-MM-DD";
const reference = "must not begin or end with white space, nor contain invisible characters";

test.each([
  ["sender.fullName", "   ", "must not be blank"],
  ["receiver.fullName", "😀".repeat(101), "must have 2 to 100 characters"],
  ["receiverAmount", -5000, amount],
  ["senderAmount", 1e21, amount],
  ["senderAmount", 0, "must be an amount above zero"],
  ["exchangeRate", 0, "must be an amount above zero"],
  ["senderCurrency", "usd", currency],
  ["senderCurrency", "USDT", currency],
  ["receiverCurrency", "KES", "must be one of TZS"],
  ["receiverChannel", "CASH", "must be one of MOBILE, BANK"],
  ["receiver.countryCode", "KE", "must be one of TZ"],
  ["sender.nationality", "Kenyan", country],
  ["sender.nationality", "ke", country],
  ["sender.countryCode", "AN", country],
  ["sender.countryCode", "UK", `${country}; the United Kingdom is GB`],
  ["sender.idType", "LIBRARY_CARD", "must be one of PASSPORT, NATIONAL_ID, DRIVING_LICENSE"],
  ["sender.dateOfBirth", "28.02.1990", day],
  ["sender.dateOfBirth", "1990-02-29", day],
  ["sender.dateOfBirth", "2026-03-31", "must be in the past"],
  ["paymentDate", "2026-02-30T08:00:00+03:00", moment],
  ["paymentDate", "2026-03-31T24:00:00Z", moment],
  ["paymentDate", "2026-03-31T08:00:00", moment],
  ["paymentDate", "2026-03-31", moment],
  ["partnerReference", " INV-1", reference],
  ["partnerReference", "INV\u00001", reference],
  ["partnerReference", "R".repeat(101), "must not be longer than 100 characters"],
] as const)("%s %j %s", (path, value, fault) => {
  expect(faults(path, value)).toEqual({ [path]: fault });
});

test("an amount may have at most 100 digits", () => {
  const known = new Map(readDraft(JSON.stringify(remittanceWith(made)))).set("receiverAmount", "9".repeat(101));
  expect(remittanceViolations(known, today)).toEqual({ receiverAmount: "must not have more than 100 digits" });
});

test.each([
  ["sender.fullName", "Li"],
  ["receiver.fullName", "😀".repeat(100)],
  ["receiverAmount", 1000],
  ["sender.idExpiryDate", "2026-03-31"],
  ["sender.dateOfBirth", "2026-03-30"],
  ["sender.dateOfBirth", "1992-02-29"],
  ["paymentDate", "2026-03-31T08:00:00.123+0300"],
  ["paymentDate", "2026-03-31T08:00Z"],
  ["receiver.email", null],
  ["callbackUrl", "http://127.0.0.1:8080/hook"],
] as const)("%s %j is accepted", (path, value) => {
  expect(faults(path, value)).toEqual({});
});

test("an empty remittance lacks every required field, each named by its path, in the specification's order", () => {
  const paths = Object.keys(remittanceViolations(new Map(), today));
  expect(paths).toHaveLength(25);
  expect(paths.slice(0, 3)).toEqual(["paymentDate", "partnerReference", "callbackUrl"]);
  expect(paths.slice(-3)).toEqual(["receiver.fullName", "receiver.phoneNumber", "receiver.countryCode"]);
});
