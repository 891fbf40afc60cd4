import * as z from "zod/mini";
import { movesMoney } from "../endpoint.ts";
import { callbackUrl, oneOf, positiveInteger, text, wallTime } from "../form.ts";
import { objectAt } from "../answers/response.ts";

/** The documented codes of channels; others are a warning, never an error. */
export const documentedServiceCodes = [
  "TZ-AIRTEL-B2C",
  "TZ-TIGO-B2C",
  "TZ-HALOTEL-B2C",
  "TZ-VODACOM-B2C",
  "TZ-BANK-B2C",
  "KE-SAFARICOM-B2C",
  "KE-BANK-B2C",
] as const;

/** All eleven fields are required, `recipientNames` for mobile too. */
const request = {
  schema: z.strictObject({
    countryCode: oneOf(["TZ", "KE"]),
    accountNo: text,
    serviceCode: text,
    amount: positiveInteger,
    // A mobile number or `BIC:ACCOUNT`, depending on the channel.
    msisdn: text,
    narration: text,
    currencyCode: oneOf(["TZS", "KES"]),
    recipientNames: text,
    transactionRef: text,
    transactionDate: wallTime,
    callbackUrl,
  }),
};
const receipt = {
  outcome: undefined,
  ids: ["transactionRef", "transactionId"],
  echoes: { transactionRef: "transactionRef", amount: "amount", currencyCode: "currencyCode" },
  ours: { transactionRef: "transactionRef" },
  reading: "spec 3",
} as const;

/** Pays a mobile number or a bank account out of a wallet. */
export const payout = movesMoney({
  name: "payout",
  spec: "none",
  extension: { name: "payout", known: "documented" },
  method: "POST",
  path: "/payment/wallet-to-mobile",
  auth: "A",
  availability: "everywhere",
  request,
  response: objectAt(),
  receipt,
});

/** The same for banks only, from an older page. The simulator serves it, but no command sends it. */
export const bankPayout = movesMoney({
  name: "bank payout",
  spec: "none",
  extension: { name: "payout", known: "documented" },
  method: "POST",
  path: "/payment/bank",
  auth: "A",
  availability: "everywhere",
  request,
  response: objectAt(),
  receipt,
});
