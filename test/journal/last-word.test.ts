import { expect, test } from "vitest";
import { newPlace, openPlace, sendOrder } from "./orders.ts";

test("a callback's last word can be that nobody knows; the statement decides after it", async () => {
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

test("a person's word is not undone by a callback that knows nothing", async () => {
  const journal = await openPlace(newPlace());
  const { id } = await (await sendOrder(journal, "INV-1")).settle({ state: "unknown" });
  await journal.resolve({ id, attempt: 1 }, { state: "refused", evidence: "person", note: "they said no" });
  const said = await journal.resolve({ id, attempt: 1 }, { state: "unknown", evidence: "callback" });
  expect(said).toMatchObject({ outcome: "contradicted", movement: { state: "refused", evidence: "person" } });
});
