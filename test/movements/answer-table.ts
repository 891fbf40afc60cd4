import type { Kind } from "./kinds.ts";

// Answers typed by hand from section 7 of the specification, and others met in practice. What each means is promised
// by the command line: exit 0 accepted, 3 and 4 refused, 6 unknown.

const validation =
  '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"amount must be less"},"message":"{}"}';
const credentials = (status: number) => `{"statusCode":${status},"reason":"INVALID_CREDENTIALS","details":{}}`;
const notFound = '{"statusCode":404,"reason":"NOT_FOUND","details":{}}';
const problem = (status: number) => `{"statusCode":${status},"message":"No","error":"Because"}`;
/** The documented answer with this statusCode, a word or a number, in place of its own. */
const said = (statusCode: string | number) => (answer: string) =>
  without("statusCode")(answer).replace("{", `{"statusCode":${JSON.stringify(statusCode)},`);
const without = (name: string) => (answer: string) =>
  answer.replace(new RegExp(`,?"${name}":("[^"]*"|[\\d.]+)`), "").replace("{,", "{");

/** How a run ends; by kind where it depends on the order. */
type Exit = number | (Readonly<Partial<Record<Kind["kind"], number>>> & { readonly others: number });

/** Status line, body (or a change to the documented body), exit code, and headers. */
type Row = readonly [status: string, body: string | ((answer: string) => string), exit: Exit, headers?: string];

const same = (answer: string) => answer;

const accepted: readonly Row[] = [
  ["200 OK", same, 0],
  ["201 Created", same, 0],
  ["202 Accepted", same, 0],
  ["200 OK", (answer) => ` \n${answer}\r\n\t`, 0],
  ["200 OK", (answer) => answer.replace("{", '{"meta":{},"cbaRefNo":null,'), 0],
  // For a collection it says only that the request has arrived.
  ["200 OK", said("SUCCESS"), { transfer: 0, withdraw: 0, others: 6 }],
  // The record in the remittance's answer still says CREATED.
  ["200 OK", said("PAYMENT_ACCEPTED"), { remit: 6, others: 0 }],
  ["200 OK", said("PENDING_ACK"), 0],
  ["200 OK", said(200), { collect: 6, payout: 6, others: 0 }],
  ["200 OK", same, 0, "content-type: text/html\r\n"],
  ["200 OK", same, 0, ""],
  // Interim answers, requested or not.
  ["100 Continue\r\n\r\nHTTP/1.1 200 OK", same, 0],
  ["102 Processing\r\n\r\nHTTP/1.1 200 OK", same, 0],
  ["103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK", same, 0],
  ["100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK", same, 0],
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
  ["200 OK", said("PAYMENT_REJECTED"), { remit: 6, others: 4 }],
  ["201 Created", said("INSUFFICIENT_FUNDS"), { remit: 6, others: 4 }],
  ["200 OK", said("PROVIDER_FAILED"), { remit: 6, others: 4 }],
  ["100 Continue\r\n\r\nHTTP/1.1 404 Not Found", notFound, 4],
];

const unknown: readonly Row[] = [
  // A success status without a valid answer.
  ["200 OK", "", 6],
  ["204 No Content", "", 6],
  ["200 OK", "OK", 6],
  ["200 OK", "<html>hello</html>", 6, "content-type: text/html\r\n"],
  ["200 OK", "null", 6],
  ["200 OK", "[]", 6],
  ["200 OK", "{}", { remit: 0, others: 6 }],
  ["200 OK", "true", 6],
  ["200 OK", (answer) => answer.slice(0, -1), 6],
  ["200 OK", (answer) => `${answer}${answer}`, 6],
  ["200 OK", (answer) => `[${answer}]`, 6],
  ["200 OK", (answer) => `{"result":${answer}}`, { remit: 0, others: 6 }],
  ["200 OK", without("transactionId"), { remit: 0, others: 6 }],
  ["200 OK", without("transactionRef"), { remit: 0, others: 6 }],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":""'), { remit: 0, others: 6 }],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":null'), { remit: 0, others: 6 }],
  ["200 OK", (answer) => answer.replace(/"transactionId":"[^"]*"/, '"transactionId":12'), { remit: 0, others: 6 }],
  ["200 OK", said("GENERIC_ERROR"), 6],
  ["200 OK", said("GENERIC_FAILURE"), 6],
  ["200 OK", said("SESSION_EXPIRED"), 6],
  ["200 OK", said("DUPLICATE_REQUEST"), 6],
  ["200 OK", said("payment_rejected"), 6],
  ["200 OK", said("constructor"), 6],
  // A refusal without the order's reference.
  ["200 OK", '{"statusCode":"PAYMENT_REJECTED"}', 6],
  ["200 OK", said(400), 6],
  ["200 OK", validation, 6],
  ["200 OK", problem(401), 6],
  // Complete and valid, but with an error beside it.
  ...[
    '"reason":"SERVER_ERROR"',
    '"reason":"NOT_FOUND"',
    '"state":"FAILED"',
    '"responseCode":"REJECTED"',
    '"responseCode":500',
    '"code":"404"',
    '"isError":true',
    '"success":0',
    '"success":"FALSE"',
  ].map((member): Row => ["200 OK", (answer) => answer.replace("{", `{${member},`), 6]),
  ["200 OK", (answer) => without("status")(answer).replace("{", '{"status":500,'), 6],
  // Part of a body is not an answer.
  ["206 Partial Content", same, 6],
  // Another amount than the one ordered.
  ["200 OK", (answer) => without("amount")(answer).replace("{", '{"amount":50,'), { remit: 0, others: 6 }],
  ["200 OK", (answer) => answer.replace("{", '{"receiverAmount":1,'), { remit: 6, others: 0 }],
  ["200 OK", (answer) => answer.replace("{", '{"senderAmount":"1.00",'), { remit: 6, others: 0 }],
  // Not an interim answer: the bytes after it belong to another protocol.
  ["101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK", same, 6],
  ["199 What\r\n\r\nHTTP/1.1 200 OK", same, 6],
  ["100 Continue\r\n\r\nHTTP/1.1 500 Internal Server Error", same, 6],
  // Statuses that are not to be believed, however good the body is.
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
  // A refusal of an order that has a transaction all the same.
  ["400 Bad Request", validation.replace("{", '{"transactionId":"a1B2c3D4e5F6",'), 6],
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

/** Answers of one kind only, by kind. */
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
  collect: [
    ["201 Created", without("statusCode"), 6],
    ["201 Created", (answer) => answer.replace('"R-1"', '"R-2"'), 6],
    ["201 Created", said(""), 6],
  ],
  payout: [
    ["200 OK", without("statusCode"), 6],
    ["200 OK", without("transactionRef"), 6],
    ["200 OK", (answer) => answer.replace('"R-1"', '"R-2"'), 6],
    ["200 OK", said("PENDING"), 0],
    ["200 OK", said("PAYMENT_ACCEPTED"), 0],
    ["200 OK", said(""), 6],
  ],
  remit: [
    ["201 Created", without("partnerReference"), 0],
    ["201 Created", (answer) => answer.replace('"R-1"', '"R-2"'), 6],
    ["200 OK", '{"success":true,"result":{"id":"7"}}', 0],
    ["200 OK", '"queued"', 6],
    ["200 OK", "12345678901234567.10", 6],
  ],
};

/** An answer of the service, and how a run with that answer ends. */
export interface Case {
  readonly status: string;
  readonly text: string;
  readonly headers: string | undefined;
  readonly exit: number;
}

/** Every answer that an order of this kind can get. */
export function casesOf(kind: Kind): Case[] {
  return [...accepted, ...refused, ...unknown, ...own[kind.kind]].map(([status, body, exit, headers]) => ({
    status,
    text: typeof body === "string" ? body : body(kind.answer("R-1")),
    headers,
    exit: typeof exit === "number" ? exit : (exit[kind.kind] ?? exit.others),
  }));
}

/** The case in words. */
export function nameOf(kind: Kind, { status, text, headers, exit }: Case): string {
  const body = text === kind.answer("R-1") ? "the documented body" : JSON.stringify(text.slice(0, 60));
  const line = [status, "with", body, ...(headers === undefined ? [] : ["and", JSON.stringify(headers)])].join(" ");
  return `${line.replaceAll("\r\n", " ")} ends with ${exit}`;
}
