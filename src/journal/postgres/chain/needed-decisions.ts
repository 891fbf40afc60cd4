import type { Fact } from "./facts.ts";
import { listOf, memberOf } from "./facts.ts";

/** What rules demanded of a batch. */
interface Demand {
  readonly approvals: number;
  /** Roles of the database: an approver from each. */
  readonly groups: readonly string[];
}

/** The demands of the rules, from JSON text of the database; empty where there were none. */
export function demandsIn(text: unknown): readonly Demand[] {
  return listOf(typeof text === "string" ? text : "[]").map((demand) => ({
    approvals: Number(Reflect.get(Object(demand), "approvals")),
    groups: listOf(JSON.stringify(Reflect.get(Object(demand), "groups"))).map(String),
  }));
}

/** When a batch's orders were claimed. */
interface TakenOrders {
  /** The events of the first and the last of these claims. */
  readonly first: number;
  readonly last: number;
  /** The last event before history began to record decisions: earlier decisions come right after it, in any order. */
  readonly began: number;
  /** How long an approval counted, in milliseconds. */
  readonly lives: number | undefined;
}

/**
 * What was missing when a batch's orders were claimed; undefined where nothing was. It takes at least two people: one
 * who submitted the batch, and another who approved exactly that.
 */
export function missingDecision(
  facts: readonly Fact[],
  orders: TakenOrders,
  demands: readonly Demand[],
): string | undefined {
  const submitted = facts.find(({ step }) => step === "submit");
  if (submitted === undefined) return "history does not know who submitted it";
  const digest = memberOf(submitted.body, "digest");
  const isBefore = ({ after }: Fact) => after < orders.first || after === orders.began;
  const { lives } = orders;
  /** By the server's clock. */
  const started = facts.find(({ step }) => step === "begin")?.at;
  if (lives !== undefined && started === undefined) return "nothing says when it began";
  const isAlive = ({ at }: Fact) => lives === undefined || started === undefined || at + lives >= started;
  const approved = facts.filter(
    (fact) => fact.step === "approve" && isBefore(fact) && memberOf(fact.body, "digest") === digest,
  );
  const alive = approved.filter((fact) => isAlive(fact));
  const expired = alive.length < approved.length ? "; approvals of it had expired" : "";
  const seen = new Set([submitted.by]);
  const counted = alive.filter(({ by, body }) => {
    const people = [by, ...listOf(memberOf(body, "acting_for")).map(String)];
    const isNew = !people.some((name) => seen.has(name));
    if (isNew) for (const name of people) seen.add(name);
    return isNew;
  });
  if (counted.length === 0) return `no other person had approved it before${expired}`;
  const groups = new Set(counted.flatMap(({ body }) => listOf(memberOf(body, "member_of")).map(String)));
  for (const demand of demands) {
    if (counted.length < demand.approvals)
      return `it had ${counted.length} of ${demand.approvals} approvals before${expired}`;
    const group = demand.groups.find((name) => !groups.has(name));
    if (group !== undefined) return `no one of ${group} had approved it before`;
  }
  const stopped = facts.find(({ step, after }) => (step === "reject" || step === "withdraw") && after < orders.last);
  return stopped === undefined ? undefined : `${stopped.by} had stopped it before (${stopped.step})`;
}
