import { amountOf } from "../values/money/amount.ts";
import { ambiguity } from "../values/money/amount-marks.ts";
import { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import type { RemittanceDraft } from "./draft.ts";

/** The fields of a remittance's amounts and rate. */
export const rateFields = ["senderCurrency", "senderAmount", "exchangeRate", "receiverAmount"] as const;

/** How far the two amounts may differ at the rate: what rounding explains. */
const oneShilling = new Decimal(1n, 0);
const sameCurrencyRate = new Decimal(1n, 0);

/** The sender's amount converted at the rate, exactly. */
export function convertedAmount(draft: RemittanceDraft): Decimal | undefined {
  const [amount, rate] = [amountOf(draft.get("senderAmount")), amountOf(draft.get("exchangeRate"))];
  if (!amount || !rate) return undefined;
  return new Decimal(amount.units * rate.units, amount.scale + rate.scale);
}

/** The same in whole shillings, rounded down: the receiver's amount has no cents. */
export function wholeShillings(draft: RemittanceDraft): string | undefined {
  return convertedAmount(draft)?.toString().split(".")[0];
}

/**
 * How a rate is read if its point may have been meant for thousands, as in `2.650`; undefined where it is unambiguous.
 */
export function rateReading(draft: RemittanceDraft): string | undefined {
  const text = draft.get("exchangeRate") ?? "";
  const rate = ambiguity(text) === undefined ? undefined : amountOf(text);
  if (!rate) return undefined;
  const currency = draft.get("senderCurrency") ?? "unit";
  const other = text.replace(".", "");
  return `exchangeRate ${text} is read as ${rate.trimmed()} shillings for one ${currency}, not as ${other}.`;
}

/**
 * A warning when shillings are converted into shillings at another rate than 1, or when the receiver's amount and the
 * sender's amount at the rate are more than a shilling apart.
 */
export function rateWarning(draft: RemittanceDraft): string | undefined {
  const expected = convertedAmount(draft);
  const given = amountOf(draft.get("receiverAmount"));
  if (expected === undefined || !given) return undefined;
  const [amount, rate] = [amountOf(draft.get("senderAmount")), amountOf(draft.get("exchangeRate"))];
  if (draft.get("senderCurrency") === "TZS" && amount && rate && rate.compare(sameCurrencyRate) !== 0) {
    const [pays, gets] = [amount, given].map((each) => formatMoney(each, "TZS"));
    return `The sender pays in shillings as well, and the rate is ${rate.trimmed()}: for ${pays} TZS the receiver would get ${gets} TZS.`;
  }
  if (given.subtract(expected).abs().compare(oneShilling) <= 0) return undefined;
  const [sent, received] = [expected, given].map((amount) => formatMoney(amount, "TZS"));
  return `At that rate the sender's amount is ${sent} TZS; the receiver would get ${received} TZS.`;
}
