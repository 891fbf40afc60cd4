/** Spec 2.6 names `-PAYIN`; the fees of disbursements end in `-PAYOUT`. */
export const feeSuffixes: readonly string[] = ["-PAYIN", "-PAYOUT"];

/** True for the reference of a row that is the service's fee for another row. */
export function isFeeReference(reference: string): boolean {
  return feeSuffixes.some((suffix) => reference.endsWith(suffix));
}

/** The reference without a fee's suffix: the row's own, or that of the row which the fee is for. */
export function parentReference(reference: string): string {
  const suffix = feeSuffixes.find((ending) => reference.endsWith(ending)) ?? "";
  return reference.slice(0, reference.length - suffix.length);
}
