import * as z from "zod/mini";
import { reads } from "../endpoint.ts";
import { text } from "../form.ts";
import { objectAt } from "../response.ts";

/** Both are required. Whether one of them would do is not known, so none is asked with less. */
const request = { schema: z.strictObject({ transactionId: text, transactionRef: text }) };

/** How a collection stands. */
export const collectionStatus = reads({
  name: "collection status",
  spec: "none",
  extension: { name: "collection-status", known: "documented" },
  method: "POST",
  path: "/collection/status",
  auth: "A",
  availability: "everywhere",
  request,
  response: objectAt(),
});

/** How a payout stands. */
export const paymentStatus = reads({
  name: "payment status",
  spec: "none",
  extension: { name: "payment-status", known: "documented" },
  method: "POST",
  path: "/payment/status",
  auth: "A",
  availability: "everywhere",
  request,
  response: objectAt(),
});
