import type { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Flags } from "./input.ts";
import { flagGivenTwice, flagWithoutValue, toggleWithOtherWord, toggleWithValue, unknownFlag } from "./usage-errors.ts";
import type { Token } from "./tokens.ts";

/** What was typed, flag by flag, before any of it is read, and all that is wrong with how it was typed. */
export interface TypedLine {
  /** By the flag's key: no text for a flag that was given none, several where it was given several times. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  readonly violations: readonly Failure[];
  /** True where a flag is not known: the words may then be what belongs to it. */
  readonly isUnclear: boolean;
}

/** Sorts what stands in the line of a command. */
export function typedLine(tokens: readonly Token[], flags: Flags, commandId: string): TypedLine {
  const typed = new Map<string, string[]>();
  const words: string[] = [];
  const violations: Failure[] = [];
  const names = Object.keys(flags).map(longName);
  for (const token of tokens) {
    if (token.kind === "argument") words.push(token.text);
    else if (token.kind === "unknown") violations.push(unknownFlag(token.text, names, commandId));
    else if (token.kind !== "end") {
      const violation = violationIn(token, flags, typed.has(token.key), commandId);
      if (violation !== undefined) violations.push(violation);
      const texts = typed.get(token.key) ?? [];
      const text = token.kind === "option" ? token.text : token.typed;
      if (text !== undefined) texts.push(text);
      typed.set(token.key, texts);
    }
  }
  return { flags: typed, words, violations, isUnclear: tokens.some(({ kind }) => kind === "unknown") };
}

function violationIn(
  token: Extract<Token, { readonly kind: "toggle" | "option" }>,
  flags: Flags,
  isRepeated: boolean,
  commandId: string,
): Failure | undefined {
  const name = longName(token.key);
  if (token.kind === "toggle") return violationOfToggle(token.typed, name, flags[token.key]);
  if (token.text === undefined) return flagWithoutValue(name, commandId);
  const flag = flags[token.key];
  return isRepeated && flag?.kind === "option" && !flag.many ? flagGivenTwice(name) : undefined;
}

function violationOfToggle(typed: string | undefined, name: string, flag: Flags[string] | undefined) {
  const words = flag?.kind === "toggle" ? (flag.words ?? []) : [];
  if (typed === undefined || words.includes(typed)) return undefined;
  return words.length === 0 ? toggleWithValue(name, typed) : toggleWithOtherWord(name, typed, words);
}

/** `--dry-run`. */
export function longName(key: string): string {
  return `--${flagName(key)}`;
}
