/** For each redacted line, by its number: the stored hash, and the hash of its current content. */
export type RedactedHashes = ReadonlyMap<string, readonly [kept: string, made: string]>;

/** The hashes in a `redact` line; empty for any other text. */
export function redactedIn(text: string): RedactedHashes {
  return new Map(
    Object.entries(objectIn(text)).flatMap(([number, pair]): [string, [string, string]][] => {
      const [kept, made]: unknown[] = Array.isArray(pair) ? pair : [];
      return typeof kept === "string" && typeof made === "string" ? [[number, [kept, made]]] : [];
    }),
  );
}

function objectIn(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
