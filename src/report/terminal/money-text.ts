import type { JsonValue } from "../../values/json.ts";
import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import { visible } from "../../values/text/text.ts";
import { textOf } from "../cell.ts";

/**
 * Both sides of a row as one amount: `+50,000.00` came in, `-1,500.00` went out. Text that isn't a valid amount is
 * unchanged.
 */
export function signedText(
  credit: JsonValue | undefined,
  debit: JsonValue | undefined,
  currency: string | undefined,
): string {
  const sides = [sideText(credit, 1, currency), sideText(debit, -1, currency)].filter((text) => text !== "");
  if (sides.length > 0) return sides.join(" ");
  return amountOf(credit) || amountOf(debit) ? formatMoney(Decimal.zero, currency) : "";
}

function sideText(value: JsonValue | undefined, sign: 1 | -1, currency: string | undefined): string {
  const amount = amountOf(value);
  if (amount === undefined) return visible(textOf(value));
  if (amount === null || amount.isZero) return "";
  const signed = sign === 1 ? amount : amount.negate();
  return (signed.sign > 0 ? "+" : "") + formatMoney(signed, currency);
}
