import { Decimal } from "../../values/money/decimal.ts";

/** Spec is silent on fees but for their rows: two percent of a collection, rounded up to a whole unit. */
const collectionPerHundred = 2n;
const payoutPerHundred = 1n;

/** The fee of a collection; never more than its amount. */
export function collectionFee(amount: Decimal): Decimal {
  return feeOf(amount, collectionPerHundred);
}

function feeOf(amount: Decimal, perHundred: bigint): Decimal {
  const hundredths = 10n ** BigInt(amount.scale) * 100n;
  const whole = (amount.units * perHundred + hundredths - 1n) / hundredths;
  const fee = new Decimal(whole, 0);
  return fee.compare(amount) > 0 ? amount : fee;
}

/** Spec is silent: one percent of a payout, by the same rounding. */
export function payoutFee(amount: Decimal): Decimal {
  return feeOf(amount, payoutPerHundred);
}

/** What a fee row says of its parent. */
export function feeNarration(reference: string, transactionId: string): string {
  return `SERVICE FEE FOR REF:${reference} TXNID:${transactionId}`;
}
