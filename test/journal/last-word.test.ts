import { expect, test } from "vitest";
import { newPlace, openPlace, sendOrder } from "./orders.ts";

test("a callback may finally say that the outcome is unknown, and then the statement decides", async () => {
  const journal = await openPlace(newPlace());
  const { id } = await (await sendOrder(journal, "INV-1")).settle({ state: "pending", response: "{}" });
  const note = "The callback said GENERIC_ERROR";
  const said = await journal.resolve({ id, attempt: 1 }, { state: "unknown", evidence: "callback", note });
  expect(said).toMatchObject({ outcome: "resolved", movement: { state: "unknown", note, settledAt: null } });
  const seen = await journal.resolve({ id, attempt: 1 }, { state: "accepted", evidence: "statement" });
  expect(seen).toMatchObject({ outcome: "resolved", movement: { state: "accepted", evidence: "statement" } });
  const late = await journal.resolve({ id, attempt: 1 }, { state: "unknown", evidence: "callback", note });
  expect(late).toMatchObject({ outcome: "contradicted", movement: { state: "accepted" } });
  expect((await journal.events(id)).map(({ step, to }) => `${step} ${to}`)).toEqual([
    "claim prepared",
    "send sending",
    "settle pending",
    "resolve unknown",
    "resolve accepted",
    "contradict unknown",
  ]);
  expect(await journal.verify()).toEqual({ movements: 1, events: 6 });
});

test("a callback with an unknown outcome does not undo a person's word", async () => {
  const journal = await openPlace(newPlace());
  const { id } = await (await sendOrder(journal, "INV-1")).settle({ state: "unknown" });
  await journal.resolve({ id, attempt: 1 }, { state: "refused", evidence: "person", note: "they said no" });
  const said = await journal.resolve({ id, attempt: 1 }, { state: "unknown", evidence: "callback" });
  expect(said).toMatchObject({ outcome: "contradicted", movement: { state: "refused", evidence: "person" } });
});
