import { hash } from "node:crypto";

/** A statement that comes back so often has a name: the server plans it once. A short command never gets there. */
const namedFrom = 3;
/** Of one database; what is written with other numbers of rows each time would fill the server's memory. */
const maxTexts = 200;
const textMaxLength = 16_384;
/** Of the server: a longer one is cut off. */
const nameMaxLength = 63;
/**
 * No statement of that name, another one already, or one whose tables were changed: a pooler lends another connection
 * for each transaction, or the journal was migrated meanwhile.
 */
const unknownStates: ReadonlySet<string> = new Set(["26000", "42P05", "0A000"]);

/** Of this process, by the database. */
const places = new Map<string, StatementNames>();

export function namesAt(place: string): StatementNames {
  const known = places.get(place) ?? new StatementNames();
  places.set(place, known);
  return known;
}

/** The names of statements, the same for every process: poolers lend connections on which others have named theirs. */
export class StatementNames {
  #isOff = false;
  readonly #texts = new Map<string, { count: number; name: string | undefined }>();

  /** Undefined for a statement that the server plans each time. */
  of(text: string): string | undefined {
    if (this.#isOff || text.length > textMaxLength) return undefined;
    const known = this.#texts.get(text);
    if (known === undefined) {
      if (this.#texts.size < maxTexts) this.#texts.set(text, { count: 1, name: undefined });
      return undefined;
    }
    known.count += 1;
    if (known.count >= namedFrom) known.name ??= `partner_${hash("sha256", text)}`.slice(0, nameMaxLength);
    return known.name;
  }

  /** True where the error is about a name: from then on there are none, and the connection is not used again. */
  areRefused(code: string | undefined): boolean {
    if (code === undefined || !unknownStates.has(code)) return false;
    this.#isOff = true;
    return true;
  }
}
