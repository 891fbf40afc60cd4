import type { SigningKey } from "../../../approvals/signing/key-store.ts";
import { signatureNamespace } from "./ssh-keygen.ts";

/** A role's name may have a comma or a star in it, which mean something there. */
export const principal = "approver";

/** Keys as lines of an `allowed_signers` file, all of one person. */
export function signersOf(keys: readonly Pick<SigningKey, "text">[]): string {
  return keys.map(({ text }) => `${principal} namespaces="${signatureNamespace}" ${text}\n`).join("");
}
