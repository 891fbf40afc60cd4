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
  /** True where another word of a command can follow: no argument and no flag of only some commands came before. */
  readonly isOpen: boolean;
  /** True behind `--`. */
  readonly isEnded: boolean;
}

/** A word that fits at the cursor, with its meaning. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What fits at the cursor: words, and names that are looked up now, with the text before them. */
export interface Offer {
  readonly words: readonly Candidate[];
  readonly besides: Value["besides"];
  readonly lead: string;
}

export function offerAt(cursor: Cursor): Offer {
  const { place, current, valued, given, isOpen, isEnded } = cursor;
  if (valued !== undefined) return offerOf(valued.flag.value, valued.lead);
  if (current.startsWith("-") && !isEnded)
    return { ...nothing, words: place.flags.flatMap((flag) => unless(flag, given)) };
  const next = isOpen ? place.next.map(({ text, summary }) => ({ word: text, summary })) : [];
  const { words, besides, lead } = offerOf(place.args[cursor.argumentCount]?.value, "");
  return { words: [...next, ...words], besides, lead };
}

const nothing: Offer = { words: [], besides: "nothing", lead: "" };

function offerOf(value: Value | undefined, lead: string): Offer {
  if (value === undefined) return nothing;
  return { words: value.words.map((word) => ({ word: lead + word, summary: "" })), besides: value.besides, lead };
}

/** The names of a flag that was not given yet, or may be given again. */
function unless({ long, short, summary, repeats }: Flag, given: ReadonlySet<string>): Candidate[] {
  if (given.has(long) && !repeats) return [];
  return [long, ...(short === undefined ? [] : [short])].map((word) => ({ word, summary }));
}
