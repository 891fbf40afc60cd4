import { expect, test } from "vitest";
import { accountScope } from "../../src/journal/account-name.ts";
import { mayPass, movementStates, steps, strongerEvidence } from "../../src/journal/movement.ts";

const ways = steps.flatMap((step) =>
  movementStates.flatMap((from) =>
    movementStates.filter((to) => mayPass(step, from, to)).map((to) => ({ step, from, to })),
  ),
);

test("what may have left can only become an outcome, never an order to send", () => {
  const left = ways.filter(({ from }) => ["sending", "pending", "unknown", "accepted"].includes(from));
  expect(left.filter(({ to }) => to === "prepared" || to === "sending")).toEqual([]);
});

test("only what is prepared is sent, and only what did not move is prepared again", () => {
  expect(ways.filter(({ to }) => to === "sending")).toEqual([{ step: "send", from: "prepared", to: "sending" }]);
  expect(ways.filter(({ to }) => to === "prepared").map(({ from }) => from)).toEqual(["prepared", "refused", "unsent"]);
});

test("a final state changes by a new order, a correction or a dispute alone, or because money came back", () => {
  const final: ReadonlySet<string> = new Set(["accepted", "refused", "reversed", "unsent"]);
  const changes = ways.filter(({ from, to }) => final.has(from) && from !== to && to !== "reversed");
  expect(new Set(changes.map(({ step }) => step))).toEqual(new Set(["claim", "overrule", "dispute"]));
});

test("a dispute leads to nothing but unknown, and the statement or a person out of it", () => {
  expect(new Set(ways.filter(({ step }) => step === "dispute").map(({ to }) => to))).toEqual(new Set(["unknown"]));
});

test("evidence only grows", () => {
  expect(strongerEvidence("statement", "person")).toBe("statement");
  expect(strongerEvidence("answer", "callback")).toBe("callback");
  expect(strongerEvidence(null, "answer")).toBe("answer");
  expect(strongerEvidence(null, null)).toBeNull();
});

test("an account is the same one under whatever name a profile has", () => {
  const account = { environment: "live", baseUrl: "https://pay.example", accountId: "A-1" };
  expect(accountScope({ ...account })).toBe("live https://pay.example A-1");
  expect(accountScope({ ...account, environment: "sandbox" })).not.toBe(accountScope(account));
});
