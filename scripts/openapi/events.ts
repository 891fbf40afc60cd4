import type { Schema } from "../schemas/form.ts";
import { ref } from "./answers.ts";

const text: Schema = { type: "string" };
const number: Schema = { type: "number" };
const perhaps: Schema = { type: ["string", "null"] };
const taken = { description: "Taken. Anything else is tried again, but for 4xx other than 408 and 429." };

/** What comes to the `callbackUrl` of a request, by its operation's id. Spec 6.1, 6.3; that of a payout is beyond it. */
const callbacks: Readonly<Record<string, string>> = {
  collect: "CollectionCallback",
  remit: "RemittanceCallback",
  payout: "PayoutCallback",
  bankPayout: "PayoutCallback",
};

/** The outcome of an order that is taken first and done later. */
export function callbacksOf(operationId: string): Schema | undefined {
  const schema = callbacks[operationId];
  if (schema === undefined) return undefined;
  const post = {
    summary: "The outcome, unsigned.",
    description: "It may come more than once, and before the answer of the request.",
    operationId: `${operationId}Outcome`,
    security: [],
    tags: ["Events"],
    requestBody: { required: true, content: { "application/json": { schema: ref(schema) } } },
    responses: { "2XX": taken, "4XX": { description: "Refused." } },
  };
  return { outcome: { "{$request.body#/callbackUrl}": { post } } };
}

/** Spec 6.2. */
export const webhooks: Schema = {
  "transaction.created": {
    post: {
      summary: "A transaction is reflected in a merchant account.",
      description:
        "Signed: signature is the base64 of HMAC-SHA256 over timestamp followed by payload, with the key that the partner got. Up to 20 retries within 24 hours, 2 seconds after the first attempt and then doubling.",
      operationId: "transactionCreated",
      security: [],
      tags: ["Events"],
      requestBody: { required: true, content: { "application/json": { schema: ref("WebhookEnvelope") } } },
      responses: {
        "200": {
          description: "Taken, or known already by its transaction.id.",
          content: { "application/json": { schema: ref("WebhookReceipt") } },
        },
        "401": { description: "The signature is wrong." },
      },
    },
  },
};

const transactionFields: Readonly<Record<string, Schema>> = {
  id: { type: "string", description: "Unique: a repeated event has the same." },
  transactionId: perhaps,
  reference: text,
  paymentReference: text,
  transactionDate: { type: "string", format: "date-time" },
  creditOrDebit: { enum: ["CREDIT", "DEBIT"] },
  currency: text,
  amountCredit: number,
  amountDebit: number,
  availableBalance: number,
  currentBalance: number,
  description: text,
};

export const eventSchemas: Readonly<Record<string, Schema>> = {
  CollectionCallback: {
    description: "Section 6.1.",
    type: "object",
    required: ["statusCode", "transactionRef", "transactionId"],
    properties: {
      statusCode: { type: "string", description: "PAYMENT_ACCEPTED, PAYMENT_REJECTED, GENERIC_ERROR; others occur." },
      transactionRef: text,
      transactionId: text,
    },
  },
  PayoutCallback: {
    description: "Beyond the specification.",
    type: "object",
    required: ["statusCode", "transactionRef", "transactionId"],
    properties: {
      statusCode: { type: "string", description: "PAYMENT_ACCEPTED, PAYMENT_REJECTED, GENERIC_FAILURE; others occur." },
      transactionRef: text,
      transactionId: text,
      meta: { type: "object" },
    },
  },
  RemittanceCallback: {
    description: "Section 6.3 does not show it: the record of an older API.",
    type: "object",
    required: ["partnerReference"],
    properties: { partnerReference: text, status: text, statusCode: text },
  },
  WebhookEnvelope: {
    description: "Section 6.2.",
    type: "object",
    required: ["timestamp", "signature", "payload"],
    properties: {
      timestamp: { type: "string", format: "date-time" },
      signature: { type: "string", contentEncoding: "base64" },
      payload: {
        type: "string",
        description: "A JSON document as text, signed to the last character.",
        contentMediaType: "application/json",
        contentSchema: ref("TransactionCreated"),
      },
    },
  },
  TransactionCreated: {
    description: "The payload of a webhook.",
    type: "object",
    required: ["event", "account", "transaction"],
    properties: {
      event: { const: "transaction.created" },
      account: { type: "object", properties: { accountNo: text, accountName: text, bankId: text } },
      transaction: { type: "object", required: ["id"], properties: transactionFields },
      counterparty: {},
    },
  },
  WebhookReceipt: { type: "object", properties: { message: text, transactionId: text } },
};
