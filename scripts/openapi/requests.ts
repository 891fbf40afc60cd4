import * as z from "zod/mini";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { callbackUrl, fullName, positiveAmount, positiveInteger, remittanceAmount } from "../../src/contract/form.ts";
import { documentedChannels } from "../../src/contract/collection.ts";
import { documentedServiceCodes } from "../../src/contract/extensions/payout.ts";
import { isoForm, wallTimeForm } from "../../src/simulator/rules/service-reading.ts";
import type { Schema } from "../schemas/form.ts";

/** Clients in other languages send an amount as text. */
const numericText = { type: "string", pattern: String.raw`^ *\+?\d+(\.\d+)?([eE][+-]?\d{1,2})? *$` };

/** What a check says in code and not in a form that JSON schema has. */
const forms = new Map<unknown, Schema>([
  [positiveAmount, { anyOf: [{ type: "number", exclusiveMinimum: 0 }, numericText] }],
  [positiveInteger, { anyOf: [{ type: "integer", minimum: 1 }, numericText] }],
  [remittanceAmount, { anyOf: [{ type: "integer", minimum: 1000 }, numericText] }],
  [callbackUrl, { type: "string", format: "uri" }],
  [fullName, { type: "string", minLength: 2, maxLength: 100 }],
]);

/** What the field lists of section 2 and 4 say in words. */
const meanings: Readonly<Record<string, string>> = {
  accountNo: "The account's number.",
  startDate: "The first day, included.",
  endDate: "The last day, included, on or after startDate.",
  msisdn: "The subscriber's number.",
  channel: `The operator: ${documentedChannels.join(" or ")}. Others occur in production.`,
  transactionRef: "The partner's own reference.",
  externalRef: "The partner's own reference.",
  partnerReference: "The partner's own reference.",
  callbackUrl: "Gets the outcome by POST.",
  narration: "What the subscriber and the statement see.",
  description: "Words for the receiver, and for the statement.",
  from: "The disbursement wallet that pays.",
  to: "The disbursement wallet that receives.",
  serviceCode: `The receiver's operator or bank: ${documentedServiceCodes.join(", ")}. Others may occur.`,
  transactionDate: "The service's own time. With a zone it is turned into that.",
  recipientNames: "The receiver's name, for mobile numbers too.",
  transactionId: "The service's own id, from the answer to the order.",
  walletId: "One client of the service sends it.",
  institutionCode: "A code of GET /payment/institutions.",
};

const payoutMeanings: Readonly<Record<string, string>> = {
  accountNo: "The disbursement wallet that pays.",
  msisdn: "The receiver: a mobile number, or BIC:ACCOUNT for a bank.",
  narration: "What the statement shows.",
};

function meaningOf(field: string, { extension }: Endpoint): string | undefined {
  return (extension?.name === "payout" ? payoutMeanings[field] : undefined) ?? meanings[field];
}

/** Each form in which the service takes a date, what partner sends first: a day is taken with a time, too. */
function takenDate(form: Schema): Schema {
  const { pattern } = form;
  const wallForm = { type: "string", pattern: wallTimeForm.source };
  const isDay = typeof pattern === "string" && !pattern.includes(" ");
  return { anyOf: [form, ...(isDay ? [wallForm] : []), { type: "string", pattern: isoForm.source }] };
}

/** The form of a request's fields, from the contract's table. */
export function requestSchema({ request }: Endpoint): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(request.schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const form = forms.get(zodSchema);
      if (form === undefined) return;
      for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name);
      Object.assign(jsonSchema, form);
    },
  });
  return schema;
}

/** Fields that travel in path or query, as parameters. */
export function parametersOf(endpoint: Endpoint): Schema[] {
  const places = endpoint.request.places ?? {};
  const properties: Record<string, Schema> = Object(requestSchema(endpoint)["properties"]);
  return Object.entries(places).map(([name, place]) => ({
    name,
    in: place,
    required: true,
    description: meaningOf(name, endpoint),
    schema: properties[name],
  }));
}

/**
 * The body of a request, which may be left out where it has no required field; undefined for a GET. It has every form
 * that the service takes, which is more than partner sends.
 */
export function bodyOf(endpoint: Endpoint): Schema | undefined {
  if (endpoint.method === "GET") return undefined;
  const { properties, required: names, ...schema } = requestSchema(endpoint);
  const described = Object.entries(Object(properties)).map(([name, own]) => {
    const description = meaningOf(name, endpoint);
    const form: Schema = name === "transactionDate" ? takenDate(Object(own)) : Object(own);
    return [name, description === undefined ? form : { description, ...form }];
  });
  const body = { ...schema, required: requiredOf(names, endpoint), properties: Object.fromEntries(described) };
  const required = !endpoint.request.schema.safeParse({}).success;
  // Where there is nothing to say, clients send nothing, an empty object or an empty list.
  const form = required ? body : { anyOf: [body, { type: "array", items: {}, maxItems: 0 }] };
  return { required, content: { "application/json": { schema: form } } };
}

/** Clients leave out a payout's callback address, although a page of the service calls it required. */
function requiredOf(names: unknown, { extension }: Endpoint): unknown {
  if (!Array.isArray(names) || extension?.name !== "payout") return names;
  return names.filter((name) => name !== "callbackUrl");
}
