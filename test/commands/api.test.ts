import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { answer } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { ask, errorIn, ok, planted } from "./served.ts";

/** No encoder of ours writes this: blanks, an exponent, a trailing zero, an escape, a name twice, no final newline. */
const odd = String.raw`[ {"balance" : 1.50e3, "n":12345678901234567.10,"name":"Mama Wanj\u0169","n":1} ]`;

test("the body is printed byte for byte, and the request has the credentials of its group only", async () => {
  const { exit, stdout, stderr, requests } = await ask("api GET /wallet", ok(odd));
  expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: odd, stderr: "" });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatch(/^GET \/wallet HTTP\/1\.1\r\n/);
  expect(requests[0]).toContain(`x-secret-key: ${planted.secretKey}\r\n`);
  expect(requests[0]).toContain("x-account-id: vendor-7\r\n");
  expect(requests[0]).not.toContain("authorization");
});

test("a merchant account is requested with the token only, and --query parameters keep their order", async () => {
  const line = "api get /account/0150387654321/statement --query startDate=2026-03-01 --query endDate=2026-03-31";
  const { exit, stdout, requests } = await ask(line, ok('{"result":{"statement":[]}}'));
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: '{"result":{"statement":[]}}' });
  expect(requests[0]).toMatch(
    /^GET \/account\/0150387654321\/statement\?startDate=2026-03-01&endDate=2026-03-31 HTTP\/1\.1\r\n/,
  );
  expect(requests[0]).toContain(`authorization: Bearer ${planted.accessToken}\r\n`);
  expect(requests[0]).not.toMatch(/x-secret-key|x-account-id/);
});

test("a query in the path and an escaped --query value are combined", async () => {
  const { requests } = await ask(["api", "GET", "/wallet?a=1", "--query", "b=x y&z=?"], ok("[]"));
  expect(requests[0]).toMatch(/^GET \/wallet\?a=1&b=x\+y%26z%3D%3F HTTP/);
});

test("a POST sends the bytes of a file or of stdin unchanged", async () => {
  const body = '{ "accountNo":"9000112233" }\n';
  const file = join(temporaryFolder(), "request.json");
  writeFileSync(file, body);
  for (const asked of [
    await ask(["api", "POST", "/wallet/balance", "--body", `@${file}`], ok("{}")),
    await ask("api POST /wallet/balance --body @-", ok("{}"), { stdin: body }),
  ]) {
    expect(asked).toMatchObject({ exit: 0, stdout: "{}" });
    expect(asked.requests[0]).toMatch(/^POST \/wallet\/balance HTTP\/1\.1\r\n/);
    expect(asked.requests[0]?.split("\r\n\r\n")[1]).toBe(body);
  }
});

test("a POST without --body has an empty body", async () => {
  const { exit, requests } = await ask("api POST /wallet/balance", ok("{}"));
  expect(exit).toBe(0);
  expect(requests[0]?.split("\r\n\r\n")[1]).toBe("");
});

test("--save writes the bytes, and a failed run leaves the old file", async () => {
  const file = join(temporaryFolder(), "wallets.txt");
  expect(await ask(["api", "GET", "/wallet", "--save", file], ok(odd))).toMatchObject({ exit: 0, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe(odd);
  const failed = await ask(["api", "GET", "/wallet", "--save", file], answer("404 Not Found", ""));
  expect(failed).toMatchObject({ exit: 4, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe(odd);
});

test("a terminal gets no control characters, and a final newline", async () => {
  const { stdout } = await ask("api GET /wallet", ok('["\u009b31m"]'), { terminal: { stdout: true } });
  expect(stdout).not.toContain("\u009b");
  expect(stdout).toMatch(/^\[".*31m"\]\n$/);
});

const money: readonly [path: string, command: string][] = [
  ["/transaction/transfer-local", "partner transfer --help"],
  ["/transaction/withdraw", "partner withdraw --help"],
  ["/collection", "partner collect --help"],
  ["/payment/remittance", "partner remit --help"],
  ["/payment/wallet-to-mobile", "partner payout --help"],
  ["/payment/bank", "partner payout --help"],
];

test.each(money)("POST %s moves money: the error names %s, and nothing is sent", async (path, command) => {
  const { exit, stdout, stderr, requests } = await ask(["api", "POST", path, "--body", "@-"], ok("{}"), {
    stdin: "{}",
  });
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toContain("moves money");
  expect(stderr).toContain(command);
});

test.each(money)("GET %s names %s too, and says that POST would be refused", async (path, command) => {
  const { exit, stdout, stderr, requests } = await ask(["api", "GET", path], ok("{}"));
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toContain(`POST ${path} moves money, and api only reads`);
  expect(stderr).toContain(command);
});

test("a body that is not JSON is refused with the position of the error", async () => {
  const { exit, stderr, requests } = await ask("api POST /wallet/balance --body @-", ok("{}"), { stdin: "{x" });
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toMatch(/^Error: The body in stdin cannot be sent\. Not the JSON we take, at position 1: [^.]+\.\n/);
});

const refused: readonly string[] = [
  "GET https://elsewhere.example/wallet",
  "GET //elsewhere.example/wallet",
  "GET http:/wallet",
  "GET wallet",
  "GET /wallet/../transaction",
  "GET /wallet/%2e%2E/transaction",
  "GET /account/../balance",
  "GET /account/./balance",
  "GET /account//balance",
  "GET /account/1%2Fstatement/balance",
  "GET /account/1%2fstatement/balance",
  "GET /account/1%5cx/balance",
  "GET /account/1%252F/balance",
  "GET /account/1%00/balance",
  "GET /account/1%0d%0a/balance",
  "GET /account/1\\x/balance",
  "GET /account/%zz/balance",
  "GET /account/%ff/balance",
  "GET /account/1;x=y/balance",
  "GET /wallet@elsewhere.example",
  "GET /wallet#top",
  "GET /wallet/",
  "GET /WALLET",
  "GET /wallets",
  "GET /",
  "GET /wallet/balance",
  "POST /wallet",
  "DELETE /wallet",
  "PUT /wallet/balance",
  "HEAD /wallet",
  "GET /wallet --body @-",
  "GET /wallet --query a",
  "GET /wallet --query =a",
  "POST /wallet/balance --body {}",
  "POST /wallet/balance --body @",
  "POST /wallet/balance --body @/nowhere/request.json",
  "GET /wallet --csv",
  "GET /wallet --columns accountNo",
];

test.each(refused)("api %s is refused before anything is sent, exit 2", async (line) => {
  const { exit, stdout, stderr, requests } = await ask(["api", ...line.split(" ")], ok("[]"), { stdin: "{}" });
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toMatch(/^Error: .+\nHint: .+\n$/s);
});

describe("an answer gives the exit code that any other read gives", () => {
  const endings: readonly [exit: number, what: string, bytes: string][] = [
    [
      3,
      "credentials that do not count",
      answer("401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS"}'),
    ],
    [4, "an unknown wallet", answer("404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}')],
    [5, "a server's own problem", answer("500 Internal Server Error", '{"statusCode":500,"reason":"SERVER_ERROR"}')],
    [5, "an answer that is not JSON", answer("200 OK", "<html></html>")],
    [5, "an answer that was cut", answer("200 OK", '[{"accountNo":"1"')],
    [3, "a refusal under a success status", ok('{"statusCode":401,"reason":"INVALID_CREDENTIALS"}')],
    [5, "a redirect", answer("302 Found", "", "location: https://elsewhere.example/\r\n")],
  ];

  test.each(endings)("%i for %s, with an empty stdout", async (exit, _, bytes) => {
    const ended = await ask("api GET /wallet --json --retries 0", bytes);
    expect(ended).toMatchObject({ exit, stdout: "" });
    expect(errorIn(ended)).toMatchObject({ money: "none" });
  });
});

test("a 404 for an account names the account", async () => {
  const { stderr } = await ask("api GET /account/777/balance", answer("404 Not Found", ""));
  expect(stderr).toContain("777");
});

test("the simulator answers every read of the contract", async ({ partnerIn, simulator }) => {
  const [wallet = ""] = simulator.wallets;
  const [account = ""] = simulator.accounts;
  const period = `"startDate":"2026-03-01","endDate":"2026-03-31"`;
  const partner = (body: string) => partnerIn({ stdin: body });
  const { stdout } = await partner("")`api GET /wallet`;
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ accountNo: wallet }));
  for (const run of [
    await partner(`{"accountNo":"${wallet}"}`)`api POST /wallet/balance --body @-`,
    await partner(`{"accountNo":"${wallet}",${period}}`)`api POST /wallet/statement --body @-`,
    await partner("")`api GET /account/${account}/balance`,
    await partner("")`api GET /account/${account}/statement --query startDate=2026-03-01 --query endDate=2026-03-31`,
    await partner("")`api GET /payment/institutions`,
  ]) {
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toBeTruthy();
  }
});
