import { describe, expect, test } from "vitest";
import type { WrittenRow } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { kinds } from "./kinds.ts";
import type { Reaction } from "./teller.ts";
import { saying } from "./teller.ts";
import { openTill } from "./till.ts";

// What `journal resolve` takes as proof: statements of one wallet, and one order of 2026-03-31 whose answer was lost.

const [transfer, withdraw, collect, remit, salary] = kinds;
const paying = "9000112233";
const collecting = "0560066551200";
const noon = Date.UTC(2026, 2, 31, 9);
const dayMs = 86_400_000;

interface Scene {
  /** Of `paying`, or for a collection of `collecting`. */
  readonly rows: readonly WrittenRow[];
  /** The service's answer to the order. Default: a 500. */
  readonly react?: Reaction;
  /** When it is resolved, days after it was sent. */
  readonly daysLater?: number;
  readonly line?: string;
}

/** An order R-1 of that kind, and what `journal resolve` decides about it from the statement. */
async function resolved(kind: (typeof kinds)[number] | undefined, { rows, react, daysLater = 0, line }: Scene) {
  const accountNo = kind === collect ? collecting : paying;
  const service = await serveStatements({ statements: { [accountNo]: rows }, react });
  const till = openTill(service.environment);
  await till.run(line ?? kind?.line("R-1") ?? "", { now: noon });
  const run = await till.run("journal resolve R-1 --json", { now: noon + daysLater * dayMs });
  const [movement] = await till.movements();
  return { run, movement, till, service };
}

const rent = (amount: string, fields = {}) => debit(amount, { narration: "rent [R-1]", ...fields });
const payout = (fields = {}) => debit("5.50", { tranRefNo: "R-1", ...fields });
const wages = (fields = {}) => debit("25000", { tranRefNo: "q7XbT2mNc9Ls", narration: "salary", ...fields });
const wageFee = (reference: string, id: string) =>
  debit("250", { tranRefNo: `${reference}-PAYOUT`, narration: `SERVICE FEE FOR REF:${reference} TXNID:${id} salary` });
const lunch = (fields = {}) => credit("1500", { tranRefNo: "R-1", ...fields });
/** An answer that leaves the outcome unknown and names its ids. */
const named = saying("200 OK", '{"statusCode":"GENERIC_ERROR","transactionRef":"R-1","transactionId":"a1B2c3D4e5F6"}');
const unclear = (body: string) => saying("500 Internal Server Error", body);
const answered = unclear('{"transactionId":"a1B2c3D4e5F6","transactionRef":"g7H8i9J0k1L2","paymentRef":"PAY-77"}');

type Case = readonly [sentence: string, scene: Scene];

const paid: Readonly<Record<"transfer" | "withdraw" | "collect" | "payout", readonly Case[]>> = {
  transfer: [
    ["what was sent, with its tag", { rows: [rent("5")] }],
    ["its amount written with zeros behind the point", { rows: [rent("5.00")] }],
    ["its amount written as text", { rows: [rent("5").replace('"amountDebited":5', '"amountDebited":"5.00"')] }],
    ["an empty text on the other side", { rows: [rent("5").replace('"amountCredited":0', '"amountCredited":""')] }],
    ["null on the other side", { rows: [rent("5", { amountCredited: null })] }],
    ["no other side", { rows: [rent("5").replace('"amountCredited":0,', "")] }],
    ["no mark", { rows: [rent("5", { debitOrCredit: null })] }],
    ["a small mark", { rows: [rent("5", { debitOrCredit: "dr" })] }],
    ["spaces around the narration", { rows: [rent("5", { narration: " rent [R-1]  " })] }],
    ["its reference once more behind what was sent", { rows: [rent("5", { narration: "rent [R-1] R-1" })] }],
    [
      "the service's own reference, as its answer said",
      { rows: [debit("5", { tranRefNo: "g7H8i9J0k1L2" })], react: answered },
    ],
    [
      "the service's own id, as its answer said",
      { rows: [debit("5", { tranRefNo: "a1B2c3D4e5F6" })], react: answered },
    ],
    ["a value date of the day before", { rows: [rent("5", { valueDate: "2026-03-30 23:59:59" })] }],
    ["a value date seven days later", { rows: [rent("5", { valueDate: "2026-04-07 23:59:59" })], daysLater: 7 }],
    [
      "a value date in another zone, which is that day here",
      { rows: [rent("5", { valueDate: "2026-04-07T20:59:59Z" })], daysLater: 9 },
    ],
    ["a transaction date of long ago", { rows: [rent("5", { txnDate: "2025-01-01 00:00:00" })] }],
    ["itself twice, alike in everything", { rows: [rent("5", { balance: 7 }), rent("5.00", { balance: "7.00" })] }],
    ["other rows with its tag and another amount beside it", { rows: [rent("5"), rent("6")] }],
    ["a row of a longer reference beside it", { rows: [rent("5"), debit("5", { narration: "rent [R-10]" })] }],
    ["a return of another amount", { rows: [rent("5"), credit("4.50", { tranRefNo: "REV-R-1" })] }],
    ["a return of something else", { rows: [rent("5"), credit("5", { tranRefNo: "FT2", narration: "REV R-10" })] }],
    ["its fee beside it", { rows: [rent("5"), debit("1", { tranRefNo: "R-1-PAYOUT" })] }],
  ],
  withdraw: [
    ["its reference", { rows: [payout()] }],
    ["its reference with spaces behind", { rows: [payout({ tranRefNo: "R-1   " })] }],
    ["what was sent, though no reference", { rows: [debit("5.50", { narration: "payout" })] }],
    ["what was sent and the reference in brackets", { rows: [debit("5.50", { narration: "payout (R-1)" })] }],
    ["what was sent and the reference as the last word", { rows: [debit("5.50", { narration: "payout R-1" })] }],
    [
      "the payment's reference, as its answer said",
      { rows: [debit("5.50", { tranRefNo: "PAY-77" })], react: answered },
    ],
    ["its reference, and another row has its narration", { rows: [payout(), debit("5.50", { narration: "payout" })] }],
    [
      "a fee of its amount beside it",
      { rows: [payout(), debit("5.50", { tranRefNo: "R-1-PAYOUT", narration: "payout" })] },
    ],
  ],
  collect: [
    ["its reference", { rows: [lunch()] }],
    ["the service's id, as its answer said", { rows: [lunch({ tranRefNo: "a1B2c3D4e5F6" })], react: named }],
    ["what was sent and the reference as the last word", { rows: [credit("1500", { narration: "lunch R-1" })] }],
    ["its reference, and no other side", { rows: [lunch().replace(',"amountDebited":0', "")] }],
  ],
  payout: [
    ["its reference", { rows: [wages({ tranRefNo: "R-1", narration: "x" })] }],
    ["what was sent, and no other row does", { rows: [wages()] }],
    [
      "the service's id, as its answer said",
      { rows: [wages({ tranRefNo: "a1B2c3D4e5F6", narration: "x" })], react: named },
    ],
    ["the id that its fee tells", { rows: [wages({ narration: "x" }), wageFee("R-1", "q7XbT2mNc9Ls")] }],
    [
      "the id that its fee tells, and others are alike",
      { rows: [wages({ tranRefNo: "anotherIdxyz" }), wages(), wageFee("R-1", "q7XbT2mNc9Ls")] },
    ],
    [
      "what was sent, and the like row's fee names another reference",
      { rows: [wages({ tranRefNo: "anotherIdxyz" }), wages(), wageFee("S-9", "anotherIdxyz")] },
    ],
  ],
};

describe.each([
  ["transfer", transfer],
  ["withdraw", withdraw],
  ["collect", collect],
  ["payout", salary],
] as const)("a %s is paid", (name, kind) => {
  test.for(paid[name])("where the row has %s", async ([, scene]) => {
    const { run, movement } = await resolved(kind, scene);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(movement).toMatchObject({ state: "accepted", evidence: "statement" });
  });
});

const undecided: Readonly<Record<"transfer" | "withdraw" | "collect" | "remit" | "payout", readonly Case[]>> = {
  transfer: [
    ["there is no row", { rows: [] }],
    ["the row has another amount", { rows: [rent("6")] }],
    ["the row has a cent more", { rows: [rent("5.01")] }],
    ["the row paid in what was to be paid out", { rows: [rent("-5")] }],
    ["the row is on the other side", { rows: [credit("5", { narration: "rent [R-1]" })] }],
    ["the row is negative on the other side", { rows: [credit("-5", { narration: "rent [R-1]" })] }],
    ["both sides of the row have amounts", { rows: [rent("10", { amountCredited: 5 })] }],
    ["the mark says the other side", { rows: [rent("5", { debitOrCredit: "CR" })] }],
    ["the mark says something else", { rows: [rent("5", { debitOrCredit: "X" })] }],
    ["the amount is a word", { rows: [rent("5").replace('"amountDebited":5', '"amountDebited":"five"')] }],
    ["the other side is a word", { rows: [rent("5").replace('"amountCredited":0', '"amountCredited":"none"')] }],
    ["the amount would be the same as a double", { rows: [rent("5.00000000000000001")] }],
    ["two rows have its tag", { rows: [rent("5", { balance: 1 }), rent("5", { balance: 2 })] }],
    ["two rows are alike and say no balance", { rows: [rent("5", { balance: null }), rent("5", { balance: null })] }],
    ["the tag stands in the middle", { rows: [rent("5", { narration: "rent [R-1] again" })] }],
    ["the tag stands behind other words", { rows: [rent("5", { narration: "wages [R-1]" })] }],
    ["the tag is that of a longer reference", { rows: [rent("5", { narration: "rent [R-10]" })] }],
    ["the tag is written in small letters", { rows: [rent("5", { narration: "rent [r-1]" })] }],
    ["the description stands there without its tag", { rows: [rent("5", { narration: "rent" })] }],
    ["the value date is two days before", { rows: [rent("5", { valueDate: "2026-03-29 23:59:59" })] }],
    ["the value date is eight days later", { rows: [rent("5", { valueDate: "2026-04-08 00:00:00" })], daysLater: 9 }],
    [
      "the value date is eight days later here, seven where it was written",
      { rows: [rent("5", { valueDate: "2026-04-07T21:00:00Z" })], daysLater: 9 },
    ],
    ["the value date is none", { rows: [rent("5", { valueDate: "soon" })] }],
    [
      "the value date is missing",
      { rows: ['{"tranRefNo":"FT1","narration":"rent [R-1]","debitOrCredit":"DR","amountDebited":5,"balance":1}'] },
    ],
    ["the row is a fee by its reference", { rows: [rent("5", { tranRefNo: "FT1-PAYOUT" })] }],
    [
      "the row is a fee by its narration",
      { rows: [rent("5", { tranRefNo: "R-1", narration: "SERVICE FEE FOR REF:R-1 TXNID:1" })] },
    ],
    ...["V-1/R", "RTN-V-1", "CAN_V-1", "V-1-REFUND", "V-1R", "rtn/v-1"].map((word): Case => {
      const tranRefNo = word.replace(/V-1/i, "R-1");
      return [`${tranRefNo} may have reversed it`, { rows: [rent("5"), credit("5", { tranRefNo })] }];
    }),
    [
      "its narration may have reversed it",
      { rows: [rent("5"), credit("5", { tranRefNo: "FT2", narration: "REVERSED-R-1" })] },
    ],
    [
      "it came and went and came again",
      { rows: [rent("5", { balance: 1 }), credit("5", { tranRefNo: "REV-R-1" }), rent("5", { balance: 3 })] },
    ],
    [
      "it came and went and came again, with the same balance behind it",
      { rows: [rent("5"), credit("5", { tranRefNo: "REV-R-1", balance: 6 }), rent("5")] },
    ],
    [
      "two rows reversed it",
      {
        rows: [
          rent("5"),
          credit("5", { tranRefNo: "REV-R-1", balance: 2 }),
          credit("5", { tranRefNo: "R-1-REV", balance: 3 }),
        ],
      },
    ],
    [
      "a fee of its amount came back",
      { rows: [rent("5"), credit("5", { narration: "SERVICE FEE FOR REF:R-1 TXNID:9" })] },
    ],
    ["only the return is there", { rows: [credit("5", { tranRefNo: "REV-R-1" })] }],
    [
      "the return is dated before it",
      { rows: [rent("5"), credit("5", { tranRefNo: "REV-R-1", valueDate: "2026-03-30 12:00:00" })] },
    ],
    [
      "the return is marked as something else",
      { rows: [rent("5"), credit("5", { tranRefNo: "REV-R-1", debitOrCredit: "DR" })] },
    ],
    ["the return has its reference in small letters", { rows: [rent("5"), credit("5", { tranRefNo: "rev-r-1" })] }],
    [
      "the same description came back under no reference",
      { rows: [rent("5"), credit("5", { tranRefNo: "FT2", narration: "Return: rent [r-1]" })] },
    ],
    [
      "an answer about another order named the row's id",
      {
        rows: [debit("5", { tranRefNo: "a1B2c3D4e5F6" })],
        react: unclear('{"transactionId":"a1B2c3D4e5F6","from":"9000112233","to":"9000445566"}'),
      },
    ],
    [
      "an answer named an id that is none",
      { rows: [debit("5", { tranRefNo: "N/A" })], react: unclear('{"paymentRef":"N/A"}') },
    ],
  ],
  withdraw: [
    ["the row shows neither the reference nor the narration", { rows: [debit("5.50", { narration: "WITHDRAWAL" })] }],
    ["the narration names the reference in passing", { rows: [debit("5.50", { narration: "out, ref R-1." })] }],
    ["the narration goes on", { rows: [debit("5.50", { narration: "payout of March" })] }],
    ["the narration has another reference behind it", { rows: [debit("5.50", { narration: "payout [R-2]" })] }],
    ["the narration is written in capitals", { rows: [debit("5.50", { narration: "PAYOUT" })] }],
    ["the reference has lost its letters' size", { rows: [payout({ tranRefNo: "r-1" })] }],
    ["the reference has its beginning only", { rows: [payout({ tranRefNo: "R-" })] }],
    [
      "two rows have the narration and no reference",
      {
        rows: [debit("5.50", { narration: "payout", balance: 1 }), debit("5.50", { narration: "payout", balance: 2 })],
      },
    ],
    ["two rows have the reference", { rows: [payout({ balance: 1 }), payout({ balance: 2 })] }],
    [
      "the same narration came back",
      { rows: [debit("5.50", { narration: "payout" }), credit("5.50", { narration: "payout", tranRefNo: "FT2" })] },
    ],
  ],
  collect: [
    ["the row took money out", { rows: [debit("1500", { tranRefNo: "R-1" })] }],
    ["the fee alone is there", { rows: [debit("1500", { tranRefNo: "R-1-PAYIN" })] }],
    [
      "the row was a credit and a debit of it reversed it twice",
      {
        rows: [
          lunch(),
          debit("1500", { tranRefNo: "R-1", balance: 3 }),
          debit("1500", { tranRefNo: "R-1", balance: 4 }),
        ],
      },
    ],
  ],
  remit: [["no wallet shows it", { rows: [] }]],
  payout: [
    [
      "two rows have its narration and no fee tells them apart",
      { rows: [wages(), wages({ tranRefNo: "anotherIdxyz" })] },
    ],
    ["the fee alone is there", { rows: [wageFee("R-1", "q7XbT2mNc9Ls")] }],
    ["the fee names the row for another reference", { rows: [wages(), wageFee("S-9", "q7XbT2mNc9Ls")] }],
    [
      "two fees of its reference tell two ids",
      {
        rows: [
          wages({ narration: "x" }),
          wages({ tranRefNo: "anotherIdxyz", narration: "x" }),
          wageFee("R-1", "q7XbT2mNc9Ls"),
          wageFee("R-1", "anotherIdxyz"),
        ],
      },
    ],
    [
      "one id is told for two references",
      { rows: [wages({ narration: "x" }), wageFee("R-1", "q7XbT2mNc9Ls"), wageFee("S-9", "q7XbT2mNc9Ls")] },
    ],
    [
      "the fee tells an id whose row has another amount",
      { rows: [debit("25001", { tranRefNo: "q7XbT2mNc9Ls", narration: "salary" }), wageFee("R-1", "q7XbT2mNc9Ls")] },
    ],
    [
      "the row with the told id came in",
      { rows: [credit("25000", { tranRefNo: "q7XbT2mNc9Ls" }), wageFee("R-1", "q7XbT2mNc9Ls")] },
    ],
    ["a longer reference's fee tells the id", { rows: [wages({ narration: "x" }), wageFee("R-10", "q7XbT2mNc9Ls")] }],
    [
      "the fee's narration names its reference and its own name another one",
      {
        rows: [
          wages({ narration: "x" }),
          debit("250", { tranRefNo: "R-1-PAYOUT", narration: "SERVICE FEE FOR REF:S-9 TXNID:q7XbT2mNc9Ls salary" }),
        ],
      },
    ],
  ],
};

describe.each([
  ["transfer", transfer],
  ["withdraw", withdraw],
  ["collect", collect],
  ["remit", remit],
  ["payout", salary],
] as const)("a %s stays unknown", (name, kind) => {
  test.for(undecided[name])("where %s", async ([, scene]) => {
    const { run, movement } = await resolved(kind, scene);
    expect(run).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "unknown"') });
    expect(movement).toMatchObject({ state: "unknown" });
  });
});

const back = (fields: Parameters<typeof credit>[1]) => credit("5", { tranRefNo: "FT2", narration: "x", ...fields });

const takenBack: readonly Case[] = [
  ...[
    "REV-R-1",
    "REVR-1",
    "REV R-1",
    "RVSL/R-1",
    "REVERSAL:R-1",
    "R-1_REV",
    "R-1.RVSL",
    "R-1 REVERSAL",
    "rev-R-1",
    "R-1",
  ].map((tranRefNo): Case => [`the reference ${tranRefNo}`, { rows: [rent("5"), back({ tranRefNo })] }]),
  ["the row's own id", { rows: [rent("5", { tranRefNo: "FT1" }), back({ tranRefNo: "FT1" })] }],
  ["the row's own id behind a word", { rows: [rent("5", { tranRefNo: "FT1" }), back({ tranRefNo: "REV-FT1" })] }],
  ["the id of the answer", { rows: [rent("5"), back({ tranRefNo: "a1B2c3D4e5F6" })], react: answered }],
  ["the reference in its narration", { rows: [rent("5"), back({ narration: "Returned: R-1." })] }],
  ["the tag in its narration", { rows: [rent("5"), back({ narration: "REVERSAL rent [R-1]" })] }],
  ["a negative amount on the same side", { rows: [rent("5"), debit("-5", { tranRefNo: "REV-R-1" })] }],
  ["no mark", { rows: [rent("5"), back({ tranRefNo: "REV-R-1", debitOrCredit: null })] }],
  [
    "every row told twice",
    { rows: [rent("5"), rent("5"), back({ tranRefNo: "REV-R-1" }), back({ tranRefNo: "REV-R-1" })] },
  ],
  [
    "a date two months later",
    { rows: [rent("5"), back({ tranRefNo: "REV-R-1", valueDate: "2026-05-30 12:00:00" })], daysLater: 61 },
  ],
];

describe("a transfer is reversed by a return with", () => {
  test.for(takenBack)("%s", async ([, scene]) => {
    const { run, movement } = await resolved(transfer, scene);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "reversed"') });
    expect(movement).toMatchObject({ state: "reversed", evidence: "statement" });
  });
});
