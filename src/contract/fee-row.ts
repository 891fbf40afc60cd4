/** Spec 2.6: the ending of the reference of a fee for money that came in. */
export const paidInSuffix = "-PAYIN";
/** The fees of disbursements end in `-PAYOUT`. */
export const feeSuffixes: readonly string[] = [paidInSuffix, "-PAYOUT"];

/** True for the reference of a row that is the service's fee for another row. */
export function isFeeReference(reference: string): boolean {
  return feeSuffixes.some((suffix) => reference.endsWith(suffix));
}

/** The texts of a row by which a fee is recognized. */
interface FeeTexts {
  readonly reference: string;
  readonly narration: string;
}

/** The beginning of a fee's narration, with the reference that it names. */
const feeNarration = /^SERVICE FEE FOR REF:\s*(\S*)/i;

/** True for a row that is the service's fee, by its reference or by its narration. */
export function isFeeRow({ reference, narration }: FeeTexts): boolean {
  return isFeeReference(reference) || feeNarration.test(narration);
}

/** The reference of the row that a fee is for; empty where the fee does not say. */
export function feeParent({ reference, narration }: FeeTexts): string {
  if (isFeeReference(reference)) return parentReference(reference);
  return feeNarration.exec(narration)?.[1] ?? "";
}

/** The reference without a fee's suffix: that of the row which the fee is for; other references are unchanged. */
export function parentReference(reference: string): string {
  const suffix = feeSuffixes.find((ending) => reference.endsWith(ending)) ?? "";
  return reference.slice(0, reference.length - suffix.length);
}

const tied = /^SERVICE FEE FOR REF:\s*(\S+) TXNID:\s*(\S+)/i;

/**
 * The service's id in the row of a payout's fee: the payout's own row may have it instead of our reference. Undefined
 * for any other row, and where the narration names another reference than the row's.
 */
export function paidIdIn(reference: string, narration: string): string | undefined {
  if (!reference.endsWith("-PAYOUT")) return undefined;
  const [, named, id] = tied.exec(narration) ?? [];
  return named === parentReference(reference) ? id : undefined;
}
