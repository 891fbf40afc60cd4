import { commonFlags } from "../common-flags.ts";
import type { LineToken } from "./tokens.ts";

/** A command line, taken apart as far as it can be before any command is loaded. */
export interface CommandLine {
  /** The command's id, such as `wallets:list`; undefined where the words lead to none. */
  readonly id: string | undefined;
  /** The words that should lead to a command, as they were typed; none where there are only flags. */
  readonly words: readonly string[];
  /** Everything but the command's own words. */
  readonly rest: readonly string[];
}

/**
 * Finds the command: the longest run of words that names one. The flags of every command may come before and between
 * these words, as in other programs.
 */
export function readCommandLine(
  argv: readonly string[],
  tokens: readonly LineToken[],
  ids: readonly string[],
): CommandLine {
  const places = wordPlaces(tokens);
  for (let length = Math.min(places.length, longest(ids)); length > 0; length -= 1) {
    const taken = new Set(places.slice(0, length));
    const words = argv.filter((_, place) => taken.has(place));
    const id = words.join(":");
    if (ids.includes(id)) return { id, words, rest: argv.filter((_, place) => !taken.has(place)) };
  }
  return { id: undefined, words: places.map((place) => argv[place] ?? ""), rest: [] };
}

/** The indexes of the first words: up to the first flag of only some commands. */
function wordPlaces(tokens: readonly LineToken[]): readonly number[] {
  const end = tokens.findIndex((token) => token.kind !== "argument" && !isEverybodys(token));
  return tokens.slice(0, end < 0 ? undefined : end).flatMap(({ kind, place }) => (kind === "argument" ? [place] : []));
}

/** True for a flag of every command: it may come between the words of a command. */
export function isEverybodys(token: LineToken): boolean {
  return "key" in token && (token.key === "help" || Object.hasOwn(commonFlags, token.key));
}

function longest(ids: readonly string[]): number {
  return Math.max(...ids.map((id) => id.split(":").length));
}
