import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Claim, Journal, SettledState } from "../../src/journal/journal.ts";
import { size } from "./long.ts";
import { fakeProcesses, newPlace, openPlace, orderOf } from "./orders.ts";

const outcome = fc.constantFrom<SettledState>("accepted", "pending", "refused", "unsent", "unknown");
const actor = fc.nat({ max: 1 });
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("order" as const), actor, until: fc.nat({ max: 2 }), outcome }),
  },
  fc.record({ does: fc.constant("send" as const), actor }),
  fc.record({ does: fc.constant("settle" as const), actor, outcome }),
  fc.record({ does: fc.constant("end" as const), actor, isSeen: fc.boolean() }),
  fc.record({
    does: fc.constant("decide" as const),
    actor,
    state: fc.constantFrom("accepted" as const, "refused" as const),
  }),
);
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

test("an order that may have moved money is never sent again, whatever happens to its processes", async () => {
  const play = fc.asyncProperty(fc.array(deed, { minLength: 3, maxLength: 25 }), async (deeds) => {
    const stage = await openStage();
    for (const next of deeds) await stage.perform(next);
    await stage.clear();
    expect(stage.violations).toEqual([]);
  });
  await fc.assert(play, { numRuns: size(30, 3000) });
}, 3_600_000);

interface Actor {
  readonly name: string;
  readonly journal: Journal;
  claim: Claim | undefined;
}

/** Two processes that order one reference, with a record of their own of whether money may have moved. */
async function openStage() {
  const processes = fakeProcesses();
  const place = newPlace();
  const violations: string[] = [];
  let mayHaveMoved = false;
  let started = 0;
  const enter = async (): Promise<Actor> => {
    const name = `process ${(started += 1)}`;
    return { name, journal: await openPlace(place, { host: processes.start(name) }), claim: undefined };
  };
  const actors: [Actor, Actor] = [await enter(), await enter()];

  const order = async (actor: Actor): Promise<void> => {
    const opening = await actor.journal.open(orderOf());
    if (opening.outcome === "exists") return;
    if (mayHaveMoved) violations.push("what may have moved was given away");
    actor.claim = opening.claim;
  };
  const send = ({ claim }: Actor): void => {
    try {
      claim?.beforeFirstByte("request");
    } catch {
      return;
    }
    if (claim === undefined) return;
    if (mayHaveMoved) violations.push("what may have moved was sent");
    mayHaveMoved = true;
  };
  const settle = async ({ journal, claim }: Actor, outcome: SettledState): Promise<void> => {
    // An order that was not sent has no other outcome.
    const state = (await journal.find(orderOf()))?.state === "prepared" ? "unsent" : outcome;
    const settled = await claim?.settle({ state }).catch(() => undefined);
    if (settled !== undefined && (state === "refused" || state === "unsent")) mayHaveMoved = false;
  };
  const decide = async ({ journal }: Actor, state: "accepted" | "refused"): Promise<void> => {
    const movement = await journal.find(orderOf());
    if (movement === undefined) return;
    const { outcome } = await journal.resolve(movement, { state, evidence: "person" });
    if (outcome === "resolved" || outcome === "confirmed") mayHaveMoved = state === "accepted";
  };
  return {
    violations,
    async perform(deed: Deed): Promise<void> {
      const index = deed.actor === 0 ? 0 : 1;
      const actor = actors[index];
      if (deed.does === "send") send(actor);
      else if (deed.does === "settle") await settle(actor, deed.outcome);
      else if (deed.does === "decide") await decide(actor, deed.state);
      else if (deed.does === "order") {
        await order(actor);
        if (deed.until > 0) send(actor);
        if (deed.until > 1) await settle(actor, deed.outcome);
      } else {
        await actor.journal.close();
        if (deed.isSeen) processes.end(actor.name);
        else processes.lose(actor.name);
        actors[index] = await enter();
      }
    },
    async clear(): Promise<void> {
      const state = (await actors[0].journal.find(orderOf()))?.state ?? "not there";
      const tellsOfIt = ["sending", "accepted", "pending", "unknown"].includes(state);
      if (mayHaveMoved && !tellsOfIt) violations.push(`what may have moved is ${state}`);
      await actors[0].journal.verify();
      for (const { journal } of actors) await journal.close();
    },
  };
}
