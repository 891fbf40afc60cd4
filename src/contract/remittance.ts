import * as z from "zod/mini";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import type { WholeResponse } from "./endpoint.ts";
import { movesMoney, reads } from "./endpoint.ts";
import {
  callbackUrl,
  countryCode,
  currencyCode,
  day,
  fullName,
  oneOf,
  positiveAmount,
  remittanceAmount,
  tanzanianPhone,
  text,
  timestamp,
} from "./form.ts";
import { objectAt, Unreadable } from "./answers/response.ts";

/** Spec 2.1, the sender. */
const sender = z.strictObject({
  fullName,
  nationality: countryCode,
  countryCode,
  idType: oneOf(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENSE"]),
  idNumber: text,
  idExpiryDate: z.optional(day),
  dateOfBirth: day,
  phoneNumber: text,
  email: z.optional(text),
  address: text,
  sourceOfFundsDeclaration: text,
  purposeOfTransaction: text,
  occupation: z.optional(text),
  employer: z.optional(text),
});

/** Spec 2.1, the receiver. */
const receiver = z.strictObject({
  fullName,
  phoneNumber: tanzanianPhone,
  email: z.optional(z.nullable(text)),
  countryCode: oneOf(["TZ"]),
});

/** Spec 4.1. */
export const remit = movesMoney({
  name: "remit",
  spec: "4.1",
  method: "POST",
  path: "/payment/remittance",
  auth: "A",
  availability: "live only",
  request: {
    schema: z.strictObject({
      paymentDate: timestamp,
      partnerReference: text,
      callbackUrl,
      description: text,
      senderCurrency: currencyCode,
      senderAmount: positiveAmount,
      receiverCurrency: oneOf(["TZS"]),
      receiverAmount: remittanceAmount,
      exchangeRate: positiveAmount,
      receiverChannel: oneOf(["MOBILE", "BANK"]),
      institutionCode: text,
      receiverAccount: text,
      sender,
      receiver,
    }),
  },
  response: objectAt(),
  // Spec is silent: an object without any status word means that the request arrived.
  receipt: {
    outcome: "pending",
    ids: [],
    echoes: {
      partnerReference: "partnerReference",
      externalRef: "partnerReference",
      receiverAmount: "receiverAmount",
      senderAmount: "senderAmount",
      receiverCurrency: "receiverCurrency",
      senderCurrency: "senderCurrency",
    },
    ours: { partnerReference: "partnerReference" },
    reading: "remittance",
  },
});

/** Spec 4.2. */
export const listInstitutions = reads({
  name: "institutions",
  spec: "4.2",
  method: "GET",
  path: "/payment/institutions",
  auth: "A",
  availability: "live only",
  request: { schema: z.strictObject({}) },
  response: institutionList(),
});

/**
 * Spec is silent on the body of this answer. A list is used as it is; an object that wraps a list is unwrapped; where
 * it has several (`mobile`, `bank`), each row has the name of its list under `group`.
 */
function institutionList(): WholeResponse<readonly JsonObject[]> {
  return {
    kind: "whole",
    decode(body) {
      const found = lists(body, 2);
      if (found.length === 0) throw new Unreadable("It holds no list of institutions.");
      if (found.length === 1) return found[0]?.rows ?? [];
      return found.flatMap(({ group, rows }) => rows.map((row) => ({ group, ...row })));
    },
  };
}

function lists(value: JsonValue, depth: number, group = ""): { group: string; rows: readonly JsonObject[] }[] {
  if (Array.isArray(value)) {
    if (!value.every(isJsonObject)) return [];
    return [{ group, rows: value }];
  }
  if (!isJsonObject(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) => lists(inner, depth - 1, name));
}
