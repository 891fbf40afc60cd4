import { redactedIn } from "./redacted-in.ts";

/** A line whose hash may not be the one that what it says now would get. */
interface LineHashes {
  readonly number: string;
  /** The one that stands with it: by it the next line follows. */
  readonly hash: string;
  /** What it says now may get one of these. */
  readonly made: readonly string[];
}

/**
 * Lines of history that personal data was taken out of keep the hash that they had. A later line says of each what it
 * was, and what the line says since; that line is in the chain itself. A line that none speaks of was changed.
 */
export class RedactedLines {
  readonly #waiting = new Map<string, LineHashes>();

  /** Looks at the next line of the chain. */
  see(line: LineHashes, said: { readonly step: string; readonly replaced: string | null }): void {
    if (!line.made.includes(line.hash)) this.#waiting.set(line.number, line);
    else if (said.step === "redact") this.#settle(said.replaced ?? "");
  }

  /** The first line that was changed, when the chain is at its end; undefined where none was. */
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
