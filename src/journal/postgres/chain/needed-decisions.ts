import type { Fact } from "./facts.ts";
import { memberOf } from "./facts.ts";

/**
 * What was missing when orders of a batch were taken up; undefined where nothing was. Two people at least: the one who
 * submitted it, and another who approved exactly that.
 * @param orders the events with which the first and the last of them was
 */
export function missingDecision(
  facts: readonly Fact[],
  orders: { readonly first: number; readonly last: number },
): string | undefined {
  const submitted = facts.find(({ step }) => step === "submit");
  if (submitted === undefined) return "history does not know who submitted it";
  const digest = memberOf(submitted.body, "digest");
  const approved = facts.filter(
    ({ step, after, by, body }) =>
      step === "approve" && after < orders.first && by !== submitted.by && memberOf(body, "digest") === digest,
  );
  if (approved.length === 0) return "no other person had approved it before";
  const stopped = facts.find(({ step, after }) => (step === "reject" || step === "withdraw") && after < orders.last);
  return stopped === undefined ? undefined : `${stopped.by} had stopped it before (${stopped.step})`;
}
