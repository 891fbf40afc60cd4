import * as z from "zod/mini";
import { movesMoney } from "./endpoint.ts";
import { callbackUrl, mobileNumber, positiveAmount, text, wallTime } from "./form.ts";
import { objectAt } from "./answers/response.ts";

/** Spec 4.5, 8: the documented channels. Others occur in production, so an unknown one is a warning, never an error. */
export const documentedChannels = ["TZ-TIGO-C2B", "TZ-AIRTEL-C2B"] as const;

/** Undocumented channels that occur in production or in partners' programs. */
export const seenChannels = ["TZ-HALOTEL-C2B", "TZ-VODACOM-C2B", "KE-SAFARICOM-C2B"] as const;

/** Spec 4.5. */
export const collect = movesMoney({
  name: "collect",
  spec: "4.5",
  method: "POST",
  path: "/collection",
  auth: "A",
  availability: "everywhere",
  request: {
    schema: z.strictObject({
      msisdn: mobileNumber,
      channel: text,
      amount: positiveAmount,
      narration: text,
      transactionRef: text,
      transactionDate: wallTime,
      callbackUrl,
    }),
  },
  response: objectAt(),
  receipt: {
    outcome: undefined,
    ids: ["transactionRef", "transactionId"],
    echoes: { transactionRef: "transactionRef", amount: "amount" },
    ours: { transactionRef: "transactionRef" },
    reading: "spec 3",
  },
});
