/**
 * What only this file can put on an object, so that nothing made elsewhere fits the type `Claim`. Only `src/journal`
 * issues claims: `test/tidy` sees to it.
 */
export class Issued {
  readonly #isIssued = true;

  /** True for a claim that the journal made, whatever its type says. */
  static has(claim: object): boolean {
    return #isIssued in claim && claim.#isIssued;
  }
}

/** Makes a claim the journal's own. It is frozen: what it writes down can't be replaced by something that writes nothing. */
export function issue<T extends { readonly movement: object }>(claim: T): T & Issued {
  const issued = Object.assign(new Issued(), claim);
  Object.freeze(issued);
  Object.freeze(issued.movement);
  return issued;
}
