/** For each redacted line, by its number: the stored hash, and the hash of its current content. */
export type RedactedHashes = ReadonlyMap<string, readonly [kept: string, made: string]>;

/** A line whose hash may differ from the hash of its current content. */
interface LineHashes {
  readonly number: string;
  /** The stored hash, which the next line continues. */
  readonly hash: string;
  /** Hashes that its current content may have. */
  readonly made: readonly string[];
}

/**
 * Redacted lines of history keep their hashes. A later line of the chain has the former and the new hash of each. A
 * line that differs without such an entry was changed.
 */
export class RedactedLines {
  readonly #waiting = new Map<string, LineHashes>();

  /** Checks the next line of the chain. */
  see(line: LineHashes, said: { readonly step: string; readonly replaced: string | null }): void {
    if (!line.made.includes(line.hash)) this.#waiting.set(line.number, line);
    else if (said.step === "redact") this.#settle(said.replaced ?? "");
  }

  /** The first changed line, at the end of the chain; undefined where there is none. */
  get changed(): string | undefined {
    return this.#waiting.keys().next().value;
  }

  #settle(text: string): void {
    for (const [number, [hash, made]] of redactedIn(text)) {
      const line = this.#waiting.get(number);
      if (line !== undefined && line.hash === hash && line.made.includes(made)) this.#waiting.delete(number);
    }
  }
}

/** The hashes in a `redact` line; empty for any other text. */
function redactedIn(text: string): RedactedHashes {
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
