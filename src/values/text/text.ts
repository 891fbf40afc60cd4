/**
 * What a person cannot see or a terminal would obey: control characters (C0, DEL, C1), line and paragraph separators,
 * bidirectional controls, zero-width and other characters that are drawn as nothing (joiners, soft hyphens, variation
 * selectors, tags, fillers), interlinear marks, and halves of surrogate pairs.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;
/**
 * The same without the white space that a JSON text may have between its tokens; inside strings it is escaped already.
 */
const unseenInJson = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** Below U+034F nothing else is unseen than what is left out here: a text in Latin letters needs no second look. */
const beyondPlain = /[^ -~\u00a0-\u00ac\u00ae-\u034e]/;
const beyondPlainJson = /[^ -~\n\u00a0-\u00ac\u00ae-\u034e]/;
/** Escapes that were made already; there are a few thousand unseen characters. */
const escapes = new Map<string, string>();
const escapesInText = new Map([
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
]);
/** How much of a wrong value an error message repeats: 60 characters. */
const quotedStart = /^.{0,60}/su;

/**
 * Text from elsewhere, safe to show: what cannot be seen becomes an escape such as `\u001b`, everything else (accents,
 * emoji, other scripts, backslashes) stays. Nothing that came from the service reaches the terminal as a command.
 */
export function visible(text: string): string {
  return beyondPlain.test(text) ? text.replaceAll(unseen, (found) => escapesInText.get(found) ?? escape(found)) : text;
}

/** A JSON text that is safe to show and still means the same: unseen characters in its strings become escapes. */
export function jsonVisible(json: string): string {
  return beyondPlainJson.test(json) ? json.replaceAll(unseenInJson, escape) : json;
}

/** True when every character of the text can be seen (a blank counts). */
export function isVisible(text: string): boolean {
  return visible(text) === text;
}

/** A wrong value as an error message repeats it: in quotes, visible, and cut when it is long. */
export function quote(text: string): string {
  const [start = ""] = quotedStart.exec(text) ?? [];
  return `"${visible(start)}${start.length < text.length ? "…" : ""}"`;
}

/** The name of a file as a message says it: to its end, which tells one from the other. */
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
