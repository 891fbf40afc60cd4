import { expect, test } from "vitest";
import { accountScope } from "../../src/journal/account-name.ts";
import { mayPass, movementStates, steps, strongerEvidence } from "../../src/journal/movement.ts";

const ways = steps.flatMap((step) =>
  movementStates.flatMap((from) =>
    movementStates.filter((to) => mayPass(step, from, to)).map((to) => ({ step, from, to })),
  ),
);

test("an order that may have been sent can only get an outcome, and is never sent again", () => {
  const left = ways.filter(({ from }) => ["sending", "pending", "unknown", "accepted"].includes(from));
  expect(left.filter(({ to }) => to === "prepared" || to === "sending")).toEqual([]);
});

test("only a prepared order is sent, and only an order without movement is prepared again", () => {
  expect(ways.filter(({ to }) => to === "sending")).toEqual([{ step: "send", from: "prepared", to: "sending" }]);
  expect(ways.filter(({ to }) => to === "prepared").map(({ from }) => from)).toEqual(["prepared", "refused", "unsent"]);
});

test("only a new order, a correction, a dispute or returned money changes a final state", () => {
  const final: ReadonlySet<string> = new Set(["accepted", "refused", "reversed", "unsent"]);
  const changes = ways.filter(({ from, to }) => final.has(from) && from !== to && to !== "reversed");
  expect(new Set(changes.map(({ step }) => step))).toEqual(new Set(["claim", "overrule", "dispute"]));
});

test("a dispute leads only to unknown, and the statement or a person lead out of it", () => {
  expect(new Set(ways.filter(({ step }) => step === "dispute").map(({ to }) => to))).toEqual(new Set(["unknown"]));
});

test("evidence never becomes weaker", () => {
  expect(strongerEvidence("statement", "person")).toBe("statement");
  expect(strongerEvidence("answer", "callback")).toBe("callback");
  expect(strongerEvidence(null, "answer")).toBe("answer");
  expect(strongerEvidence(null, null)).toBeNull();
});

test("an account's scope does not depend on the name of the profile", () => {
  const account = { environment: "live", baseUrl: "https://pay.example", accountId: "A-1" };
  expect(accountScope({ ...account })).toBe("live https://pay.example A-1");
  expect(accountScope({ ...account, environment: "sandbox" })).not.toBe(accountScope(account));
});
