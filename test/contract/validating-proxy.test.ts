import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import type { PostRequest } from "../../src/host/http/plain-post.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { errorIn, ok } from "../commands/served.ts";
import { draftFile, remittance } from "../commands/remittance.ts";
import { run, words } from "../partner.ts";
import { now } from "../simulated.ts";
import { behindProxy, document, proxyTo, simulate } from "./proxy.ts";
import { answer, recorder } from "./recorder.ts";

const paid = "payout --from 9000112233 --to 255712000111 --name ASHA --amount 25000 --narration wages --reference P-1";
const draft = draftFile({ ...remittance, callbackUrl: "https://hooks.example/r" });
const hook = "--callback-url https://hooks.example/c";
const answered: readonly string[] = [
  "wallets list",
  "wallet balance 9000112233",
  "wallet statement 9000112233 --month 2026-02",
  "account balance ACCOUNT",
  "account statement ACCOUNT --month 2026-02",
  "institutions",
  "transfer --from 9000112233 --to 9000112244 --amount 500 --description rent --yes",
  "withdraw --account 9000112233 --amount 500.50 --narration rent --reference W-1 --yes",
  `collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 500 --narration lunch --reference C-1 ${hook} --yes`,
  `remit --from-file ${draft} --reference R-1 --yes`,
];

test.each(answered)("partner %s: request and answer are in the contract", async (line) => {
  expect(await through(line)).toMatchObject({ exit: 0 });
});

test.each(["wallet balance 42", "wallet statement 42 --month 2026-02", "account balance 42"])(
  "partner %s: the refusal is in the contract",
  async (line) => {
    const ended = await through(line);
    expect(ended.exit).toBe(4);
    expect(errorIn(ended)).toMatchObject({ http: 404 });
  },
);

/** Runs a command line against a simulator behind such a proxy. */
async function through(line: string, secrets: Readonly<Record<string, string>> = {}) {
  const { environment, account } = await behindProxy();
  const typed = `${line.replace("ACCOUNT", account)} --json --retries 0`;
  return run(words(typed), { now, environment: { ...environment, ...secrets } });
}

test.each(["wallets list", "account balance 42"])(
  "partner %s: the refusal of wrong credentials is in the contract",
  async (line) => {
    const ended = await through(line, { PARTNER_SECRET_KEY: "wrong", PARTNER_ACCESS_TOKEN: "wrong" });
    expect(ended.exit).toBe(3);
    expect(errorIn(ended)).toMatchObject({ http: 401 });
  },
);

test("the proxy finds an answer out of the contract", async () => {
  const service = await recorder(answer("200 OK", '{"wallets":[]}'));
  onTestFinished(() => service.stop());
  const response = await fetch(`${await proxyTo(service.origin)}/wallet`, {
    headers: { "x-account-id": "vendor-7", "x-secret-key": "k", "x-request-id": "1" },
  });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("must be array");
});

test("the proxy finds requests out of the contract", async () => {
  const service = await recorder(ok("{}"));
  onTestFinished(() => service.stop());
  const origin = await proxyTo(service.origin);
  const headers = {
    "x-account-id": "vendor-7",
    "x-secret-key": "k",
    "x-request-id": "1",
    "content-type": "application/json",
  };
  const post = async (body: string, without?: string) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== without));
    return (await fetch(`${origin}/wallet/balance`, { method: "POST", headers: sent, body })).status;
  };
  expect(await post('{"accountNo":"1"}')).toBe(200);
  expect(await post('{"accountNo":1}')).toBe(422);
  expect(await post('{"accountNo":""}')).toBe(422);
  expect(await post('{"accountNo":"1","walletId":"1"}')).toBe(422);
  expect(await post('{"accountNo":"1"}', "x-request-id")).toBe(422);
  expect(await post('{"accountNo":"1"}', "x-secret-key")).toBe(401);
  expect(service.requests).toHaveLength(1);
});

/** What is wrong with a body according to a schema of the document. */
function violationsOf(component: string, body: unknown): readonly unknown[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const validate = ajv.compile({ ...document, $ref: `#/components/schemas/${component}` });
  return validate(body) ? [] : (validate.errors ?? []);
}

test("callbacks and webhooks of the simulator match the document", async () => {
  const posts: PostRequest[] = [];
  const openPost = () =>
    Promise.resolve((post: PostRequest) => {
      posts.push(post);
      return Promise.resolve({ status: 200, headers: {}, body: empty(), leave: () => undefined });
    });
  const simulator = await simulate({
    openPost,
    webhookUrl: "https://hooks.example/w",
    callbackDelayMs: 0,
    extensions: true,
  });
  const world = { now, environment: environmentFor(simulator) };
  const collect = `collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 500 --narration lunch --reference C-1 ${hook} --yes`;
  expect(await run(words(collect), world)).toMatchObject({ exit: 0 });
  expect(await run(words(`remit --from-file ${draft} --reference R-1 --yes`), world)).toMatchObject({ exit: 0 });
  expect(await run(words(`${paid} --callback-url https://hooks.example/p --yes`), world)).toMatchObject({ exit: 0 });
  await simulator.idle();
  const sentTo = (end: string) =>
    posts.filter(({ url }) => url.endsWith(end)).map(({ body }): unknown => JSON.parse(textOf(body)));
  const [callbacks, updates, payouts, webhooks] = [sentTo("/c"), sentTo("/r"), sentTo("/p"), sentTo("/w")];
  expect([callbacks.length, updates.length > 0, payouts.length, webhooks.length > 0]).toEqual([1, true, 1, true]);
  expect(callbacks.flatMap((body) => violationsOf("CollectionCallback", body))).toEqual([]);
  expect(updates.flatMap((body) => violationsOf("RemittanceCallback", body))).toEqual([]);
  expect(payouts.flatMap((body) => violationsOf("PayoutCallback", body))).toEqual([]);
  expect(webhooks.flatMap((body) => violationsOf("WebhookEnvelope", body))).toEqual([]);
  const payloads = webhooks.map((body): unknown => JSON.parse(String(Object(body)["payload"])));
  expect(payloads.flatMap((payload) => violationsOf("TransactionCreated", payload))).toEqual([]);
  expect(violationsOf("CollectionCallback", {})).toHaveLength(3);
});

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

async function* empty(): AsyncGenerator<Uint8Array> {}
