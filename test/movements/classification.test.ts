import { expect, test } from "vitest";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { saying, teller } from "./teller.ts";
import { expectInvariants } from "./invariants.ts";
import { environmentAt, honest } from "./service.ts";
import { openTill } from "./till.ts";

// Answers are typed by hand from the specification, section 7, and from what was met beyond it. What each means is the
// promise of the command line: exit 0 accepted, 3 and 4 refused, 6 unknown.

const validation =
  '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"amount must be less"},"message":"{}"}';
const credentials = (status: number) => `{"statusCode":${status},"reason":"INVALID_CREDENTIALS","details":{}}`;
const notFound = '{"statusCode":404,"reason":"NOT_FOUND","details":{}}';
const problem = (status: number) => `{"statusCode":${status},"message":"No","error":"Because"}`;
const word = (statusCode: string) => (answer: string) => answer.replace("{", `{"statusCode":"${statusCode}",`);
const without = (name: string) => (answer: string) =>
  answer.replace(new RegExp(`,?"${name}":("[^"]*"|[\\d.]+)`), "").replace("{,", "{");

/** Status line, body (or what becomes of the documented one), and how the run ends. */
type Row = readonly [status: string, body: string | ((answer: string) => string), exit: number, headers?: string];

const same = (answer: string) => answer;

const accepted: readonly Row[] = [
  ["200 OK", same, 0],
  ["201 Created", same, 0],
  ["202 Accepted", same, 0],
  ["200 OK", (answer) => ` \n${answer}\r\n\t`, 0],
  ["200 OK", (answer) => answer.replace("{", '{"meta":{},"cbaRefNo":null,'), 0],
  ["200 OK", word("SUCCESS"), 0],
  ["200 OK", word("PAYMENT_ACCEPTED"), 0],
  ["200 OK", word("PENDING_ACK"), 0],
  ["200 OK", (answer) => answer.replace("{", '{"statusCode":200,'), 0],
  ["200 OK", same, 0, "content-type: text/html\r\n"],
  ["200 OK", same, 0, ""],
  ["103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK", same, 0],
];

const refused: readonly Row[] = [
  ["400 Bad Request", validation, 4],
  ["400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR"}', 4],
  [
    "400 Bad Request",
    '{"statusCode":400,"message":"Validation failed","error":"Validation Error","details":{"a":"b"}}',
    4,
  ],
  ["400 Bad Request", '{"statusCode":400,"message":["amount must be positive"],"error":"Bad Request"}', 4],
  ["404 Not Found", notFound, 4],
  ["404 Not Found", problem(404), 4],
  ["401 Unauthorized", credentials(401), 3],
  ["403 Forbidden", credentials(403), 3],
  ["403 Forbidden", '{"message":"Forbidden resource","error":"Forbidden","statusCode":403}', 3],
  ["200 OK", '{"statusCode":"PAYMENT_REJECTED"}', 4],
  ["200 OK", word("PAYMENT_REJECTED"), 4],
  ["201 Created", word("INSUFFICIENT_FUNDS"), 4],
  ["200 OK", word("PROVIDER_FAILED"), 4],
];

const unknown: readonly Row[] = [
  // A success that is none.
  ["200 OK", "", 6],
  ["204 No Content", "", 6],
  ["200 OK", "OK", 6],
  ["200 OK", "<html>hello</html>", 6, "content-type: text/html\r\n"],
  ["200 OK", "null", 6],
  ["200 OK", "[]", 6],
  ["200 OK", "{}", 6],
  ["200 OK", "true", 6],
  ["200 OK", (answer) => answer.slice(0, -1), 6],
  ["200 OK", (answer) => `${answer}${answer}`, 6],
  ["200 OK", (answer) => `[${answer}]`, 6],
  ["200 OK", (answer) => `{"result":${answer}}`, 6],
  ["200 OK", without("transactionId"), 6],
  ["200 OK", without("transactionRef"), 6],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":""'), 6],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":null'), 6],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":12'), 6],
  ["200 OK", word("GENERIC_ERROR"), 6],
  ["200 OK", word("GENERIC_FAILURE"), 6],
  ["200 OK", word("SESSION_EXPIRED"), 6],
  ["200 OK", word("DUPLICATE_REQUEST"), 6],
  ["200 OK", word("payment_rejected"), 6],
  ["200 OK", word("constructor"), 6],
  ["200 OK", (answer) => answer.replace("{", '{"statusCode":400,'), 6],
  ["200 OK", validation, 6],
  ["200 OK", problem(401), 6],
  // Nobody asked for it, and undici hangs up on it.
  ["100 Continue\r\n\r\nHTTP/1.1 200 OK", same, 6],
  // Statuses that nobody is to believe, however good the body is.
  ...["300 Multiple Choices", "301 Moved Permanently", "302 Found", "303 See Other", "304 Not Modified"].map(
    (status): Row => [status, "", 6],
  ),
  ["307 Temporary Redirect", same, 6, "location: /elsewhere\r\n"],
  ["308 Permanent Redirect", problem(308), 6, "location: /elsewhere\r\n"],
  ["402 Payment Required", problem(402), 6],
  ["405 Method Not Allowed", problem(405), 6],
  ["408 Request Timeout", problem(408), 6],
  ["409 Conflict", '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}', 6],
  ["409 Conflict", problem(409), 6],
  ["410 Gone", problem(410), 6],
  ["413 Payload Too Large", problem(413), 6],
  ["422 Unprocessable Entity", '{"statusCode":422,"reason":"VALIDATION_ERROR"}', 6],
  ["429 Too Many Requests", problem(429), 6, "retry-after: 0\r\n"],
  ["429 Too Many Requests", '{"statusCode":429,"reason":"DUPLICATE_REQUEST"}', 6],
  ["500 Internal Server Error", '{"statusCode":500,"reason":"SERVER_ERROR"}', 6],
  ["500 Internal Server Error", same, 6],
  ["501 Not Implemented", problem(501), 6],
  ["502 Bad Gateway", "upstream failed", 6, "content-type: text/plain\r\n"],
  ["503 Service Unavailable", problem(503), 6, "retry-after: 0\r\n"],
  ["504 Gateway Timeout", "", 6],
  ["599 What", problem(599), 6],
  // Refusals that don't say so in a known way.
  ["400 Bad Request", "", 6],
  ["400 Bad Request", "Bad Request", 6],
  ["400 Bad Request", "[]", 6],
  ["400 Bad Request", "{}", 6],
  ["400 Bad Request", '{"statusCode":400}', 6],
  ["400 Bad Request", '{"statusCode":500,"reason":"SERVER_ERROR"}', 6],
  ["400 Bad Request", '{"statusCode":"400","reason":"VALIDATION_ERROR"}', 6],
  ["400 Bad Request", '{"amount":"must be positive"}', 6],
  ["400 Bad Request", '{"error":"Bad","message":"No","requestId":"1"}', 6],
  ["400 Bad Request", validation.slice(0, -2), 6],
  ["400 Bad Request", same, 6],
  ["401 Unauthorized", "", 6],
  ["401 Unauthorized", "<html>Login</html>", 6, "content-type: text/html\r\n"],
  ["401 Unauthorized", credentials(403), 6],
  ["403 Forbidden", "<html>Blocked by a firewall</html>", 6, "content-type: text/html\r\n"],
  ["404 Not Found", "", 6],
  ["404 Not Found", "no route", 6],
  ["404 Not Found", validation, 6],
];

/** What only one kind's answer can say, by kind. */
const own: Readonly<Record<Kind["kind"], readonly Row[]>> = {
  transfer: [
    ["200 OK", (answer) => answer.replace("[R-1]", "[R-2]"), 6],
    ["200 OK", (answer) => answer.replace('"from":"9000112233"', '"from":"9000112299"'), 6],
    ["200 OK", (answer) => answer.replace('"to":"9000112244"', '"to":"9000112233"'), 6],
    ["200 OK", (answer) => answer.replace('"amount":5', '"amount":50'), 6],
    ["200 OK", (answer) => answer.replace('"amount":5', '"amount":"five"'), 6],
    ["200 OK", (answer) => answer.replace('"amount":5', '"amount":5.00'), 0],
    ["200 OK", (answer) => answer.replace('"amount":5', '"amount":"5"'), 0],
    ["200 OK", without("narration"), 0],
    ["200 OK", without("amount"), 0],
  ],
  withdraw: [
    ["201 Created", without("paymentRef"), 0],
    ["201 Created", (answer) => answer.replace('"paymentRef":""', '"paymentRef":"PR-1"'), 0],
    ["201 Created", (answer) => answer.replace('"paymentRef":""', '"paymentRef":null'), 0],
    // Spec 2.9 is silent on whether transactionRef is ours or the service's own.
    ["201 Created", (answer) => answer.replace('"R-1"', '"g7H8i9J0k1L2"'), 0],
  ],
};

function shown(body: Row[1], answer: string): string {
  const text = typeof body === "string" ? body : body(answer);
  return text === answer ? "the documented body" : JSON.stringify(text.slice(0, 60));
}

for (const kind of kinds) {
  const documented = kind.answer("R-1");
  for (const [status, body, exit, headers] of [...accepted, ...refused, ...unknown, ...own[kind.kind]]) {
    const line = status.replaceAll("\r\n", " ");
    test(`${kind.kind}: ${line} with ${shown(body, documented)}${headers === undefined ? "" : ` and ${JSON.stringify(headers)}`} ends with ${exit}`, async () => {
      const react = saying(status, typeof body === "string" ? body : body(documented), headers);
      const told = await teller({ react });
      const service = honest(told, { refuses: exit === 3 || exit === 4 ? 1 : 0 });
      const till = openTill(environmentAt(told.origin));
      const first = await till.run(kind.line("R-1"));
      expect(first).toMatchObject({ exit });
      expect(service.arrived()).toBe(1);
      await expectInvariants(first, { kind, reference: "R-1", till, service });
    });
  }
}
