import * as z from "zod/mini";
import { reads } from "../endpoint.ts";
import { text } from "../form.ts";
import { objectAt } from "../answers/response.ts";

/** Both are sent: it isn't known whether one of them would be enough. */
const request = { schema: z.strictObject({ transactionId: text, transactionRef: text }) };

const response = { ...objectAt(), isClaim: true };

/** The status of a collection. */
export const collectionStatus = reads({
  name: "collection status",
  spec: "none",
  extension: { name: "collection-status", known: "documented" },
  method: "POST",
  path: "/collection/status",
  auth: "A",
  availability: "everywhere",
  request,
  response,
});

/** The status of a payout. */
export const paymentStatus = reads({
  name: "payment status",
  spec: "none",
  extension: { name: "payment-status", known: "documented" },
  method: "POST",
  path: "/payment/status",
  auth: "A",
  availability: "everywhere",
  request,
  response,
});

/** Orders that the service can be asked about, by their kind. */
export const statusEndpoints: Readonly<Record<string, typeof collectionStatus | undefined>> = {
  collect: collectionStatus,
  payout: paymentStatus,
};
