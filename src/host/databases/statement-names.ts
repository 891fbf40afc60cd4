import { hash } from "node:crypto";

/** From its third run on, a statement has a name, and the server plans it once. Short commands never get there. */
const namedFrom = 3;
/** Per database: texts that differ with each number of rows would fill the server's memory. */
const maxTexts = 200;
const textMaxLength = 16_384;
/** The server's limit: it cuts off longer names. */
const nameMaxLength = 63;
/**
 * SQLSTATEs for a name that is unknown, already used, or of a statement whose tables have changed: a pooler uses
 * another connection for each transaction, or the journal was migrated meanwhile.
 */
const unknownStates: ReadonlySet<string> = new Set(["26000", "42P05", "0A000"]);

/** Names in use by this process, by database. */
const places = new Map<string, StatementNames>();

export function namesAt(place: string): StatementNames {
  const known = places.get(place) ?? new StatementNames();
  places.set(place, known);
  return known;
}

/**
 * Names of statements. They are the same in every process, as poolers share connections on which others have named
 * theirs.
 */
export class StatementNames {
  #isOff = false;
  readonly #texts = new Map<string, { count: number; name: string | undefined }>();

  /** The statement's name; undefined where the server is to plan it each time. */
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

  /** True where the error is about a name: from then on no statement is named, and the connection is not used again. */
  areRefused(code: string | undefined): boolean {
    if (code === undefined || !unknownStates.has(code)) return false;
    this.#isOff = true;
    return true;
  }
}
