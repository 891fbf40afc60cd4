import { flagName } from "../values/flag-name.ts";
import { commonFlags } from "./common-flags.ts";

/** A command line, taken apart as far as it can be before any command is loaded. */
export interface CommandLine {
  /** The command's id, such as `wallets:list`; undefined where the words lead to none. */
  readonly id: string | undefined;
  /** The words that should lead to a command, as they were typed; none where there are only flags. */
  readonly words: readonly string[];
  /** What the command is given: everything but its own words. */
  readonly rest: readonly string[];
}

/**
 * Finds the command: the longest run of words that is one. The flags that every command has may stand before and
 * between these words, as people who know other programs type them.
 */
export function readCommandLine(argv: readonly string[], ids: readonly string[]): CommandLine {
  const places = wordPlaces(argv);
  for (let length = Math.min(places.length, longest(ids)); length > 0; length -= 1) {
    const taken = places.slice(0, length);
    const words = taken.map((place) => argv[place] ?? "");
    const id = words.join(":");
    if (ids.includes(id)) return { id, words, rest: argv.filter((_, place) => !taken.includes(place)) };
  }
  return { id: undefined, words: places.map((place) => argv[place] ?? ""), rest: [] };
}

/** Where the first words stand: up to the first flag that only some commands have. */
function wordPlaces(argv: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-")) places.push(at);
    else if (!isEverybodys(word)) break;
    else if (takesNext(word)) at += 1;
  }
  return places;
}

function longest(ids: readonly string[]): number {
  return Math.max(...ids.map((id) => id.split(":").length));
}

const helpFlags: ReadonlySet<string> = new Set(["--help", "-h"]);
const toggles = Object.entries(commonFlags).filter(([, { kind }]) => kind === "toggle");
const options = Object.entries(commonFlags).filter(([, { kind }]) => kind === "option");

function isEverybodys(word: string): boolean {
  return helpFlags.has(word) || isOf(toggles, word) || isOf(options, word.replace(/=.*$/s, ""));
}

/** True where the next word is the flag's value: `--output json`, `-o json`. */
function takesNext(word: string): boolean {
  return isOf(options, word);
}

function isOf(flags: readonly [string, { readonly char?: string | undefined }][], word: string): boolean {
  return flags.some(([key, { char }]) => word === `--${flagName(key)}` || word === `-${char}`);
}
