import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import type { Resolved } from "./resolve.ts";

/** An order that is pending for longer than this needs a person. */
const pendingMaxMs = 24 * 3_600_000;

/** How a run that asked about every open order ends; undefined where none needs a person. */
export function openEnding(resolved: readonly Resolved[], nowMs: number): Failure | undefined {
  const unknown = resolved.filter(({ movement }) => movement.state === "unknown");
  const unread = resolved.filter(({ movement, isUnread }) => movement.state !== "unknown" && isUnread === true);
  const [first] = unknown;
  if (first !== undefined && resolved.length === 1 && first.isUnread !== true) return first.ending;
  if (unknown.length + unread.length > 0)
    return new Failure("unknown", openWords(unknown.length, unread.length, resolved.length), {
      hint: "Look again later, or say what you know: partner journal resolve KEY --as accepted|refused --evidence TEXT",
      money: "unknown",
    });
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

/** A pending order whose statement was not read is no unknown one. */
function openWords(unknown: number, unread: number, all: number): string {
  const notLookedUp = "could not be looked up.";
  if (unknown === 0) return `${unread} of ${counted(all, "order")} ${notLookedUp}`;
  const open = `${unknown} of ${counted(all, "order")} ${unknown === 1 ? "is" : "are"} still unknown`;
  return unread === 0 ? `${open}.` : `${open}, and ${unread} more ${notLookedUp}`;
}
