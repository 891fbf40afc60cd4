import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints.ts";
import { extensions } from "../../src/contract/extensions/extensions.ts";
import { bankPayout } from "../../src/contract/extensions/payout.ts";
import type { Schema } from "../schemas/form.ts";
import { answerSchemas, responsesOf } from "./answers.ts";
import { callbacksOf, eventSchemas, webhooks } from "./events.ts";
import { bodyOf, parametersOf } from "./requests.ts";

const security = { A: [{ accountId: [], secretKey: [] }], B: [{ accessToken: [] }] };
const tags = [
  { name: "Wallets", description: "Lists, balances and statements." },
  {
    name: "Money",
    description: "What moves money. Repeat none of these requests: an answer that is lost may have moved it.",
  },
  { name: "Merchant accounts", description: "Group B, with an address of its own." },
  { name: "Remittances", description: "What a remittance needs. Live only." },
  {
    name: "Extensions",
    description:
      "Beyond the specification. Each is off until the extensions of the profile name its x-extension, as in partner profile set shop extensions=payout. An account may lack it. Repeat none that moves money.",
  },
  { name: "Events", description: "What the service sends." },
];

/** The service as an OpenAPI document, out of the contract's table. */
export function openApi(known: readonly Endpoint[] = [...endpoints, ...extensions]): Schema {
  const { version, license } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of known) (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  return {
    openapi: "3.1.0",
    info: {
      title: "Partner payments",
      version,
      description:
        "Payments, collections and wallets of a partner account, as partner takes answers, and with every form of request that its simulator takes. partner itself sends the first form of each. Made of the contract's table by npm run openapi.",
      license: { name: license, identifier: license },
      contact: { name: "partner", url: "https://example.org/partner" },
    },
    servers: [
      {
        url: "https://{host}/{path}",
        description: "The base URL of a profile.",
        variables: { host: { default: "sandbox.partner.test" }, path: { default: "partner/v1" } },
      },
    ],
    tags,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        accountId: {
          type: "apiKey",
          in: "header",
          name: "x-account-id",
          description: "Group A: the partner's account id.",
        },
        secretKey: {
          type: "apiKey",
          in: "header",
          name: "x-secret-key",
          description: "Group A: the partner's secret key.",
        },
        accessToken: { type: "http", scheme: "bearer", description: "Group B." },
      },
      parameters: {
        requestId: {
          name: "x-request-id",
          in: "header",
          required: true,
          description: "Unique for each request; a UUID is recommended.",
          schema: { type: "string", minLength: 1 },
        },
      },
      schemas: { ...answerSchemas, ...eventSchemas },
    },
  };
}

function operation(endpoint: Endpoint): Schema {
  const { name, extension, auth, effect } = endpoint;
  const operationId = name.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    summary: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: descriptionOf(endpoint),
    operationId,
    tags: [tagOf(endpoint)],
    ...(endpoint === bankPayout ? { deprecated: true } : {}),
    "x-effect": effect,
    "x-extension": extension?.name,
    security: security[auth],
    parameters: [{ $ref: "#/components/parameters/requestId" }, ...parametersOf(endpoint)],
    requestBody: bodyOf(endpoint),
    responses: responsesOf(endpoint),
    callbacks: callbacksOf(operationId),
  };
}

function descriptionOf(endpoint: Endpoint): string {
  const { spec, extension, availability, effect } = endpoint;
  const where = availability === "live only" ? " It exists in the live environment only." : "";
  if (extension === undefined) return `Section ${spec} of the specification. It ${effect}.${where}`;
  const older = endpoint === bankPayout ? " An older page has it; partner never sends it." : "";
  const source = extension.known === "documented" ? "documented on public pages of the service" : extension.known;
  return `Beyond the specification, ${source}. It ${effect}. A profile turns it on with extensions=${extension.name}.${older}${where}`;
}

function tagOf({ extension, auth, effect, path }: Endpoint): string {
  if (extension !== undefined) return "Extensions";
  if (effect === "moves money") return "Money";
  if (auth === "B") return "Merchant accounts";
  return path.startsWith("/wallet") ? "Wallets" : "Remittances";
}
