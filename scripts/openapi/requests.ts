import * as z from "zod/mini";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { callbackUrl, fullName, positiveAmount, positiveInteger, remittanceAmount } from "../../src/contract/form.ts";
import { documentedChannels } from "../../src/contract/collection.ts";
import { documentedServiceCodes } from "../../src/contract/extensions/payout.ts";
import type { Schema } from "../schemas/form.ts";

/** What a check says in code and not in a form that JSON schema has. */
const forms = new Map<unknown, Schema>([
  [positiveAmount, { type: "number", exclusiveMinimum: 0 }],
  [positiveInteger, { type: "integer", minimum: 1 }],
  [remittanceAmount, { type: "integer", minimum: 1000 }],
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
  transactionDate: "The service's own time, without a zone.",
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

/** The body of a request, which may be left out where it has no required field; undefined for a GET. */
export function bodyOf(endpoint: Endpoint): Schema | undefined {
  if (endpoint.method === "GET") return undefined;
  const { properties, ...schema } = requestSchema(endpoint);
  const described = Object.entries(Object(properties)).map(([name, form]) => {
    const description = meaningOf(name, endpoint);
    return [name, description === undefined ? form : { description, ...Object(form) }];
  });
  const form = { ...schema, properties: Object.fromEntries(described) };
  const required = !endpoint.request.schema.safeParse({}).success;
  return { required, content: { "application/json": { schema: form } } };
}
