import type { Kind } from "./kinds.ts";

// The meaning of each answer, as a sentence: an order of that kind with that answer is in that state. Every order has
// the reference R-1. Only `refused` and `reversed` say that the money has not moved.

export type AnsweredState = "accepted" | "pending" | "refused" | "reversed" | "unknown";
/** "A transfer" + the answer + "is" + the state; the status line and body of the answer. */
export type Sentence = readonly [answered: string, status: string, body: string, state: AnsweredState];

const invalid = (more: string) => `{"statusCode":400,"reason":"VALIDATION_ERROR"${more}}`;

/** The documented answer to a transfer for `rent [R-1]`, with more members in front. */
const transferred = (more = "") =>
  `{${more}"transactionId":"a1B2c3D4e5F6","from":"9000112233","to":"9000112244","narration":"rent [R-1]","amount":5,"transactionRef":"g7H8i9J0k1L2"}`;

const transfer: readonly Sentence[] = [
  ["answered with its record", "200 OK", transferred(), "accepted"],
  ["answered with its record and success true", "200 OK", transferred('"success":true,'), "accepted"],
  ["answered with its record and success false", "200 OK", transferred('"success":false,'), "unknown"],
  ["answered with its record and success FALSE", "200 OK", transferred('"success":"FALSE",'), "unknown"],
  ["answered with its record and an error", "200 OK", transferred('"error":"Insufficient balance",'), "unknown"],
  ["answered with its record and an error object", "200 OK", transferred('"error":{"code":7},'), "unknown"],
  ["answered with its record and a list of errors", "200 OK", transferred('"errors":["no"],'), "unknown"],
  ["answered with its record and error null", "200 OK", transferred('"error":null,'), "accepted"],
  ["answered with its record and error empty", "200 OK", transferred('"error":"","errors":[],'), "accepted"],
  ["answered with its record and error false", "200 OK", transferred('"error":false,'), "accepted"],
  ["answered with its record and status FAILED", "200 OK", transferred('"status":"FAILED",'), "unknown"],
  [
    "answered with its record and a reason to refuse",
    "200 OK",
    transferred('"reason":"INSUFFICIENT_FUNDS",'),
    "unknown",
  ],
  [
    "rejected under its own narration",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","narration":"rent [R-1]"}',
    "refused",
  ],
  [
    "rejected under no narration",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","transactionRef":"g7H8i9J0k1L2"}',
    "unknown",
  ],
  ["rejected under another tag", "200 OK", '{"statusCode":"PAYMENT_REJECTED","narration":"rent [R-2]"}', "unknown"],
  [
    "rejected under a part of its narration",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","narration":"rent"}',
    "unknown",
  ],
  [
    "rejected for another amount",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","narration":"rent [R-1]","amount":6}',
    "unknown",
  ],
  [
    "rejected and called a success",
    "200 OK",
    '{"success":true,"statusCode":"PAYMENT_REJECTED","narration":"rent [R-1]"}',
    "unknown",
  ],
  ["named with two ids", "200 OK", transferred('"transactionId":"other",'), "unknown"],
  ["named with two ids, one spelt with an escape", "200 OK", transferred('"transaction\\u0049d":"other",'), "unknown"],
  ["answered with a name that stands twice inside", "200 OK", transferred('"meta":{"a":[{"b":1,"b":1}]},'), "unknown"],
  ["refused with a name that stands twice", "400 Bad Request", invalid(',"reason":"VALIDATION_ERROR"'), "unknown"],
  ["refused with 400", "400 Bad Request", invalid(',"details":{"amount":"too much"}'), "refused"],
  ["refused with 400 under its own narration", "400 Bad Request", invalid(',"narration":"rent [R-1]"'), "refused"],
  ["refused with 400 under another tag", "400 Bad Request", invalid(',"narration":"rent [R-2]"'), "unknown"],
  ["refused with 400 under another narration", "400 Bad Request", invalid(',"narration":"food"'), "unknown"],
  ["refused with 400 under a reference", "400 Bad Request", invalid(',"transactionRef":"g7H8i9J0k1L2"'), "unknown"],
  ["refused with 400 and called a success", "400 Bad Request", invalid(',"success":true'), "unknown"],
  ["refused with 400 and status COMPLETED", "400 Bad Request", invalid(',"status":"COMPLETED"'), "unknown"],
  ["refused with 400 for GENERIC_ERROR", "400 Bad Request", '{"statusCode":400,"reason":"GENERIC_ERROR"}', "unknown"],
  ["refused with 404", "404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}', "refused"],
  [
    "refused with 404 for another wallet",
    "404 Not Found",
    '{"statusCode":404,"reason":"NOT_FOUND","from":"9000119999"}',
    "unknown",
  ],
];

const withdraw: readonly Sentence[] = [
  ["answered with its record", "201 Created", '{"paymentRef":"","transactionId":"a","transactionRef":"b"}', "accepted"],
  [
    "answered with a record of another externalRef",
    "201 Created",
    '{"externalRef":"R-2","transactionId":"a","transactionRef":"b"}',
    "unknown",
  ],
  [
    "answered with its record and success false",
    "200 OK",
    '{"success":false,"transactionId":"a","transactionRef":"b"}',
    "unknown",
  ],
  ["rejected under its externalRef", "200 OK", '{"statusCode":"PAYMENT_REJECTED","externalRef":"R-1"}', "refused"],
  ["rejected under its transactionRef", "200 OK", '{"statusCode":"PROVIDER_FAILED","transactionRef":"R-1"}', "refused"],
  ["rejected under no reference", "200 OK", '{"statusCode":"PAYMENT_REJECTED"}', "unknown"],
  [
    "rejected under another transactionRef",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","transactionRef":"x"}',
    "unknown",
  ],
  [
    "rejected under another externalRef beside its own",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","externalRef":"R-2","transactionRef":"R-1"}',
    "unknown",
  ],
  ["refused with 400 under another externalRef", "400 Bad Request", invalid(',"externalRef":"R-2"'), "unknown"],
  ["refused with 400 under its externalRef", "400 Bad Request", invalid(',"externalRef":"R-1"'), "refused"],
  [
    "refused with 400 for an externalRef that is missing",
    "400 Bad Request",
    invalid(',"details":{"externalRef":"is required"}'),
    "refused",
  ],
];

const known: readonly Sentence[] = [
  ["refused with 409 DUPLICATE_REQUEST", "409 Conflict", '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}', "unknown"],
  [
    "refused with 400 DUPLICATE_REFERENCE",
    "400 Bad Request",
    '{"statusCode":400,"reason":"DUPLICATE_REFERENCE"}',
    "unknown",
  ],
  [
    "refused with 400 and error Duplicate",
    "400 Bad Request",
    '{"statusCode":400,"message":"No","error":"Duplicate"}',
    "unknown",
  ],
  ["refused with 400 and code DUPLICATE", "400 Bad Request", invalid(',"code":"DUPLICATE"'), "unknown"],
  [
    "refused with 400 because it must be unique",
    "400 Bad Request",
    invalid(',"details":{"transactionRef":"transactionRef must be unique"}'),
    "unknown",
  ],
  [
    "refused with 400 because it is not unique",
    "400 Bad Request",
    invalid(',"details":{"transactionRef":"is not unique"}'),
    "unknown",
  ],
  [
    "refused with 400 because it should be unique",
    "400 Bad Request",
    invalid(',"message":"The reference should be unique."'),
    "unknown",
  ],
  [
    "refused with 400 because it has been taken",
    "400 Bad Request",
    invalid(',"details":{"transactionRef":["has already been taken"]}'),
    "unknown",
  ],
  [
    "refused with 400 because it is in use",
    "400 Bad Request",
    invalid(',"message":"Reference is already in use"'),
    "unknown",
  ],
  [
    "refused with 400 because it was processed, in a list of errors",
    "400 Bad Request",
    invalid(',"errors":[{"message":"already processed"}]'),
    "unknown",
  ],
  [
    "refused with 400 because it was used, in a list",
    "400 Bad Request",
    invalid(',"details":[{"field":"transactionRef","message":"Already Used"}]'),
    "unknown",
  ],
  [
    "refused with 400 because it exists",
    "400 Bad Request",
    '{"statusCode":400,"error":"Bad Request","message":"reference ALREADY\\nEXISTS"}',
    "unknown",
  ],
  [
    "refused with 400 because of a list of messages",
    "400 Bad Request",
    '{"statusCode":400,"error":"Bad Request","message":["duplicate reference"]}',
    "unknown",
  ],
  [
    "refused with 401 and a duplicate",
    "401 Unauthorized",
    '{"statusCode":401,"reason":"INVALID_CREDENTIALS","message":"duplicate x-request-id"}',
    "unknown",
  ],
  [
    "refused with 422 and a duplicate",
    "422 Unprocessable Entity",
    '{"statusCode":422,"reason":"DUPLICATE"}',
    "unknown",
  ],
  [
    "refused with 429 and a duplicate",
    "429 Too Many Requests",
    '{"statusCode":429,"message":"Duplicate reference"}',
    "unknown",
  ],
];

const collect: readonly Sentence[] = [
  [
    "answered PENDING_ACK",
    "201 Created",
    '{"statusCode":"PENDING_ACK","transactionRef":"R-1","transactionId":"a"}',
    "pending",
  ],
  [
    "answered PENDING_ACK and success false",
    "201 Created",
    '{"success":false,"statusCode":"PENDING_ACK","transactionRef":"R-1","transactionId":"a"}',
    "unknown",
  ],
  [
    "answered PENDING_ACK and an error",
    "201 Created",
    '{"error":"timeout","statusCode":"PENDING_ACK","transactionRef":"R-1","transactionId":"a"}',
    "unknown",
  ],
  [
    "answered PENDING_ACK and that it was used",
    "201 Created",
    '{"message":"transactionRef already used","statusCode":"PENDING_ACK","transactionRef":"R-1","transactionId":"a"}',
    "unknown",
  ],
  [
    "answered PENDING_ACK twice",
    "201 Created",
    '{"statusCode":"PENDING_ACK","transactionRef":"R-1","transactionId":"a","statusCode":"PENDING_ACK"}',
    "unknown",
  ],
  [
    "answered PENDING_ACK for another",
    "201 Created",
    '{"statusCode":"PENDING_ACK","transactionRef":"R-2","transactionId":"a"}',
    "unknown",
  ],
  ["rejected under its reference", "200 OK", '{"statusCode":"PAYMENT_REJECTED","transactionRef":"R-1"}', "refused"],
  [
    "rejected for lack of funds",
    "200 OK",
    '{"statusCode":"INSUFFICIENT_FUNDS","transactionRef":"R-1","transactionId":"a"}',
    "refused",
  ],
  ["rejected under no reference", "200 OK", '{"statusCode":"PAYMENT_REJECTED"}', "unknown"],
  ["rejected under an empty reference", "200 OK", '{"statusCode":"PAYMENT_REJECTED","transactionRef":""}', "unknown"],
  ["rejected under another reference", "200 OK", '{"statusCode":"PAYMENT_REJECTED","transactionRef":"R-2"}', "unknown"],
  [
    "rejected under its reference in other letters",
    "200 OK",
    '{"statusCode":"PAYMENT_REJECTED","transactionRef":"r-1"}',
    "unknown",
  ],
  ["refused with 400 under another reference", "400 Bad Request", invalid(',"transactionRef":"R-2"'), "unknown"],
  [
    "refused with 401 under another reference",
    "401 Unauthorized",
    '{"statusCode":401,"reason":"INVALID_CREDENTIALS","transactionRef":"R-2"}',
    "unknown",
  ],
  [
    "refused with 403 under its reference",
    "403 Forbidden",
    '{"statusCode":403,"reason":"FORBIDDEN","transactionRef":"R-1"}',
    "refused",
  ],
  [
    "refused with 400 under another reference within",
    "400 Bad Request",
    invalid(',"data":[{"transactionRef":"R-2"}]'),
    "unknown",
  ],
  [
    "refused with 400 for what is wrong with its reference",
    "400 Bad Request",
    invalid(',"details":{"transactionRef":"transactionRef is too long"}'),
    "refused",
  ],
  ...known,
];

const ours = '"partnerReference":"R-1"';

/** Each status word of a remittance: under its reference, without one, under another one, and in lower case. */
const inWords: readonly Sentence[] = (
  [
    ["pending", "CREATED SUBMITTED WAITING_ACK PENDING PROCESSING"],
    ["accepted", "COMPLETED PAYMENT_SUCCESS"],
    [
      "refused",
      "FAILED PAYMENT_FAILED INSUFFICIENT_BALANCE PROVIDER_FAILURE INVALID_ACCOUNT CANCELED CANCELLED PAYMENT_CANCELED REJECTED PAYMENT_REJECTED",
    ],
    ["reversed", "REVERSED"],
  ] as const
).flatMap(([state, words]) =>
  words.split(" ").flatMap((word): Sentence[] => {
    const alone = state === "refused" || state === "reversed" ? "unknown" : state;
    return [
      [`answered with the status ${word}`, "200 OK", `{${ours},"status":"${word}"}`, state],
      [`answered with the statusCode ${word}`, "201 Created", `{${ours},"statusCode":"${word.toLowerCase()}"}`, state],
      [`answered ${word} in both`, "202 Accepted", `{${ours},"status":"${word}","statusCode":"${word}"}`, state],
      [`answered ${word} without a reference`, "200 OK", `{"status":"${word}"}`, alone],
      [`answered ${word} for another`, "200 OK", `{"partnerReference":"R-2","status":"${word}"}`, "unknown"],
    ];
  }),
);

const remit: readonly Sentence[] = [
  ...inWords,
  [
    "answered with a record of two words that agree",
    "200 OK",
    `{${ours},"status":"FAILED","statusCode":"INVALID_ACCOUNT"}`,
    "refused",
  ],
  [
    "answered with words that differ",
    "200 OK",
    `{${ours},"status":"COMPLETED","statusCode":"PAYMENT_FAILED"}`,
    "unknown",
  ],
  [
    "answered with a word that was before",
    "200 OK",
    `{${ours},"status":"COMPLETED","statusCode":"CREATED"}`,
    "unknown",
  ],
  ["answered FAILED and REVERSED", "200 OK", `{${ours},"status":"FAILED","statusCode":"REVERSED"}`, "unknown"],
  [
    "answered with a word and an unknown one",
    "200 OK",
    `{${ours},"status":"COMPLETED","statusCode":"HELD"}`,
    "unknown",
  ],
  ["answered with an unknown word", "200 OK", `{${ours},"status":"HELD"}`, "unknown"],
  ["answered with the word SUCCESS", "200 OK", `{${ours},"statusCode":"SUCCESS"}`, "unknown"],
  ["answered with a status that is a truth value", "200 OK", `{${ours},"status":true}`, "unknown"],
  ["answered with a status that is an object", "200 OK", `{${ours},"status":{"code":"COMPLETED"}}`, "unknown"],
  [
    "answered with the statusCode 200 as a number",
    "200 OK",
    `{${ours},"status":"COMPLETED","statusCode":200}`,
    "accepted",
  ],
  ["answered with nothing but the statusCode 201", "201 Created", '{"statusCode":201}', "pending"],
  ["answered with the statusCode 400 as a number", "200 OK", `{${ours},"statusCode":400}`, "unknown"],
  ["answered with letters that only look alike", "200 OK", `{${ours},"status":"COMPLETED\\u0130"}`, "unknown"],
  ["answered with the long s in FAILED's place", "200 OK", `{${ours},"status":"PAYMENT_\\u017fUCCESS"}`, "unknown"],
  ["answered with an empty object", "202 Accepted", "{}", "pending"],
  ["answered with an object without a word", "200 OK", '{"success":true,"result":{"id":7},"error":null}', "pending"],
  ["answered with success false", "200 OK", `{"success":false,${ours}}`, "unknown"],
  ["answered COMPLETED and success false", "200 OK", `{"success":false,${ours},"status":"COMPLETED"}`, "unknown"],
  ["answered with an error", "200 OK", '{"error":"no route to the bank"}', "unknown"],
  ["answered CREATED and an error", "200 OK", `{${ours},"status":"CREATED","error":{"message":"x"}}`, "unknown"],
  ["answered FAILED and an error", "200 OK", `{${ours},"status":"FAILED","error":"account closed"}`, "refused"],
  [
    "answered FAILED because of a duplicate",
    "200 OK",
    `{${ours},"status":"FAILED","statusMessage":"Duplicate partnerReference"}`,
    "unknown",
  ],
  ["answered with another externalRef", "200 OK", '{"externalRef":"R-2","status":"CREATED"}', "unknown"],
  ["answered with another reference and no word", "200 OK", '{"partnerReference":"R-2"}', "unknown"],
  [
    "answered with another reference within",
    "200 OK",
    '{"success":true,"result":{"partnerReference":"R-2"}}',
    "unknown",
  ],
  ["answered with a reference that is a number", "200 OK", '{"partnerReference":1,"status":"FAILED"}', "unknown"],
  ["answered with a list", "200 OK", `[{${ours},"status":"COMPLETED"}]`, "unknown"],
  ["answered with a text", "200 OK", '"COMPLETED"', "unknown"],
  ["answered with null", "200 OK", "null", "unknown"],
  ["answered with two statuses", "200 OK", `{${ours},"status":"FAILED","status":"COMPLETED"}`, "unknown"],
  ["answered with one status spelt twice", "200 OK", `{${ours},"status":"FAILED","st\\u0061tus":"FAILED"}`, "unknown"],
  ["refused with 400 under another reference", "400 Bad Request", invalid(',"partnerReference":"R-2"'), "unknown"],
  ["refused with 400 under its reference", "400 Bad Request", invalid(`,${ours}`), "refused"],
  ["refused with 400 and status COMPLETED", "400 Bad Request", invalid(`,${ours},"status":"COMPLETED"`), "unknown"],
  ["refused with 429", "429 Too Many Requests", '{"statusCode":429,"message":"Too many requests"}', "unknown"],
  ...known,
];

export const sentences: Readonly<Record<Kind["kind"], readonly Sentence[]>> = {
  transfer,
  withdraw,
  collect,
  remit,
  // Same words, same reference.
  payout: collect,
};
