import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { size } from "../journal/long.ts";
import type { WrittenRow } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import type { Collection } from "../commands/collection-service.ts";
import { post, says } from "../commands/collection-service.ts";
import { answer } from "../contract/recorder.ts";
import { objectIn } from "./kinds.ts";
import { accept } from "./service.ts";
import type { Reaction } from "./teller.ts";
import { saying } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// What a row proves when it could belong to several orders.

const paying = "9000112233";
const lose = saying("500 Internal Server Error", "");

const dayLater = { now: Date.UTC(2026, 3, 1, 9) };

/** Orders that are alike, on purpose. */
const meant = "--yes --json --check-statement never --again";

const withdrawal = (reference: string, amount = "5.50", narration = "payout") =>
  `withdraw --account ${paying} --amount ${amount} --narration "${narration}" --reference ${reference} ${meant}`;
const transfer = (reference: string, description = "rent", flags = "") =>
  `transfer --from ${paying} --to 9000112244 --amount 5 --description "${description}" --reference ${reference} ${flags} ${meant}`;
const collection = (reference: string, msisdn: string) =>
  `collect --msisdn ${msisdn} --channel TZ-TIGO-C2B --amount 1500 --narration lunch --callback-url https://hooks.example/x --reference ${reference} ${meant}`;
const payout = (fields = {}) => debit("5.50", { narration: "payout", ...fields });

/** Orders one after the other, each with the service's answer, and a statement. */
async function ordered(lines: readonly (readonly [line: string, says: Reaction])[], rows: readonly WrittenRow[]) {
  const service = await serveStatements({ statements: { [paying]: rows, "0560066551200": rows } });
  const till = openTill(service.environment);
  for (const [line, says] of lines) {
    service.react(says);
    await till.run(line);
  }
  return { till, service };
}

async function statesOf(till: Till): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await till.movements()).map(({ kind, reference, state }) => [`${kind} ${reference}`, state]),
  );
}

test("two orders and one row without an id: both stay unknown, and each names the other", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    [payout()],
  );
  const [one, other] = [await till.run("journal resolve R-1"), await till.run("journal resolve R-2")];
  expect([one.exit, other.exit]).toEqual([6, 6]);
  expect(one.stdout).toContain("R-2");
  expect(other.stdout).toContain("R-1");
});

test("two orders with different narrations: a row with one narration proves that order", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2", "5.50", "rent"), lose],
    ],
    [payout()],
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
  expect(await statesOf(till)).toEqual({ "withdraw R-1": "accepted", "withdraw R-2": "unknown" });
});

test("two orders and one row with the id of one: that one is paid", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    [payout({ tranRefNo: "R-2" })],
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
  expect(await statesOf(till)).toEqual({ "withdraw R-1": "unknown", "withdraw R-2": "accepted" });
});

/** An order whose texts were redacted, a later unknown order, and the rows that appear then. */
async function afterRedacting(says: Reaction, word: string, later: string, ...rows: readonly WrittenRow[]) {
  const { till, service } = await ordered([[withdrawal("R-1"), says]], []);
  if (word !== "") await till.run(word);
  expect(await till.run("journal redact --older-than 1ms --yes", dayLater)).toMatchObject({ exit: 0 });
  service.react(lose);
  expect(await till.run(later, dayLater)).toMatchObject({ exit: 6 });
  service.write(paying, rows);
  return till.run("journal resolve R-2", dayLater);
}

describe.for([
  ["paid", accept, ""],
  ["called refused by a word", lose, "journal resolve R-1 --as refused --unchecked --evidence call"],
] as const)("an order that was %s and whose texts were redacted", ([, says, word]) => {
  test("may own the only row without an id, so the row proves no other order", async () => {
    const seen = await afterRedacting(says, word, withdrawal("R-2"), payout());
    expect(seen).toMatchObject({ exit: 6, stdout: expect.stringContaining("unknown") });
  });

  test("does not claim a row of another amount", async () => {
    const row = debit("6", { narration: "payout" });
    expect(await afterRedacting(says, word, withdrawal("R-2", "6"), row)).toMatchObject({ exit: 0 });
  });
});

test("a paid order with redacted texts leaves a row to another order when it has its own", async () => {
  const own = payout({ tranRefNo: "R-1", balance: 10 });
  const seen = await afterRedacting(accept, "", withdrawal("R-2"), own, payout({ balance: 4.5 }));
  expect(seen).toMatchObject({ exit: 0 });
});

test("a return that fits two orders under one reference reverses neither, even when each has its row", async () => {
  const { till } = await ordered(
    [
      [transfer("R-1"), accept],
      [withdrawal("R-1", "5", "out"), lose],
    ],
    [
      debit("5", { tranRefNo: "g7H8i9J0k1L2", narration: "rent [R-1]", balance: 15 }),
      debit("5", { tranRefNo: "R-1", narration: "out", balance: 10 }),
      credit("5", { tranRefNo: "REV-R-1", narration: "Reversal", balance: 15 }),
    ],
  );
  const { exit } = await till.run("journal resolve --all");
  expect([exit, await statesOf(till)]).toEqual([6, { "transfer R-1": "accepted", "withdraw R-1": "unknown" }]);
});

test("two orders and a row for each: both are paid when the rows have their references", async () => {
  const rows = [payout({ tranRefNo: "R-1" }), payout({ tranRefNo: "R-2" })];
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    rows,
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 0 });
});

test("two orders and two rows without an id: both stay unknown", async () => {
  const rows = [payout({ balance: 1 }), payout({ balance: 2 })];
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    rows,
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
});

describe("a like order that was accepted by its answer", () => {
  const orders = [
    [withdrawal("R-1"), accept],
    [withdrawal("R-2"), lose],
  ] as const;
  const refused = 'journal resolve R-2 --as refused --evidence "the bank says so"';

  test("uses up the only row that fits", async () => {
    const { till } = await ordered(orders, [payout()]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
    expect(await statesOf(till)).toMatchObject({ "withdraw R-2": "unknown" });
  });

  test("uses up the only row that fits, so a person may say that no money left", async () => {
    const { till } = await ordered(orders, [payout()]);
    expect(await till.run(refused)).toMatchObject({ exit: 0 });
    expect(await statesOf(till)).toEqual({ "withdraw R-1": "accepted", "withdraw R-2": "refused" });
  });

  test("next to another one leaves two rows that fit, and a person may not say that no money left", async () => {
    const { till } = await ordered(
      [[withdrawal("R-0"), accept], ...orders],
      [payout({ balance: 2 }), payout({ balance: 1 })],
    );
    expect(await till.run(refused)).toMatchObject({ exit: 2, stdout: "" });
    expect(await statesOf(till)).toMatchObject({ "withdraw R-2": "unknown" });
  });

  test("uses up one of two rows, and the other one proves the order", async () => {
    const { till } = await ordered(orders, [payout({ balance: 2 }), payout({ balance: 1 })]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 0 });
  });

  test("uses up one of three rows, and the other two prove nothing", async () => {
    const { till } = await ordered(
      orders,
      [1, 2, 3].map((balance) => payout({ balance })),
    );
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
  });

  test("uses up only the row with its own id", async () => {
    const { till } = await ordered(orders, [payout({ tranRefNo: "R-1" }), payout()]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 0 });
  });

  test("does not lend its known row to another order", async () => {
    const { till } = await ordered(orders, [payout({ tranRefNo: "R-1" })]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
  });
});

test("an order called accepted by a person uses up a row as well", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    [payout()],
  );
  await till.run('journal resolve R-1 --as accepted --evidence "seen at the bank"');
  expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
});

/** The callback arrives before the answer. */
const calledBack: Reaction = (socket, { body }) => {
  const { callbackUrl, transactionRef }: Collection = JSON.parse(body);
  const said = (word: string) => says(word, transactionRef, "q7XbT2mNc9Ls");
  void post(callbackUrl, said("PAYMENT_ACCEPTED")).then(() => socket.end(answer("201 Created", said("PENDING_ACK"))));
};

const lunch = credit("1500", { narration: "lunch" });

/** A collection that a callback called accepted, then a like one whose answer was lost. */
async function afterCallback(rows: readonly WrittenRow[]): Promise<Till> {
  const waited = collection("R-1", "255712345678").replace(/--callback-url \S+/, "--wait");
  const { till } = await ordered(
    [
      [waited, calledBack],
      [collection("R-2", "255712345678"), lose],
    ],
    rows,
  );
  expect(objectIn((await till.run("journal show R-1 --json")).stdout)).toMatchObject({ evidence: "callback" });
  return till;
}

describe("a collection called accepted by a callback", () => {
  test("uses up the only row that fits", async () => {
    const till = await afterCallback([lunch]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
  });

  test("uses up one of two rows, and the other one proves the order whose answer was lost", async () => {
    const till = await afterCallback([lunch, credit("1500", { narration: "lunch", balance: 2 })]);
    expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 0 });
    expect(await statesOf(till)).toEqual({ "collect R-1": "accepted", "collect R-2": "accepted" });
  });
});

test("a row that has proved one order does not prove another", async () => {
  const { till } = await ordered([[withdrawal("R-1"), lose]], [payout()]);
  expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
  expect(await till.run(withdrawal("R-2"))).toMatchObject({ exit: 6 });
  expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
  expect(await till.run('journal resolve R-1 --as refused --evidence "support"')).toMatchObject({ exit: 2 });
  expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 6 });
  expect(await statesOf(till)).toEqual({ "withdraw R-1": "accepted", "withdraw R-2": "unknown" });
});

test("a row that has proved an order still proves it at the next look-up", async () => {
  const { till } = await ordered([[withdrawal("R-1"), lose]], [payout()]);
  await till.run("journal resolve R-1");
  const [before] = await till.movements();
  expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
  expect(await till.movements()).toEqual([before]);
});

test("a row belongs to the order with its id, even when it mentions another order", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-2", "5.50", "instead of R-1"), accept],
      [withdrawal("R-1", "5.50", "instead of R-1"), lose],
    ],
    [debit("5.50", { tranRefNo: "R-2", narration: "instead of R-1" })],
  );
  expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 6 });
});

test("a row that fits a refused order as well proves the other order", async () => {
  const no = saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","message":"no"}');
  const { till } = await ordered(
    [
      [withdrawal("R-1"), no],
      [withdrawal("R-2"), lose],
    ],
    [payout()],
  );
  expect(await till.run("journal resolve R-2")).toMatchObject({ exit: 0 });
});

test("a row that fits an order called refused by a person proves nothing", async () => {
  const { till } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    [],
  );
  expect(await till.run('journal resolve R-1 --as refused --evidence "support"')).toMatchObject({ exit: 0 });
  const { till: later } = await ordered(
    [
      [withdrawal("R-1"), lose],
      [withdrawal("R-2"), lose],
    ],
    [payout()],
  );
  // One of the two was paid: calling both refused would send one of them a second time.
  for (const reference of ["R-1", "R-2"]) {
    const refused = await later.run(`journal resolve ${reference} --as refused --evidence "support"`);
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toMatch(/The statement contradicts it: row .* may as well be that of the withdrawal R-[12]/);
  }
  const line = 'journal resolve R-1 --as refused --evidence "support" --against-statement';
  expect(await later.run(line)).toMatchObject({ exit: 0, stdout: expect.stringContaining("may as well be that of") });
  expect(await later.run("journal resolve R-2")).toMatchObject({ exit: 6 });
});

test.for([
  ["eight days later may be the row of either", 8, 6],
  ["nine days later has no row in common with it", 9, 0],
] as const)("a withdrawal like an unknown one, and %s", async ([, days, exit]) => {
  const { service, till } = await ordered([], [payout({ valueDate: "2026-03-31 08:00:00" })]);
  service.react(lose);
  const first = Date.UTC(2026, 3, 1, 9) - days * 86_400_000;
  for (const [line, now] of [
    [withdrawal("R-1"), first],
    [withdrawal("R-2"), dayLater.now],
  ] as const)
    expect(await till.run(line, { now })).toMatchObject({ exit: 6 });
  expect(await till.run("journal resolve R-2", dayLater)).toMatchObject({ exit });
});

test("two customers, one lunch: a row without an id proves neither order", async () => {
  const { till } = await ordered(
    [
      [collection("R-1", "255712345678"), lose],
      [collection("R-2", "255712345679"), lose],
    ],
    [credit("1500", { narration: "lunch" })],
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
});

test("a transfer and a withdrawal under one reference: each is proved by its own row", async () => {
  const { till } = await ordered(
    [
      [transfer("R-1"), lose],
      [withdrawal("R-1", "5"), lose],
    ],
    [debit("5", { narration: "rent [R-1]" }), debit("5", { tranRefNo: "FT2", narration: "payout (R-1)" })],
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 0 });
});

test("a transfer and a withdrawal under one reference, and one row with it: both stay unknown", async () => {
  const { till } = await ordered(
    [
      [transfer("R-1"), lose],
      [withdrawal("R-1", "5"), lose],
    ],
    [debit("5", { tranRefNo: "R-1", narration: "x" })],
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
  expect(await statesOf(till)).toEqual({ "transfer R-1": "unknown", "withdraw R-1": "unknown" });
});

test("the row of an accepted withdrawal doesn't contradict a refused transfer with the same reference", async () => {
  const { till, service } = await ordered(
    [
      [withdrawal("R-1", "5"), accept],
      [transfer("R-1"), lose],
    ],
    [debit("5", { tranRefNo: "R-1", narration: "payout" })],
  );
  const id = (await till.movements()).find(({ kind }) => kind === "transfer")?.id;
  expect(await till.run(`journal resolve ${id} --as refused --evidence "support"`)).toMatchObject({ exit: 0 });
  service.react(accept);
  expect(await till.run(transfer("R-1"))).toMatchObject({ exit: 0 });
  expect(service.orders.filter(({ path }) => path.endsWith("transfer-local"))).toHaveLength(2);
});

test("money brought in by another order is not a return", async () => {
  const back = `transfer --from 9000112244 --to ${paying} --amount 5 --description "back R-1" --reference R-2 ${meant}`;
  const rows = [
    debit("5", { narration: "rent [R-1]" }),
    credit("5", { tranRefNo: "FT2", narration: "back R-1 [R-2]" }),
  ];
  for (const says of [lose, accept]) {
    const { till } = await ordered(
      [
        [transfer("R-1"), lose],
        [back, says],
      ],
      rows,
    );
    await till.run("journal resolve R-1");
    expect(await statesOf(till)).toMatchObject({ "transfer R-1": "unknown" });
  }
});

test("a return of one of two rows with the same id reverses neither", async () => {
  const rows = [
    debit("5", { tranRefNo: "FT1", narration: "rent [R-1]", balance: 1 }),
    debit("5", { tranRefNo: "FT1", narration: "rent [R-2]", balance: 2 }),
    credit("5", { tranRefNo: "REV-FT1", balance: 3 }),
  ];
  const { till } = await ordered(
    [
      [transfer("R-1"), lose],
      [transfer("R-2"), lose],
    ],
    rows,
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
  expect(await statesOf(till)).toEqual({ "transfer R-1": "unknown", "transfer R-2": "unknown" });
});

test("a return reverses the order that it names, and no other", async () => {
  const rows = [
    debit("5", { tranRefNo: "FT1", narration: "rent [R-1]" }),
    debit("5", { tranRefNo: "FT2", narration: "rent [R-2]" }),
    credit("5", { tranRefNo: "REV-R-2" }),
  ];
  const { till } = await ordered(
    [
      [transfer("R-1"), lose],
      [transfer("R-2"), lose],
    ],
    rows,
  );
  expect(await till.run("journal resolve --all")).toMatchObject({ exit: 0 });
  expect(await statesOf(till)).toEqual({ "transfer R-1": "accepted", "transfer R-2": "reversed" });
});

test("an accepted order becomes reversed when a later statement shows its return", async () => {
  const rows = [debit("5", { narration: "rent [R-1]" }), credit("5", { tranRefNo: "REV-R-1" })];
  const { till } = await ordered([[transfer("R-1"), accept]], rows);
  expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
  expect(await statesOf(till)).toEqual({ "transfer R-1": "reversed" });
});

test("an accepted order stays accepted when the statement shows nothing", async () => {
  const { till } = await ordered([[transfer("R-1"), accept]], []);
  expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
  expect(await till.movements()).toMatchObject([{ state: "accepted", evidence: "answer" }]);
});

describe("one row never proves two orders", () => {
  const references = ["R-1", "R-2", "R-3"] as const;
  const arbitraryOrder = fc.record({
    kind: fc.constantFrom("withdraw", "transfer"),
    narration: fc.constantFrom("payout", "rent", "rent R-1"),
    says: fc.constantFrom(lose, accept),
  });
  const arbitraryRow = fc.record({
    tranRefNo: fc.constantFrom("FT1", "FT2", "REV-FT1", ...references),
    narration: fc.constantFrom(
      "payout",
      "rent",
      "payout R-1",
      "rent [R-1]",
      "rent [R-2]",
      "rent R-1 [R-3]",
      "payout (R-3)",
    ),
    isBack: fc.boolean(),
  });

  type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
  const linesOf = (orders: readonly Drawn<typeof arbitraryOrder>[]) =>
    orders.map(({ kind, narration, says }, index) => {
      const reference = references[index] ?? "";
      const line = kind === "transfer" ? transfer(reference, narration) : withdrawal(reference, "5", narration);
      return [line, says] as const;
    });
  // The minute distinguishes the rows in the journal's history.
  const written = (rows: readonly Drawn<typeof arbitraryRow>[]) =>
    rows.map(({ isBack, ...fields }, index) => {
      const whole = { ...fields, valueDate: `2026-03-31 12:0${index}:00`, balance: index };
      return isBack ? credit("5", whole) : debit("5", whole);
    });
  const drawn = [
    fc.array(arbitraryOrder, { minLength: 2, maxLength: 3 }),
    fc.array(arbitraryRow, { minLength: 1, maxLength: 4 }),
    fc.shuffledSubarray([...references], { minLength: 3 }),
  ] as const;
  test("by property, in any order of look-ups", async () => {
    await fc.assert(
      fc.asyncProperty(...drawn, async (orders, rows, turns) => {
        const { till } = await ordered(linesOf(orders), written(rows));
        for (const reference of turns) await till.run(`journal resolve ${reference}`);
        await till.run("journal resolve --all");
        const proofs = await proofsIn(till);
        expect(new Set(proofs).size).toBe(proofs.length);
      }),
      { numRuns: size(12, 250) },
    );
  });

  test("by property, when the statement is read first: before each order, or to recover a journal", async () => {
    await fc.assert(
      fc.asyncProperty(...drawn, fc.boolean(), async (orders, rows, turns, isRecovered) => {
        const { till, service } = await ordered([], written(rows));
        const recovered = isRecovered ? (await till.run("journal recover")).exit : 0;
        expect(recovered).toBe(0);
        const lines = linesOf(orders).map(([line, says]) => [line.replace(" never", " always"), says] as const);
        for (const again of ["", " --again"])
          for (const [line, says] of lines) {
            service.react(says);
            await till.run(line.replace(" --again", again));
          }
        for (const reference of turns) await till.run(`journal resolve ${reference}`);
        await till.run("journal resolve --all");
        const proofs = await proofsIn(till);
        expect(new Set(proofs).size).toBe(proofs.length);
      }),
      { numRuns: size(12, 250) },
    );
  });
});

/** The rows that proved the orders, as the journal names them. */
async function proofsIn(till: Till): Promise<string[]> {
  const movements = await till.movements();
  return movements
    .filter(({ evidence }) => evidence === "statement")
    .flatMap(({ note }) => note?.match(/2026-03-31 12:0\d:00/g) ?? []);
}
