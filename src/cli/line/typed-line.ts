import type { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Flags } from "./input.ts";
import {
  flagGivenTwice,
  flagWithLongDash,
  flagWithoutValue,
  toggleWithOtherWord,
  toggleWithValue,
  unknownFlag,
} from "./usage-errors.ts";
import type { LineToken } from "./tokens.ts";

/** The texts of each flag before they are parsed, and all syntax violations of the line. */
export interface TypedLine {
  /** By the flag's key: no text for a flag without a value, several for a repeated flag. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  readonly violations: readonly Failure[];
  /** True where a flag is unknown or begins with a long dash: some of the words may be its value. */
  readonly isUnclear: boolean;
}

/** Sorts the tokens of a command's line into flags, words and violations. */
export function typedLine(tokens: readonly LineToken[], flags: Flags, commandId: string): TypedLine {
  const typed = new Map<string, string[]>();
  const words: string[] = [];
  const violations: Failure[] = [];
  const names = Object.keys(flags).map(longName);
  const end = tokens.findIndex(({ kind }) => kind === "end");
  let isUnclear = tokens.some(({ kind }) => kind === "unknown");
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "argument") {
      const dashed = end >= 0 && at > end ? undefined : flagWithLongDash(token.text, names);
      if (dashed === undefined) words.push(token.text);
      else violations.push(dashed);
      isUnclear ||= dashed !== undefined;
    } else if (token.kind === "unknown") violations.push(unknownFlag(token.text, names, commandId));
    else if (token.kind !== "end") {
      const violation = violationIn(token, flags, typed.has(token.key), commandId);
      if (violation !== undefined) violations.push(violation);
      const texts = typed.get(token.key) ?? [];
      const text = token.kind === "option" ? token.text : token.typed;
      if (text !== undefined) texts.push(text);
      typed.set(token.key, texts);
    }
  }
  return { flags: typed, words, violations, isUnclear };
}

function violationIn(
  token: Extract<LineToken, { readonly kind: "toggle" | "option" }>,
  flags: Flags,
  isRepeated: boolean,
  commandId: string,
): Failure | undefined {
  const name = longName(token.key);
  if (token.kind === "toggle") return violationOfToggle(token.typed, name, flags[token.key]);
  const flag = flags[token.key];
  const value = flag?.kind === "option" ? flag.value : "VALUE";
  if (token.text === undefined) return flagWithoutValue(name, value, commandId);
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
