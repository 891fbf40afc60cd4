import type { Flag, Place, Value } from "./grammar.ts";

/** Where the cursor stands, at a place of the grammar. */
export interface Cursor {
  readonly place: Place;
  /** What is being typed there, as far as it goes. */
  readonly current: string;
  /** The flag whose value is typed, and what of `current` stands before that value: `--output=`. */
  readonly valued: { readonly flag: Flag; readonly lead: string } | undefined;
  /** Flags that stand before it. */
  readonly given: ReadonlySet<string>;
  /** How many arguments stand before it. */
  readonly argumentCount: number;
  /** True where another word of a command may stand: no argument and no flag of some commands alone came before. */
  readonly isOpen: boolean;
  /** True behind `--`. */
  readonly isEnded: boolean;
}

/** A word that may stand at the cursor, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What may stand at the cursor: words, and names that only this moment knows, behind what stands before them. */
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
