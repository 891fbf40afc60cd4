import { withoutSecrets, secretForms } from "../values/text/without-secrets.ts";

/**
 * A shorter secret, such as a made-up one, may occur in a reference or an amount by chance. Rows must not change then.
 */
const maskedMinChars = 8;

/**
 * The body with `[secret]` in place of a secret, even of one that is split between two pieces. All other bytes are
 * unchanged: the body need not be text.
 */
export async function* maskedBody(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  const forms = secret.length < maskedMinChars ? [] : secretForms(secret).map((form) => Buffer.from(form));
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    const arrived =
      held.length > 0 ? Buffer.concat([held, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const bytes = masked(arrived, forms, secret);
    const end = bytes.length - begunBytes(bytes, forms);
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (held.length > 0) yield held;
}

/** Latin-1 maps each byte to one character, and back. */
function masked(bytes: Buffer, forms: readonly Buffer[], secret: string): Buffer {
  if (!forms.some((form) => bytes.includes(form))) return bytes;
  return Buffer.from(withoutSecrets(bytes.toString("latin1"), [secret]), "latin1");
}

/** How many bytes at the end may be the beginning of a secret. */
function begunBytes(bytes: Buffer, forms: readonly Buffer[]): number {
  return Math.max(0, ...forms.map((form) => begunBytesOf(bytes, form)));
}

function begunBytesOf(bytes: Buffer, form: Buffer): number {
  let at = Math.max(0, bytes.length - form.length + 1);
  for (;;) {
    at = bytes.indexOf(form.subarray(0, 1), at);
    if (at === -1) return 0;
    if (form.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
    at += 1;
  }
}
