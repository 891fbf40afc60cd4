/**
 * A brand that only this file can put on an object, so that nothing made elsewhere fits the type `Claim`. Only
 * `src/journal` issues claims, which `test/tidy` checks.
 */
export class Issued {
  readonly #isIssued = true;

  /** True for a claim that the journal made, whatever its type says. */
  static has(claim: object): boolean {
    return #isIssued in claim && claim.#isIssued;
  }
}

/** Brands a claim as the journal's own and freezes it: methods that record can't be replaced by methods that don't. */
export function issue<T extends { readonly movement: object }>(claim: T): T & Issued {
  const issued = Object.assign(new Issued(), claim);
  Object.freeze(issued);
  Object.freeze(issued.movement);
  return issued;
}
