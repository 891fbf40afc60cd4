import { Decimal } from "../../values/money/decimal.ts";

/** Spec is silent on fees, except for their rows: here, two percent of a collection, rounded up to a whole unit. */
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

/** The fee of a payout: one percent, rounded the same way. Spec is silent. */
export function payoutFee(amount: Decimal): Decimal {
  return feeOf(amount, payoutPerHundred);
}

/** The narration of a fee's row, which names its parent. */
export function feeNarration(reference: string, transactionId: string): string {
  return `SERVICE FEE FOR REF:${reference} TXNID:${transactionId}`;
}
