import { createHash } from "node:crypto";
import { signingKeyTypes } from "../../journal/postgres/chain/keys-sql.ts";

/** A public key, as `ssh-keygen` writes it into a file whose name ends in .pub. */
export interface PublicKey {
  /** Type and key with a space between them: the form in which keys are compared. */
  readonly text: string;
  readonly type: string;
  readonly comment: string;
}

/** The key in a line of such a file; undefined where it can't sign. */
export function readPublicKey(line: string): PublicKey | undefined {
  const [, type = "", key = "", comment = ""] = /^(\S+) ([A-Za-z0-9+/]+={0,2})(?: (.*))?$/.exec(line.trim()) ?? [];
  if (!signingKeyTypes.some((known) => known === type)) return undefined;
  const bytes = Buffer.from(key, "base64");
  // The key's bytes begin with the length of its type and the type itself.
  const isItself = bytes.length > 4 && bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString("latin1") === type;
  return isItself ? { text: `${type} ${key}`, type, comment: comment.trim() } : undefined;
}

/** The fingerprint, as `ssh-keygen -l` shows it. */
export function fingerprintOf(text: string): string {
  const [, key = ""] = text.split(" ");
  const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
  return `SHA256:${hash.replace(/=$/, "")}`;
}
