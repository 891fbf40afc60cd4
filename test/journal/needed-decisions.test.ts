import { expect, test } from "vitest";
import type { Fact } from "../../src/journal/postgres/chain/facts.ts";
import { missingDecision } from "../../src/journal/postgres/chain/needed-decisions.ts";

// A batch whose orders were sent as events 20 to 30. History began to record decisions after event 5; an approval
// counts for ten seconds.

const orders = { first: 20, last: 30, began: 5, lives: 10_000 };
const one = [{ approvals: 1, groups: [] }];

function fact(
  step: string,
  by: string,
  changes: Partial<Fact> & { readonly said?: Readonly<Record<string, string>> } = {},
): Fact {
  const { said = {}, ...others } = changes;
  const body = JSON.stringify({ digest: "d", acting_for: "[]", member_of: "[]", ...said });
  return { number: 1, after: 10, step, at: 50_000, by, batch: "b", body, hash: null, ...others };
}

const submitted = fact("submit", "amina");
const approved = fact("approve", "baraka");
const begun = fact("begin", "runner", { after: 19, at: 60_000 });
const nobody = "no other person had approved it before";

test.each([
  ["another person before its first order", [submitted, approved, begun], undefined],
  ["nobody known", [approved, begun], "history does not know who submitted it"],
  ["nobody", [submitted, begun], nobody],
  ["the maker", [submitted, fact("approve", "amina"), begun], nobody],
  [
    "a deputy of the maker",
    [submitted, fact("approve", "baraka", { said: { acting_for: '["amina"]' } }), begun],
    nobody,
  ],
  ["one who saw other orders", [submitted, fact("approve", "baraka", { said: { digest: "e" } }), begun], nobody],
  ["one who only looked", [submitted, fact("look", "baraka"), begun], nobody],
  ["another person right before its first order", [submitted, { ...approved, after: 19 }, begun], undefined],
  ["another person after its first order", [submitted, { ...approved, after: 20 }, begun], nobody],
  ["another person ten seconds before it began", [submitted, { ...approved, at: 50_000 }, begun], undefined],
  [
    "another person longer before it began",
    [submitted, { ...approved, at: 49_999 }, begun],
    `${nobody}; approvals of it had expired`,
  ],
  ["another person, nobody knows when", [submitted, approved], "nothing says when it began"],
  [
    "one who had rejected it before its last order",
    [submitted, approved, begun, fact("reject", "neema", { after: 29 })],
    "neema had stopped it before (reject)",
  ],
  [
    "a maker who had withdrawn it",
    [submitted, approved, begun, fact("withdraw", "amina", { after: 29 })],
    "amina had stopped it before (withdraw)",
  ],
  [
    "one who rejected it when all had left",
    [submitted, approved, begun, fact("reject", "neema", { after: 30 })],
    undefined,
  ],
] as const)("orders that were approved by %s", (_, facts, missing) => {
  expect(missingDecision(facts, orders, one)).toBe(missing);
});

test("decisions from before the history recorded them must come directly after its beginning", () => {
  const before = { ...orders, first: 3, last: 4 };
  expect(missingDecision([submitted, { ...approved, after: 5 }, begun], before, one)).toBeUndefined();
  expect(missingDecision([submitted, { ...approved, after: 6 }, begun], before, one)).toBe(nobody);
});

test("when approvals never expire, the start of a batch need not be recorded", () => {
  const lasting = { ...orders, lives: undefined };
  expect(missingDecision([submitted, { ...approved, at: 0 }], lasting, one)).toBeUndefined();
});

test("every rule must be met, with its number of people and its groups", () => {
  const neema = fact("approve", "neema", { said: { member_of: '["treasury"]' } });
  const both = [submitted, approved, neema, begun];
  const rules = [
    { approvals: 1, groups: [] },
    { approvals: 2, groups: ["treasury"] },
  ];
  expect(missingDecision(both, orders, rules)).toBeUndefined();
  expect(missingDecision([submitted, approved, begun], orders, rules)).toBe("it had 1 of 2 approvals before");
  expect(missingDecision([submitted, approved, approved, begun], orders, rules)).toBe("it had 1 of 2 approvals before");
  const deputy = fact("approve", "neema", { said: { acting_for: '["baraka"]' } });
  expect(missingDecision([submitted, approved, deputy, begun], orders, rules)).toBe("it had 1 of 2 approvals before");
  const old = { ...neema, at: 1 };
  expect(missingDecision([submitted, approved, old, begun], orders, rules)).toBe(
    "it had 1 of 2 approvals before; approvals of it had expired",
  );
  const audit = [...rules, { approvals: 1, groups: ["treasury", "audit"] }];
  expect(missingDecision(both, orders, audit)).toBe("no one of audit had approved it before");
});
