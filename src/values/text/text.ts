/**
 * Characters that a person can't see or that a terminal would execute: control characters (C0, DEL, C1), line and
 * paragraph separators, bidirectional controls, zero-width and other invisible characters (joiners, soft hyphens,
 * variation selectors, tags, fillers), interlinear marks, and lone surrogates. Made when it is needed: to look up
 * Unicode's properties takes 2 % of a start.
 */
const unseen = () => /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** The same, but white space between tokens of a JSON text is allowed; inside strings it is already escaped. */
const unseenInJson = () => /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** Matches text that needs a closer look: below U+034F these ranges contain all unseen characters. */
const beyondPlain = /[^ -~\u00a0-\u00ac\u00ae-\u034e]/;
const beyondPlainJson = /[^ -~\n\u00a0-\u00ac\u00ae-\u034e]/;
/** Cache of escapes; there are a few thousand unseen characters. */
const escapes = new Map<string, string>();
const escapesInText = new Map([
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
]);
/** The part of a wrong value that an error message repeats: 60 characters. */
const quotedStart = /^.{0,60}/su;

/**
 * Makes text from outside safe to show: unseen characters become escapes such as `\u001b`, everything else (accents,
 * emoji, other scripts, backslashes) stays. Nothing from the service reaches the terminal as a command.
 */
export function visible(text: string): string {
  return beyondPlain.test(text)
    ? text.replaceAll(unseen(), (found) => escapesInText.get(found) ?? escape(found))
    : text;
}

/** A JSON text that is safe to show and still means the same: unseen characters in its strings become escapes. */
export function jsonVisible(json: string): string {
  return beyondPlainJson.test(json) ? json.replaceAll(unseenInJson(), escape) : json;
}

/** True when every character of the text is visible (a space counts). */
export function isVisible(text: string): boolean {
  return visible(text) === text;
}

/** What is wrong with such digits, in words that follow the value. */
export const otherDigits = "has digits other than 0 to 9";

/** True where the text has digits of another script or width: `１２３`, `٥٠٠`. */
export function hasOtherDigits(text: string): boolean {
  return /(?![0-9])\p{Nd}/u.test(text);
}

/** A wrong value for an error message: in quotes, made visible, and cut if it is long. */
export function quote(text: string): string {
  const [start = ""] = quotedStart.exec(text) ?? [];
  return `"${visible(start)}${start.length < text.length ? "…" : ""}"`;
}

/** A file name for a message: complete, since names may differ only at their end. */
export function quotePath(path: string): string {
  return `"${visible(path)}"`;
}

function escape(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const escaped = units.map((unit) => String.raw`\u${unit.toString(16).padStart(4, "0")}`).join("");
  escapes.set(character, escaped);
  return escaped;
}
