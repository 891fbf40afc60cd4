const plainAscii = /^[ -~]*$/;
/**
 * What a terminal draws two columns wide: the scripts of East Asia but for their narrow forms (UAX 11), and emoji. The
 * two letters of a flag take a column each.
 */
const wide =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\u3000-\u303e\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]--[\u1160-\u11ff\uff61-\uffdc\p{Regional_Indicator}]]/v;
/** Characters drawn onto the one before: marks, vowels of Hangul's parts, skin tones. */
const joined = /[\p{Mn}\p{Me}\u1160-\u11ff\p{Emoji_Modifier}]/v;
/** One more than Unicode's last character. */
const charactersCount = 0x110000;
const lastAscii = 0x7e;
/** Code units that a column may take before the rest is left: a character can carry any number of marks. */
const unitsPerColumn = 8;

/** How wide each character is and one more; 0 where that was not looked up yet, which takes a pattern its time. */
let looked: Uint8Array | undefined;

/** How many columns of a terminal a text takes that has no control characters. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : measure(text, Infinity).width;
}

/** True where a text is as wide as it is long. */
export function isPlain(text: string): boolean {
  return plainAscii.test(text);
}

/** The beginning of a text, one character longer than fits into so many columns. */
export function beginningOf(text: string, columns: number): string {
  const { end } = measure(text, columns + 1);
  return text.slice(0, Math.min(end + 2, columns * unitsPerColumn)).toWellFormed();
}

/** How much of a text fits into so many columns, and its width. */
function measure(text: string, room: number): { readonly end: number; readonly width: number } {
  let width = 0;
  for (let at = 0, next = 0; ; at = next) {
    const code = text.codePointAt(at);
    if (code === undefined) return { end: at, width };
    next = at + (code > 0xffff ? 2 : 1);
    const more = code <= lastAscii ? 1 : widthOfCharacter(code);
    if (width + more > room) return { end: at, width };
    width += more;
  }
}

function widthOfCharacter(code: number): number {
  looked ??= new Uint8Array(charactersCount);
  const known = looked[code] ?? 0;
  if (known > 0) return known - 1;
  const character = String.fromCodePoint(code);
  const width = joined.test(character) ? 0 : wide.test(character) ? 2 : 1;
  looked[code] = width + 1;
  return width;
}
