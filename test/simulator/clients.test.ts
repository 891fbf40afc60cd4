import { expect, test } from "vitest";
import { Decimal } from "../../src/values/money/decimal.ts";
import { at, collections, rest } from "./client-bodies.ts";
import { groupB, groupA, say, small } from "./small-world.ts";

// Requests as clients in several languages write them, typed by hand. All of them are accepted.

const head = (id: string) => groupA.replace(/x-request-id: .*/, `x-request-id: ${id}`);

test.for(collections)("a collection written by %s is accepted", async ([, id, part, amount, time]) => {
  const simulator = await small();
  const body = `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B",${part},${rest}}`;
  const answer = await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${head(id)}\n\n${body}`);
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('"statusCode":"PENDING_ACK"') });
  await simulator.idle();
  const days = '"startDate":"2026-03-31","endDate":"2026-03-31"';
  const statement = `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"2001",${days}}`;
  const rows = (await say(simulator, statement)).body;
  expect(rows).toContain(`"txnDate":"2026-03-31 ${time}","narration":"lunch"`);
  expect(rows).toContain(`"debitOrCredit":"CR","amountCredited":${amount},`);
});

test.for([
  "2026-03-31",
  "2026-03-31 09:30:00",
  "2026-03-31T06:30:00Z",
  "2026-03-30T21:30:00.123Z",
  "2026-03-31T06:30:00.123456Z",
  "2026-03-31T09:30:00+03:00",
  "2026-03-31T09:30:00.123456",
])("a withdrawal dated %s is accepted", async (date) => {
  const simulator = await small();
  const body = `{"amount":"700.00","accountNo":"1044","transactionDate":"${date}","narration":"x","externalRef":"W-1"}`;
  const answer = await say(simulator, `POST /partner/v1/transaction/withdraw HTTP/1.1\n${groupA}\n\n${body}`);
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('"transactionRef":"W-1"') });
  expect(simulator.world.wallet("1044").balance.equals(Decimal.zero)).toBe(true);
});

test.for(["5000", "5000.00", '"5000"', '"5000.00"', "5e3", '" 5000 "', '"+5000"', '"05000"'])(
  "a transfer of %s moves five thousand shillings",
  async (amount) => {
    const simulator = await small();
    const body = `{"amount":${amount},"from":"1042","to":"0043","description":"x"}`;
    const answer = await say(simulator, `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n${body}`);
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('"amount":5000,') });
    expect(simulator.world.wallet("1042").balance.toString()).toBe("2227000.00");
  },
);

test.for([
  ['"five"', '\\"amount\\" must be a number'],
  ['""', '\\"amount\\" must be a number'],
  ["null", '\\"amount\\" must be a number'],
  ["true", '\\"amount\\" must be a number'],
  ['"0x10"', '\\"amount\\" must be a number'],
  ['"5.000,00"', '\\"amount\\" must be a number'],
  ["5000.50", '\\"amount\\" must be a whole amount above zero'],
  ['"-5000"', '\\"amount\\" must be a whole amount above zero'],
  ["1e99", '\\"amount\\" exceeds the available balance'],
] as const)("a transfer of %s moves nothing", async ([amount, message]) => {
  const simulator = await small();
  const body = `{"amount":${amount},"from":"1042","to":"0043","description":"x"}`;
  const answer = await say(simulator, `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n${body}`);
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining(`"details":{"amount":"${message}"}`) });
  expect(simulator.world.wallet("1042").balance.toString()).toBe("2232000.00");
});

test.for(["2026-02-30T06:30:00Z", "2026-03-31T24:00:00Z", "yesterday", "1774938600", "0001-01-01T00:00:00+14:00"])(
  "a collection of %s is refused",
  async (date) => {
    const simulator = await small();
    const body = `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":5000,${at(date)},${rest}}`;
    const answer = await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${body}`);
    expect(answer).toMatchObject({
      status: 400,
      body: expect.stringContaining('"transactionDate":"\\"transactionDate'),
    });
  },
);

test.for(["Bearer", "bearer", "BEARER", "bEaReR"])("group B is accepted with the scheme %s", async (word) => {
  const simulator = await small();
  const request = `GET /account/015A8XX787600/balance HTTP/1.1\n${groupB.replace("Bearer", word)}`;
  expect(await say(simulator, request)).toMatchObject({ status: 200 });
});

test.for(["Basic", "Bearer  x", "Bearerx", ""])("group B is refused with the scheme %s", async (word) => {
  const simulator = await small();
  const request = `GET /account/015A8XX787600/balance HTTP/1.1\n${groupB.replace("Bearer", word)}`;
  expect(await say(simulator, request)).toMatchObject({ status: 401 });
});

test.for([
  ["/partner/v1/wallet", groupA, 200],
  ["/account/015A8XX787600/balance", groupB, 200],
  ["/account/none/balance", groupB, 404],
  ["/partner/v1/wallet", "accept: */*", 401],
  ["/partner/v1/collection", groupA, 404],
] as const)("HEAD %s answers like GET, without a body", async ([path, headers, status]) => {
  const simulator = await small();
  expect(await say(simulator, `HEAD ${path} HTTP/1.1\n${headers}`)).toMatchObject({ status, body: "" });
});

test.for([
  ["http://simulator.test:8080/partner/v1/wallet", groupA, 200],
  ["HTTP://simulator.test/account/015A8XX787600/statement?startDate=2026-03-01&endDate=2026-03-31", groupB, 200],
  ["https://simulator.test?a=/partner/v1/wallet", groupA, 404],
] as const)("GET %s with an absolute address, as some proxies send it, is routed by its path", async (request) => {
  const [address, headers, status] = request;
  const simulator = await small();
  expect(await say(simulator, `GET ${address} HTTP/1.1\n${headers}`)).toMatchObject({ status });
});

test.for([
  ["/partner/v1/wallet", groupA],
  ["/partner/v1/wallet/1042", groupA],
  ["/account/015A8XX787600/balance", groupB],
  ["/account/015A8XX787600/statement?startDate=2026-03-01&endDate=2026-03-31", groupB],
] as const)("GET %s ignores the body that some clients send with it", async ([path, headers]) => {
  const simulator = await small({ extensions: true });
  const alone = await say(simulator, `GET ${path} HTTP/1.1\n${headers}`);
  for (const body of ["{}", "[]", "null", '""', '{"accountNo":"none"}'])
    expect(await say(simulator, `GET ${path} HTTP/1.1\n${headers}\n\n${body}`)).toEqual({ ...alone, status: 200 });
});

test("GET /wallet refuses credentials and nothing else", async () => {
  const simulator = await small();
  const status = async (headers: string, body = "", query = "") =>
    (await say(simulator, `GET /partner/v1/wallet${query} HTTP/1.1\n${headers}${body}`)).status;
  expect(await status(groupA, '\n\n{"broken')).toBe(200);
  expect(await status(groupA, "\n\n[]", "?accountNo=none&page=-1")).toBe(200);
  expect(await status(groupA.replace(/\ncontent-type: .*/, ""))).toBe(200);
  expect(await status(groupA.replace("application/json", "text/plain"), "\n\nhello")).toBe(200);
  for (const name of ["x-account-id", "x-secret-key", "x-request-id"]) {
    expect(await status(groupA.replace(new RegExp(`^${name}: .*\n`, "m"), ""))).toBe(401);
    expect(await status(groupA.replace(new RegExp(`^${name}: .*`, "m"), `${name}: `))).toBe(401);
  }
  expect(await status(groupA.replace("x-secret-key: ", "x-secret-key: x"))).toBe(401);
});

test("a POST without a body needs no content type", async () => {
  const simulator = await small({ extensions: true });
  const typeless = groupA.replace(/\ncontent-type: .*/, "");
  const path = "/partner/v1/wallet/main-balance";
  expect(await say(simulator, `POST ${path} HTTP/1.1\n${typeless}`)).toMatchObject({ status: 200 });
  expect(await say(simulator, `POST ${path} HTTP/1.1\n${typeless}\n\n{}`)).toMatchObject({ status: 400 });
});

test.for([
  ["/tembo/v1", "/tembo/v1"],
  ["/tembo/v1/", "/tembo/v1"],
  ["/", ""],
])("with the path %s group A is served there and nowhere else", async ([typed = "", path]) => {
  const simulator = await small({ path: typed.replace(/\/$/, "") });
  expect(simulator.baseUrl).toBe(simulator.accountBaseUrl + path);
  expect(await say(simulator, `GET ${path}/wallet HTTP/1.1\n${groupA}`)).toMatchObject({ status: 200 });
  expect(await say(simulator, `GET /partner/v1/wallet HTTP/1.1\n${groupA}`)).toMatchObject({ status: 404 });
});

test("with the path /account, merchant accounts keep their own address", async () => {
  const simulator = await small({ path: "/account" });
  const balance = (path: string) => say(simulator, `GET ${path}/015A8XX787600/balance HTTP/1.1\n${groupB}`);
  expect(await say(simulator, `GET /account/wallet HTTP/1.1\n${groupA}`)).toMatchObject({ status: 200 });
  expect(await balance("/account")).toMatchObject({ status: 200 });
  expect(await balance("/account/account")).toMatchObject({ status: 200 });
});

test.for([
  "http://app:8080/hook",
  "http://host.docker.internal/hook",
  "http://172.17.0.1:3000/hook",
  "http://192.168.1.4/hook",
  "http://10.0.0.7:3000/hook",
])("a callback URL in a private network is accepted: %s", async (url) => {
  const simulator = await small();
  const body = `{"msisdn":"255710990003","channel":"TZ-TIGO-C2B","amount":5000,${at("2026-03-31 09:30:00")},${rest}}`;
  const near = body.replace("http://127.0.0.1:9/hook", url);
  expect(await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${near}`)).toMatchObject({
    status: 200,
  });
  expect(simulator.world.collections.get("INV-1")?.callbackUrl).toBe(url);
});

test.for(["http://partner.test/hook", "http://8.8.8.8/hook", "http://172.32.0.1/hook", "http://10/hook", "ftp://app/"])(
  "an unencrypted or invalid callback URL is refused: %s",
  async (url) => {
    const simulator = await small();
    const body = `{"msisdn":"255710990003","channel":"TZ-TIGO-C2B","amount":5000,${at("2026-03-31 09:30:00")},${rest}}`;
    const far = body.replace("http://127.0.0.1:9/hook", url);
    expect(await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${far}`)).toMatchObject({
      status: 400,
    });
  },
);
