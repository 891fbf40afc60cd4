import type { PublicKey } from "../../../approvals/signing/public-key.ts";
import { readPublicKey } from "../../../approvals/signing/public-key.ts";
import { fileFailureOf } from "../../../host/files/file-reason.ts";
import { Failure } from "../../../values/failure.ts";
import { namePath } from "../../../values/text/path-name.ts";
import type { Session } from "../../session.ts";

const keyMaxBytes = 64 * 1024;

/**
 * The public key in a file.
 * @throws {Failure} usage for a file that has none, such as the private half
 */
export async function readKeyFile(path: string, { host }: Session): Promise<PublicKey> {
  const bytes = await host.files.read(path, keyMaxBytes).catch((cause: unknown) => {
    const message = `${namePath(path)} cannot be read: ${fileFailureOf(cause)}.`;
    throw new Failure("usage", message, { hint: exampleHint, cause });
  });
  const text = new TextDecoder().decode(bytes).trim();
  const key = text.includes("\n") ? undefined : readPublicKey(text);
  if (key !== undefined) return key;
  const isPrivate = text.startsWith("-----BEGIN");
  const what = isPrivate ? "is a private key, which stays with you" : "has no public SSH key that can sign";
  throw new Failure("usage", `This file ${what}; nothing was registered.`, { hint: exampleHint });
}

const exampleHint = "Give the public half: partner approvals key add ~/.ssh/id_ed25519.pub";
