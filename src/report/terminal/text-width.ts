const plainAscii = /^[ -~]*$/;
/**
 * Characters that a terminal draws two columns wide: East Asian scripts, except their narrow forms (UAX 11), and emoji.
 * The two letters of a flag take a column each.
 */
const wide = () =>
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\u3000-\u303e\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]--[\u1160-\u11ff\uff61-\uffdc\p{Regional_Indicator}]]/v;
/** Characters drawn onto the one before: combining marks, Hangul's combining vowels and finals, skin tones. */
const joined = () => /[\p{Mn}\p{Me}\u1160-\u11ff\p{Emoji_Modifier}]/v;
/** One more than Unicode's last character. */
const charactersCount = 0x110000;
const lastAscii = 0x7e;
/** The most code units per column: a character can have any number of marks. */
const unitsPerColumn = 8;

/** The width of each character plus one; 0 where it wasn't looked up yet. Cached, as the patterns are slow. */
let looked: Uint8Array | undefined;

/** How many terminal columns a text without control characters takes. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : measure(text, Infinity).width;
}

/** True where a text is as wide as it is long. */
export function isPlain(text: string): boolean {
  return plainAscii.test(text);
}

/** The beginning of a text, slightly longer than fits into `columns`. */
export function beginningOf(text: string, columns: number): string {
  const { end } = measure(text, columns + 1);
  return text.slice(0, Math.min(end + 2, columns * unitsPerColumn)).toWellFormed();
}

/** How much of a text fits into `room` columns, and its width. */
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
  const width = joined().test(character) ? 0 : wide().test(character) ? 2 : 1;
  looked[code] = width + 1;
  return width;
}
