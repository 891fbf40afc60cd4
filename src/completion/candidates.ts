import type { Flag, Place, Value } from "./grammar.ts";

/** The position of the cursor in the grammar. */
export interface Cursor {
  readonly place: Place;
  /** The text before the cursor in the current word. */
  readonly current: string;
  /** The flag whose value is being typed, and the part of `current` before that value: `--output=`. */
  readonly valued: { readonly flag: Flag; readonly lead: string } | undefined;
  /** Flags before the cursor. */
  readonly given: ReadonlySet<string>;
  /** The number of arguments before the cursor. */
  readonly argumentCount: number;
  /**
   * True where another word of a command can follow: no argument came before, and only flags that every command has.
   */
  readonly isOpen: boolean;
  /** True after `--`. */
  readonly isEnded: boolean;
}

/** A word that fits at the cursor, with its meaning. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What fits at the cursor: whole words, and where to look up names, which go after `lead`. */
export interface Offer {
  readonly words: readonly Candidate[];
  readonly source: Value["source"];
  readonly lead: string;
}

export function offerAt(cursor: Cursor): Offer {
  const { place, current, valued, given, isOpen, isEnded } = cursor;
  if (valued !== undefined) return offerOf(valued.flag.value, valued.lead);
  if (current.startsWith("-") && !isEnded)
    return { ...nothing, words: place.flags.flatMap((flag) => namesUnlessGiven(flag, given)) };
  const next = isOpen ? place.next.map(({ text, summary }) => ({ word: text, summary })) : [];
  const { words, source, lead } = offerOf(place.args[cursor.argumentCount]?.value, "");
  return { words: [...next, ...words], source, lead };
}

const nothing: Offer = { words: [], source: "nothing", lead: "" };

function offerOf(value: Value | undefined, lead: string): Offer {
  if (value === undefined) return nothing;
  return { words: value.words.map((word) => ({ word: lead + word, summary: "" })), source: value.source, lead };
}

/** The names of a flag that was not given yet, or may be given again. */
function namesUnlessGiven({ long, short, summary, repeats }: Flag, given: ReadonlySet<string>): Candidate[] {
  if (given.has(long) && !repeats) return [];
  return [long, ...(short === undefined ? [] : [short])].map((word) => ({ word, summary }));
}
