import { daysAfter, daysBefore } from "../../evidence/rows/wallet-rows.ts";
import { dayIn } from "../../journal/requests/movement-request.ts";
import { movementNouns } from "../../journal/movement.ts";
import { counted } from "../../values/text/counted.ts";
import type { Day } from "../../values/time/day.ts";
import type { MoneyOrder } from "../order.ts";

/** A warning where the order's date is too far from today for a statement row of that day to prove it. */
export function dateWarnings({ kind, input }: Pick<MoneyOrder, "kind" | "input">, today: Day): readonly string[] {
  const day = dayIn(kind, input);
  const days = day === undefined ? 0 : today.daysUntil(day);
  if (day === undefined || (days >= daysBefore && days <= daysAfter)) return [];
  const distance = `${counted(Math.abs(days), "day")} ${days < 0 ? "before" : "after"} today (${today.toString()})`;
  return [`The ${movementNouns[kind]} is dated ${day.toString()}, ${distance}.`];
}
