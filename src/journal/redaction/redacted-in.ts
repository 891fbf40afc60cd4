/** Of each redacted line by its number: the hash that it keeps, and the one that what it says since would get. */
export type RedactedHashes = ReadonlyMap<string, readonly [kept: string, made: string]>;

/** What a `redact` line says of others; nothing where the text is none of ours. */
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
