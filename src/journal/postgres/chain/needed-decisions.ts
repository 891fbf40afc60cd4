import type { Fact } from "./facts.ts";
import { listOf, memberOf } from "./facts.ts";

/** What rules asked of a batch. */
interface Demand {
  readonly approvals: number;
  /** Roles of the database: an approver from each. */
  readonly groups: readonly string[];
}

/** What the database says that rules asked: JSON text, or nothing where there were none. */
export function demandsIn(text: unknown): readonly Demand[] {
  return listOf(typeof text === "string" ? text : "[]").map((demand) => ({
    approvals: Number(Reflect.get(Object(demand), "approvals")),
    groups: listOf(JSON.stringify(Reflect.get(Object(demand), "groups"))).map(String),
  }));
}

/**
 * What was missing when orders of a batch were taken up; undefined where nothing was. Two people at least: the one who
 * submitted it, and another who approved exactly that.
 * @param orders the events with which the first and the last of them was, and the last event before history began to
 * take decisions in: what was decided by then stands behind it, in whichever order that was
 */
export function missingDecision(
  facts: readonly Fact[],
  orders: { readonly first: number; readonly last: number; readonly began: number },
  demands: readonly Demand[],
): string | undefined {
  const submitted = facts.find(({ step }) => step === "submit");
  if (submitted === undefined) return "history does not know who submitted it";
  const digest = memberOf(submitted.body, "digest");
  const isBefore = ({ after }: Fact) => after < orders.first || after === orders.began;
  const approved = facts.filter(
    (fact) => fact.step === "approve" && isBefore(fact) && memberOf(fact.body, "digest") === digest,
  );
  const seen = new Set([submitted.by]);
  const counted = approved.filter(({ by, body }) => {
    const people = [by, ...listOf(memberOf(body, "acting_for")).map(String)];
    const isNew = !people.some((name) => seen.has(name));
    if (isNew) for (const name of people) seen.add(name);
    return isNew;
  });
  if (counted.length === 0) return "no other person had approved it before";
  const groups = new Set(counted.flatMap(({ body }) => listOf(memberOf(body, "member_of")).map(String)));
  for (const demand of demands) {
    if (counted.length < demand.approvals) return `it had ${counted.length} of ${demand.approvals} approvals before`;
    const group = demand.groups.find((name) => !groups.has(name));
    if (group !== undefined) return `no one of ${group} had approved it before`;
  }
  const stopped = facts.find(({ step, after }) => (step === "reject" || step === "withdraw") && after < orders.last);
  return stopped === undefined ? undefined : `${stopped.by} had stopped it before (${stopped.step})`;
}
