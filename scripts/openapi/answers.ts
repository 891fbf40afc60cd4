import { accountBalanceFieldsOf, accountEntryFields } from "../../src/contract/accounts.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { walletBalanceFields, walletEntryFields, walletFields } from "../../src/contract/wallets.ts";
import type { Field } from "../../src/values/field.ts";
import type { Schema } from "../schemas/form.ts";

const text: Schema = { type: "string" };
const number: Schema = { type: "number" };
/** Amounts occur as text, too, and empty where there is none. */
const amount: Schema = { type: ["number", "string", "null"] };
const perhaps: Schema = { type: ["string", "null"] };
const errorBodies = "An error of";

/** What the service answers with 2xx, by the endpoint's name. */
const results: Readonly<Record<string, Schema>> = {
  remit: ref("RemittanceResult"),
  institutions: ref("Institutions"),
  "account balance": ref("AccountBalance"),
  "account statement": ref("AccountStatement"),
  collect: ref("CollectionResult"),
  "wallet statement": { type: "array", items: ref("WalletEntry") },
  transfer: ref("TransferResult"),
  "wallet balance": ref("WalletBalance"),
  "list wallets": { type: "array", items: ref("Wallet") },
  withdraw: ref("WithdrawalResult"),
  payout: ref("PayoutResult"),
  "bank payout": ref("PayoutResult"),
  "collection status": ref("OrderStatus"),
  "payment status": ref("OrderStatus"),
  "main balance": ref("WalletBalance"),
  "collection balance": ref("WalletBalance"),
  "main statement": { type: "array", items: ref("WalletEntry") },
  "collection statement": { type: "array", items: ref("WalletEntry") },
  "one wallet": ref("Wallet"),
};

/** What 404 says where it isn't about a wallet. */
const notFound: Readonly<Record<string, string>> = {
  "collection status": "No such collection. It proves nothing: the collection may have been taken.",
  "payment status": "No such payout. It proves nothing: the payout may have been taken.",
};

/** Every answer of an endpoint, by its status. Spec 4, 7. */
export function responsesOf(endpoint: Endpoint): Record<string, Schema> {
  const result = results[endpoint.name];
  if (result === undefined) throw new Error(`Nothing says what ${endpoint.name} answers: scripts/openapi/answers.ts`);
  const success = { description: "Done as asked.", content: { "application/json": { schema: result } } };
  if (endpoint.auth === "B")
    return {
      "200": success,
      "400": problem("AccountProblem", "A field, the period or a header is missing or wrong."),
      "401": problem("AccountProblem", "The token is missing, wrong or expired."),
      "403": problem("AccountProblem", "The same, as the service was seen to answer."),
      "404": { description: "No such account of the partner's. The body is empty." },
      "500": problem("AccountProblem", "A temporary problem: try again after one or two minutes."),
    };
  const isList = endpoint.name === "list wallets";
  const movesMoney = endpoint.effect === "moves money";
  return {
    // Spec is silent on the status of some, and 201 was seen: any of these is a success.
    [movesMoney ? "2XX" : "200"]: success,
    ...(isList ? {} : { "400": problem("Problem", "A field or x-request-id is missing or wrong.") }),
    "401": problem("Problem", "The credentials are missing or wrong."),
    ...(endpoint.extension === undefined ? {} : { "403": problem("Problem", "The account lacks the extension.") }),
    ...(isList ? {} : { "404": problem("Problem", notFoundOf(endpoint)) }),
    ...(movesMoney
      ? { "409": problem("Problem", "The reference is known: an earlier request may have moved money.") }
      : {}),
    ...(endpoint.name === "remit"
      ? { "429": problem("Problem", "The reference is known, as an older API says it.") }
      : {}),
    "500": problem("Problem", "A temporary problem. What moves money may have moved it."),
  };
}

function notFoundOf({ name, extension }: Endpoint): string {
  const text = notFound[name] ?? "No such wallet.";
  return extension === undefined ? text : `${text} Or the account lacks the extension: then the route is unknown.`;
}

function problem(name: string, description: string): Schema {
  return { description, content: { "application/json": { schema: ref(name) } } };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Documented fields may be missing in old answers, and others come. */
function fromFields(fields: readonly Field[], description: string): Schema {
  const properties = fields.map(({ name, kind }) => [name, kind === "amount" ? amount : perhaps]);
  return { description, type: "object", properties: Object.fromEntries(properties) };
}

function result(
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  description: string,
): Schema {
  return { description, type: "object", required, properties };
}

const envelope = (content: Schema, description: string) =>
  result(
    ["success", "statusCode", "timestamp", "result"],
    {
      success: { type: "boolean" },
      statusCode: text,
      timestamp: { type: "string", format: "date-time" },
      result: content,
    },
    description,
  );
const status = { type: "string", description: "A word such as PENDING_ACK; others may come." };

export const answerSchemas: Readonly<Record<string, Schema>> = {
  Wallet: fromFields(walletFields, "A wallet of the account. Section 2.4."),
  WalletBalance: fromFields(walletBalanceFields, "What a wallet holds. Section 2.5."),
  WalletEntry: fromFields(walletEntryFields, "A row of a wallet's statement. Section 2.6."),
  AccountBalance: envelope(
    fromFields(accountBalanceFieldsOf({ currentBalance: "", bookedBalance: "" }), "Section 2.2."),
    "What a merchant account holds.",
  ),
  AccountStatement: envelope(
    result(
      ["statement"],
      { accountNo: text, statement: { type: "array", items: fromFields(accountEntryFields, "A row. Section 2.3.") } },
      "Rows of both days included.",
    ),
    "The statement of a merchant account.",
  ),
  TransferResult: result(
    ["transactionId", "transactionRef"],
    {
      transactionId: text,
      from: text,
      to: text,
      transactionDate: text,
      narration: text,
      amount: number,
      transactionRef: text,
    },
    "Section 2.7.",
  ),
  CollectionResult: result(
    ["statusCode", "transactionRef", "transactionId"],
    { statusCode: status, transactionRef: text, transactionId: text },
    "Section 4.5. A rejection comes with a success status, too.",
  ),
  WithdrawalResult: result(
    ["transactionId", "transactionRef"],
    { paymentRef: perhaps, transactionId: text, transactionRef: text },
    "Section 2.9. paymentRef may be empty.",
  ),
  PayoutResult: result(
    ["statusCode", "transactionRef", "transactionId"],
    { statusCode: status, transactionRef: text, transactionId: text },
    "Beyond the specification. A rejection comes with a success status, too.",
  ),
  OrderStatus: result(
    ["statusCode", "transactionRef", "transactionId"],
    { statusCode: status, transactionRef: text, transactionId: text },
    "Beyond the specification. What the service says of an order, without its amount.",
  ),
  RemittanceResult: {
    description: "The specification does not show it; an older API answers the record.",
    type: "object",
    properties: {
      partnerReference: text,
      status,
      statusCode: status,
      statusMessage: perhaps,
      createdAt: text,
      updatedAt: text,
    },
  },
  Institutions: {
    description: "The specification does not show it: a list, or an object that wraps one.",
    type: ["array", "object"],
    items: { type: "object" },
  },
  Problem: {
    description: `${errorBodies} group A. Section 7.1, and what occurs beyond it.`,
    type: "object",
    required: ["statusCode"],
    properties: {
      statusCode: { type: "integer" },
      reason: text,
      details: { type: ["object", "array"], items: { type: "object" } },
      message: text,
    },
  },
  AccountProblem: {
    description: `${errorBodies} group B. Section 7.2.`,
    type: "object",
    required: ["statusCode", "message"],
    properties: { statusCode: { type: "integer" }, message: text, error: text, details: { type: "object" } },
  },
};
