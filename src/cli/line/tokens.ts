import { flagName } from "../../values/text/flag-name.ts";

/** A parsed word of a command line, with its index (`place`). */
export type LineToken =
  /** A flag without a value; `typed` is a value that was typed anyway: `--json=false`. */
  | { readonly kind: "toggle"; readonly key: string; readonly place: number; readonly typed: string | undefined }
  /** A flag with its value; `text` is undefined where no value follows. */
  | { readonly kind: "option"; readonly key: string; readonly place: number; readonly text: string | undefined }
  /**
   * A word that looks like a flag but isn't one of these. Of a cluster, only the part from the first unknown letter on.
   */
  | { readonly kind: "unknown"; readonly place: number; readonly text: string }
  | { readonly kind: "argument"; readonly place: number; readonly text: string }
  /** `--`: every word after it is an argument. */
  | { readonly kind: "end"; readonly place: number };

/** Flags by their keys, as far as parsing needs them. */
export type KnownFlags = Readonly<
  Record<string, { readonly kind: "toggle" | "option"; readonly char?: string | undefined }>
>;

/** The flags in a word: one, or a cluster of letters. With `needsNext`, the next word is the value. */
interface FlagWord {
  readonly found: readonly LineToken[];
  readonly needsNext: boolean;
}

const negativeNumber = /^-\d/;

/**
 * The only parser of command lines. Words after `--` are arguments; before it `--output json`, `--output=json`, `-o
 * json`, `-ojson`, `-o=json` and `-qojson` are the same. A word that is itself one of the flags is never the value of
 * the flag before it.
 */
export function tokensOf(argv: readonly string[], flags: KnownFlags): readonly LineToken[] {
  const known = new FlagNames(flags);
  const tokens: LineToken[] = [];
  for (let place = 0; place < argv.length; place += 1) {
    const word = argv[place] ?? "";
    if (word === "--") {
      tokens.push({ kind: "end", place });
      for (const [at, text] of argv.entries()) if (at > place) tokens.push(argument(at, text));
      break;
    }
    const flag = known.read(word, place);
    if (flag === undefined) {
      const looksLikeFlag = word.startsWith("-") && word !== "-" && !negativeNumber.test(word);
      tokens.push(looksLikeFlag ? { kind: "unknown", place, text: known.unknownPart(word) } : argument(place, word));
      continue;
    }
    const next = flag.needsNext ? argv[place + 1] : undefined;
    const isValue = next !== undefined && known.read(next, place) === undefined;
    for (const token of flag.found)
      tokens.push(isValue && token.kind === "option" && token.text === undefined ? { ...token, text: next } : token);
    if (isValue) place += 1;
  }
  return tokens;
}

function argument(place: number, text: string): LineToken {
  return { kind: "argument", place, text };
}

class FlagNames {
  readonly #byName: ReadonlyMap<string, readonly [key: string, isToggle: boolean]>;

  constructor(flags: KnownFlags) {
    this.#byName = new Map(
      Object.entries(flags).flatMap(([key, { kind, char }]) => {
        const names = [`--${flagName(key)}`, ...(char === undefined ? [] : [`-${char}`])];
        return names.map((name) => [name, [key, kind === "toggle"]]);
      }),
    );
  }

  /** The flags in a word; undefined where any part of it isn't a flag. */
  read(word: string, place: number): FlagWord | undefined {
    if (word.startsWith("--")) return this.#readLong(word, place);
    return word.startsWith("-") && word.length > 1 ? this.#readLetters(word, place) : undefined;
  }

  /**
   * The rest of a cluster from its first unknown letter on: `-z` of `-qz`; the whole word where the first is unknown.
   */
  unknownPart(word: string): string {
    if (word.startsWith("--")) return word;
    let at = 1;
    while (this.#byName.get(`-${word.charAt(at)}`)?.[1] === true) at += 1;
    return `-${word.slice(at)}`;
  }

  #readLong(word: string, place: number): FlagWord | undefined {
    const equals = word.indexOf("=");
    const [name, text] = equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
    const [key, isToggle] = this.#byName.get(name) ?? [];
    if (key === undefined) return undefined;
    if (isToggle === true) return { found: [{ kind: "toggle", key, place, typed: text }], needsNext: false };
    return { found: [{ kind: "option", key, place, text }], needsNext: text === undefined };
  }

  #readLetters(word: string, place: number): FlagWord | undefined {
    const found: LineToken[] = [];
    for (let at = 1; at < word.length; at += 1) {
      const [key, isToggle] = this.#byName.get(`-${word.charAt(at)}`) ?? [];
      if (key === undefined) return undefined;
      const rest = word.slice(at + 1);
      const typed = rest.startsWith("=") ? rest.slice(1) : undefined;
      if (isToggle !== true) {
        const text = typed ?? (rest === "" ? undefined : rest);
        return { found: [...found, { kind: "option", key, place, text }], needsNext: text === undefined };
      }
      found.push({ kind: "toggle", key, place, typed });
      if (typed !== undefined) break;
    }
    return { found, needsNext: false };
  }
}
