import { Decimal } from "../values/money/decimal.ts";
import type { Break } from "./ledger.ts";

/** By how much a balance jumps; nothing where the service does not say one of the two. */
export function gapOf({ left, found }: Pick<Break, "left" | "found">): Decimal {
  return left === null || found === null ? Decimal.zero : found.subtract(left);
}
