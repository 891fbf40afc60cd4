/** Spec 2.6 names `-PAYIN`; the fees of disbursements end in `-PAYOUT`. */
const feeSuffix = /-(?:PAYIN|PAYOUT)$/;

/** True for the reference of a row that is the service's fee for another row. */
export function isFeeReference(reference: string): boolean {
  return feeSuffix.test(reference);
}

/** The reference without a fee's suffix: the row's own, or that of the row which the fee is for. */
export function parentReference(reference: string): string {
  return reference.replace(feeSuffix, "");
}
