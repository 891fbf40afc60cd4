import type { SigningKey } from "../../../approvals/signing/key-store.ts";
import { signatureNamespace } from "./ssh-keygen.ts";

/** One name for every signer: in that file, a comma or a star in a role's name would have a special meaning. */
export const principal = "approver";

/** Keys as lines of an `allowed_signers` file, all of one person. */
export function signersOf(keys: readonly Pick<SigningKey, "text">[]): string {
  return keys.map(({ text }) => `${principal} namespaces="${signatureNamespace}" ${text}\n`).join("");
}
