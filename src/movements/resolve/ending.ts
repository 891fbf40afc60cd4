import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import type { Resolved } from "./resolve.ts";

/** An order that is pending for longer than this needs a person. */
const pendingMaxMs = 24 * 3_600_000;

/** How a run that asked about every open order ends; undefined where none needs a person. */
export function openEnding(resolved: readonly Resolved[], nowMs: number): Failure | undefined {
  const unknown = resolved.filter(({ movement, isUnread }) => movement.state === "unknown" || isUnread === true);
  const [first] = unknown;
  if (first !== undefined && resolved.length === 1 && first.isUnread !== true) return first.ending;
  if (first !== undefined) {
    const stillAre = unknown.length === 1 ? "is" : "are";
    return new Failure(
      "unknown",
      `${unknown.length} of ${counted(resolved.length, "order")} ${stillAre} still unknown.`,
      {
        hint: "Look again later, or say what you know: partner journal resolve KEY --as accepted|refused --evidence TEXT",
        money: "unknown",
      },
    );
  }
  const late = resolved.filter(
    ({ movement: { state, openedAt } }) => state === "pending" && nowMs - openedAt > pendingMaxMs,
  );
  if (late.length === 0) return undefined;
  const are = late.length === 1 ? "is" : "are";
  return new Failure("pending", `${counted(late.length, "order")} ${are} pending for more than a day.`, {
    hint: "Ask the service about them: partner journal list --state pending --older-than 1d",
    money: "unknown",
  });
}
