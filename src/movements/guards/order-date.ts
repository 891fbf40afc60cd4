import { daysAfter, daysBefore } from "../../evidence/rows/wallet-rows.ts";
import type { MovementKind } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import { counted } from "../../values/text/counted.ts";
import { Day } from "../../values/time/day.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { MoneyOrder } from "../order.ts";

/** Fields with a date that a person can give. */
const dateFields: Readonly<Partial<Record<MovementKind, string>>> = {
  withdraw: "transactionDate",
  remit: "paymentDate",
};

/** A warning where the order's date is too far from today for a statement row of that day to prove it. */
export function dateWarnings({ kind, input }: Pick<MoneyOrder, "kind" | "input">, today: Day): readonly string[] {
  const field = dateFields[kind];
  if (field === undefined) return [];
  const text = String(Reflect.get(input, field));
  const day = Day.parse(dayOfTimestamp(text) ?? text);
  const days = day === undefined ? 0 : today.daysUntil(day);
  if (day === undefined || (days >= daysBefore && days <= daysAfter)) return [];
  const distance = `${counted(Math.abs(days), "day")} ${days < 0 ? "before" : "after"} today (${today.toString()})`;
  return [`The ${movementNouns[kind]} is dated ${day.toString()}, ${distance}.`];
}
