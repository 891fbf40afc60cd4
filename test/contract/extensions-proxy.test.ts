import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { extensions } from "../../src/contract/extensions/extensions.ts";
import { ok } from "../commands/served.ts";
import { run, words } from "../partner.ts";
import { now } from "../simulated.ts";
import { behindProxy, proxyTo } from "./proxy.ts";
import { recorder } from "./recorder.ts";

// Everything beyond the specification, checked against the published document by a proxy made by others.

const hook = "--callback-url https://hooks.example/c";
const paid = "payout --from 9000112233 --to 255712000111 --name ASHA --amount 25000 --narration wages --reference P-1";
const march = '{"startDate":"2026-03-01","endDate":"2026-03-31"}';

test.each([
  ["POST /wallet/main-balance", ""],
  ["POST /wallet/main-balance", "{}"],
  ["POST /wallet/collection-balance", ""],
  ["POST /wallet/main-statement", march],
  ["POST /wallet/collection-statement", march],
  ["GET /wallet/9000112233", ""],
])("%s %s: request and answer are in the contract", async (route, stdin) => {
  const { environment } = await behindProxy({ extensions: true });
  const body = stdin === "" ? "" : " --body @-";
  const { exit, stdout } = await run(words(`api ${route}${body}`), { now, environment, stdin });
  expect(exit).toBe(0);
  expect(stdout).toContain(route.endsWith("statement") ? "tranRefNo" : "accountNo");
});

test.each([
  [`${paid} --yes`, "/payment/status"],
  [
    `collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 500 --narration lunch --reference P-1 ${hook} --yes`,
    "/collection/status",
  ],
])("partner %s, and its status: both are in the contract", async (line, path) => {
  const { environment, proxy, simulator } = await behindProxy({ extensions: true });
  const sent = await run(words(line), { now, environment });
  expect(sent.exit).toBe(0);
  const { payouts, collections } = simulator.world;
  const { transactionId } = payouts.get("P-1") ?? collections.get("P-1") ?? {};
  const stdin = JSON.stringify({ transactionId, transactionRef: "P-1" });
  const status = await run(words(`api POST ${path} --body @-`), { now, environment, stdin });
  expect([status.exit, JSON.parse(status.stdout)]).toMatchObject([0, { transactionId, transactionRef: "P-1" }]);
  const other = await post(proxy, path, statusBody, credentialsOf(simulator));
  expect([other.status, JSON.parse(other.text)]).toMatchObject([404, { reason: "NOT_FOUND" }]);
});

test("a payout that the service refuses, and an account without the extension: both are in the contract", async () => {
  const known = await behindProxy({ extensions: true });
  expect(await run(words(`${paid} --yes`), { now, environment: known.environment })).toMatchObject({ exit: 0 });
  const { proxy, simulator } = known;
  const again = await post(proxy, "/payment/wallet-to-mobile", payoutBody, credentialsOf(simulator));
  expect([again.status, JSON.parse(again.text)]).toMatchObject([409, { statusCode: 409 }]);
  const without = await behindProxy();
  const unknown = await post(without.proxy, "/wallet/main-balance", "{}", credentialsOf(without.simulator));
  expect([unknown.status, JSON.parse(unknown.text)]).toMatchObject([
    404,
    { message: expect.stringMatching(/^Cannot/) },
  ]);
});

test("the bank's own address for payouts, which partner never uses, is in the contract", async () => {
  const { proxy, simulator } = await behindProxy({ extensions: true });
  const body = payoutBody.replace("TZ-TIGO-B2C", "TZ-BANK-B2C").replace("255712000111", "CORUTZTZ:0150000111222");
  const { status, text } = await post(proxy, "/payment/bank", body, credentialsOf(simulator));
  expect([status, JSON.parse(text)]).toMatchObject([200, { transactionRef: "P-1" }]);
});

const payoutBody = JSON.stringify({
  countryCode: "TZ",
  accountNo: "9000112233",
  serviceCode: "TZ-TIGO-B2C",
  amount: 25000,
  msisdn: "255712000111",
  narration: "wages",
  currencyCode: "TZS",
  recipientNames: "ASHA",
  transactionRef: "P-1",
  transactionDate: "2026-03-31 12:00:00",
  callbackUrl: "https://hooks.example/p",
});
const statusBody = '{"transactionId":"t","transactionRef":"P-1"}';
const receipt = '{"statusCode":"PENDING_ACK","transactionId":"t","transactionRef":"P-1"}';

/** For each: requests out of the contract, one within it, and answers within it and out of it. */
const sides: Readonly<Record<string, { wrong: string[]; right: string; answer: string; odd: string }>> = {
  payout: payoutSides(),
  "bank payout": payoutSides(),
  "collection status": statusSides(),
  "payment status": statusSides(),
  "main balance": balanceSides(),
  "collection balance": balanceSides(),
  "main statement": statementSides(),
  "collection statement": statementSides(),
  "one wallet": { wrong: [], right: "", answer: '{"accountNo":"1"}', odd: '[{"accountNo":"1"}]' },
};

function payoutSides() {
  const body: Readonly<Record<string, unknown>> = JSON.parse(payoutBody);
  const required = Object.keys(body).filter((name) => name !== "callbackUrl");
  const lacking = required.map((name) => JSON.stringify({ ...body, [name]: undefined }));
  const changed = [
    { amount: 0 },
    { amount: 0.5 },
    { amount: "-25000" },
    { transactionDate: "31.3.2026" },
    { countryCode: "UG" },
    { note: "x" },
  ];
  const wrong = [...lacking, ...changed.map((change) => JSON.stringify({ ...body, ...change }))];
  return { wrong, right: payoutBody, answer: receipt, odd: '{"statusCode":"PENDING_ACK"}' };
}

function statusSides() {
  const wrong = ['{"transactionId":"t"}', '{"transactionRef":"P-1"}', '{"transactionId":1,"transactionRef":"P-1"}'];
  return { wrong, right: statusBody, answer: receipt, odd: '{"transactionId":"t"}' };
}

function balanceSides() {
  return { wrong: ["[1]", '{"accountNo":"1"}'], right: "{}", answer: '{"availableBalance":1}', odd: "[]" };
}

function statementSides() {
  const wrong = ["{}", '{"startDate":"2026-03-01"}', march.replace("2026-03-31", "2026-03-32")];
  return { wrong, right: march, answer: '[{"cbaRefNo":null}]', odd: '{"rows":[]}' };
}

test.each(extensions.map((endpoint): Endpoint => endpoint))(
  "$name: the proxy finds requests and answers out of the contract",
  async ({ name, method, path }) => {
    const side = sides[name];
    if (side === undefined) throw new Error(`No example of ${name}.`);
    const service = await recorder(ok(side.answer), ok(side.odd));
    onTestFinished(() => service.stop());
    const proxy = await proxyTo(service.origin);
    const ask = (body: string, headers: Headed = anybody) =>
      post(proxy, path.replace("{accountNo}", "1"), body, headers, method);
    for (const body of side.wrong) expect([body, (await ask(body)).status]).toEqual([body, 422]);
    const { "x-secret-key": _, ...unnamed } = anybody;
    expect((await ask(side.right, unnamed)).status).toBe(401);
    expect(service.requests).toHaveLength(0);
    expect(await ask(side.right)).toEqual({ status: 200, text: side.answer });
    expect((await ask(side.right)).status).toBe(500);
  },
);

type Headed = Readonly<Record<string, string>>;
const anybody = { "x-account-id": "vendor-7", "x-secret-key": "k" };

function credentialsOf({ accountId, secretKey }: { readonly accountId: string; readonly secretKey: string }) {
  return { "x-account-id": accountId, "x-secret-key": secretKey };
}

async function post(origin: string, path: string, body: string, who: Headed, method = "POST") {
  const headers = { ...who, "x-request-id": "1", "content-type": "application/json" };
  const response = await fetch(`${origin}${path}`, { method, headers, ...(method === "POST" ? { body } : {}) });
  return { status: response.status, text: await response.text() };
}
