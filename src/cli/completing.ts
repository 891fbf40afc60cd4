import type { Cursor } from "../completion/candidates.ts";
import { offerAt } from "../completion/candidates.ts";
import type { DescribedCommand, Place, NameSource } from "../completion/grammar.ts";
import { placesOf } from "../completion/grammar.ts";
import type { Host } from "../host/host.ts";
import { visible } from "../values/text/text.ts";
import { isEverybodys } from "./line/command-line.ts";
import { earlyTokens } from "./line/early-flags.ts";
import type { Application, NamedWord } from "./application.ts";
import { tokensOf } from "./line/tokens.ts";

/**
 * Answers a shell that completes a word: one line for each candidate, a tab, and its meaning.
 * @param words the shell's name, the words before the cursor, and the word at the cursor after a colon
 */
export async function completions(
  words: readonly string[],
  commands: readonly DescribedCommand[],
  application: Application,
  host: Host,
): Promise<string> {
  const { before, current, kept } = typedIn(words);
  const {
    words: offered,
    source,
    lead,
  } = offerAt(cursorAt(before, current, placesOf(commands, await extrasOf(application))));
  const profile = profileTyped(before);
  const named =
    source === "files" || source === "nothing" ? [] : await namesFrom(application.names[source], host, profile);
  const typed = current.slice(lead.length).toLowerCase();
  const fitting = [
    ...offered.filter(({ word }) => word.startsWith(current)),
    // A wallet can be completed by its name; its number is inserted.
    ...named
      .filter(
        ({ word, name = "" }) => word.startsWith(current.slice(lead.length)) || name.toLowerCase().startsWith(typed),
      )
      .map(({ word, name = "" }) => ({ word: lead + word, summary: visible(name) })),
  ];
  const lines = fitting.map(({ word, summary }) => `${word.slice(kept)}\t${summary}\n`);
  return lines.join("") + (source === "files" ? `:files\t${lead}\n` : "");
}

async function extrasOf({ topics }: Application) {
  return {
    topics: Object.entries(await topics()).map(([text, { summary }]) => ({ text, summary })),
  };
}

/** A failed lookup offers no names: completion prints no errors. */
async function namesFrom(
  lookUp: Application["names"][NameSource],
  host: Host,
  profile: string | undefined,
): Promise<readonly NamedWord[]> {
  return lookUp(host, profile).catch(() => []);
}

/** The value of `--profile`, if it is before the cursor. */
function profileTyped(before: readonly string[]): string | undefined {
  const named = earlyTokens(before).findLast((token) => token.kind === "option" && token.key === "profile");
  return named?.kind === "option" ? named.text : undefined;
}

interface Typed {
  readonly before: readonly string[];
  readonly current: string;
  /** The number of characters at the start of `current` that the shell keeps, and must not be given again. */
  readonly kept: number;
}

function typedIn([shell, ...words]: readonly string[]): Typed {
  const last = words.at(-1)?.replace(/^:/, "") ?? "";
  const raw = [...words.slice(0, -1), last];
  const whole = shell === "bash" ? joined(raw) : raw;
  const current = whole.at(-1) ?? "";
  const kept = isBreak(last) ? current.length : current.length - last.length;
  return { before: whole.slice(0, -1).map(unquoted), current: unquoted(current), kept: shell === "bash" ? kept : 0 };
}

/** Bash breaks words at `=` and `:`, and treats what follows as the word at the cursor. */
function joined(raw: readonly string[]): readonly string[] {
  const whole: string[] = [];
  let isGlued = false;
  for (const word of raw) {
    const isGlue = isBreak(word) && whole.length > 0;
    if (isGlue || isGlued) whole.push((whole.pop() ?? "") + word);
    else whole.push(word);
    isGlued = isGlue;
  }
  return whole;
}

function isBreak(word: string): boolean {
  return /^[=:]+$/.test(word);
}

/** Without the quotes and backslashes that were typed. */
function unquoted(word: string): string {
  return word.replaceAll(/\\(.)|["']/gs, "$1");
}

/** Parses the words before the cursor as `main` and the command would. */
function cursorAt(before: readonly string[], current: string, places: readonly Place[]): Cursor {
  const byWords = new Map(places.map((place) => [place.words, place]));
  const taken = new Set<number>();
  let [words, isOpen] = ["", true];
  for (const token of earlyTokens(before)) {
    const longer = token.kind === "argument" ? `${words} ${token.text}`.trimStart() : undefined;
    if (longer !== undefined && isOpen && byWords.has(longer)) {
      words = longer;
      taken.add(token.place);
    } else if (!isEverybodys(token)) isOpen = false;
  }
  const place = byWords.get(words) ?? nowhere;
  const tokens = tokensOf(
    before.filter((_, at) => !taken.has(at)),
    flagsOf(place),
  );
  const given = new Set(tokens.flatMap((token) => ("key" in token ? [`--${token.key}`] : [])));
  const isEnded = tokens.some(({ kind }) => kind === "end");
  const argumentCount = tokens.filter(({ kind }) => kind === "argument").length;
  return { place, current, valued: valuedAt(tokens, current, isEnded, place), given, argumentCount, isOpen, isEnded };
}

const nowhere: Place = { words: "", isCommand: false, next: [], flags: [], args: [] };

/** The flag whose value is at the cursor, in the word itself (`--flag=…`) or before it. */
function valuedAt(
  tokens: ReturnType<typeof tokensOf>,
  current: string,
  isEnded: boolean,
  place: Place,
): Cursor["valued"] {
  const flagNamed = (key: string) => place.flags.find(({ long }) => long === `--${key}`);
  const last = tokens.at(-1);
  if (last?.kind === "option" && last.text === undefined) {
    const flag = flagNamed(last.key);
    return flag && { flag, lead: "" };
  }
  const own = isEnded || !current.startsWith("-") ? undefined : tokensOf([current], flagsOf(place)).at(-1);
  if (own?.kind !== "option" || own.text === undefined) return undefined;
  const flag = flagNamed(own.key);
  return flag && { flag, lead: current.slice(0, current.length - own.text.length) };
}

function flagsOf({ flags }: Place): Parameters<typeof tokensOf>[1] {
  return Object.fromEntries(
    flags.map(({ long, short, value }) => [
      long.slice(2),
      { kind: value === undefined ? "toggle" : "option", char: short?.slice(1) },
    ]),
  );
}
