import { BodyTooLarge } from "../server/listener.ts";
import { codeOf } from "../system-error.ts";

/** A body that isn't in the encoding its header names. */
export class BadEncoding extends Error {
  override readonly name = "BadEncoding";
}

/**
 * The unpacked body. Nothing beyond `maxBytes` is unpacked: a small body that would become a huge one does no harm.
 * @returns undefined for an unknown encoding
 * @throws {BodyTooLarge} | {BadEncoding}
 */
export function unpacked(body: Uint8Array, encoding: string | undefined, maxBytes: number): Uint8Array | undefined {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  if (name !== "gzip" && name !== "x-gzip") return undefined;
  try {
    return process.getBuiltinModule("node:zlib").gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (codeOf(cause) === "ERR_BUFFER_TOO_LARGE") throw new BodyTooLarge(`The body has more than ${maxBytes} bytes`);
    throw new BadEncoding("The body is not gzip", { cause });
  }
}
