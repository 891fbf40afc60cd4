import type { Movement } from "../../journal/movement.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import { perform } from "../../movements/perform.ts";
import type { WaitPlan } from "../../movements/waiting/waiting.ts";
import { performAndWait } from "../../movements/waiting/waiting.ts";
import type { Report } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { Session } from "../session.ts";
import { outcomeReport } from "./outcome.ts";
import { unasked } from "./checks/witness.ts";

/**
 * Reports that a reference is used, and the outcome of its order. It asks no question, since nothing is sent.
 * @param standing the order under that reference
 * @throws {Failure} usage where the reference belongs to another request | setup | interrupted
 */
export async function reportOrdered(
  order: MoneyOrder,
  standing: Movement,
  { tools, plan }: { readonly tools: MoneyTools; readonly plan: WaitPlan | undefined },
  session: Session,
): Promise<Report> {
  const { reference } = order;
  const when = `at ${minuteOf(standing.openedAt)} (${standing.state})`;
  await session.note(`Reference ${reference} was ordered before, ${when}. It is not sent again.`);
  // Another run may resolve it as refused meanwhile, and no person has confirmed sending it again.
  const repeatCheck = () => {
    throw new Failure("usage", `The order ${reference} was decided just now; nothing was sent.`, {
      hint: "Run the same command again.",
      money: "not moved",
      reference,
    });
  };
  const kept = { ...tools, witness: unasked.witness, repeatCheck };
  if (plan === undefined) return outcomeReport(await perform(order, kept), session);
  return outcomeReport(await performAndWait(order, kept, plan), session);
}

/** `2026-10-01 10:31`. */
function minuteOf(epochMs: number): string {
  return isoDarEsSalaam(epochMs).slice(0, "2026-10-01T10:31".length).replace("T", " ");
}
