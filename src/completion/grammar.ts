import { visible } from "../values/text/text.ts";

/** What the manifest says of a command, as far as completion needs it. */
export interface DescribedCommand {
  /** `wallet:balance`. */
  readonly id: string;
  readonly summary?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly flags: Readonly<Record<string, DescribedFlag>>;
  readonly args: Readonly<Record<string, DescribedArgument>>;
}

export interface DescribedFlag {
  readonly name: string;
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  readonly summary?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly multiple?: boolean | undefined;
  /** The value's placeholder in the help: `FILE`, or `file|keyring|command` where these are all values. */
  readonly helpValue?: string | readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
}

export interface DescribedArgument {
  readonly name: string;
  readonly required?: boolean | undefined;
  readonly options?: readonly string[] | undefined;
}

/** A place on the command line: the words after `partner` that lead to a command or are one, and what may follow. */
export interface Place {
  /** `wallet balance`; empty right after the program's name. */
  readonly words: string;
  readonly isCommand: boolean;
  readonly next: readonly Word[];
  readonly flags: readonly Flag[];
  readonly args: readonly Argument[];
}

export interface Word {
  readonly text: string;
  readonly summary: string;
}

export interface Flag {
  /** `--output`. */
  readonly long: string;
  /** `-o`. */
  readonly short: string | undefined;
  readonly summary: string;
  readonly value: Value | undefined;
  readonly repeats: boolean;
}

export interface Argument {
  readonly name: string;
  readonly value: Value;
  readonly required: boolean;
}

/** What a value can be: fixed words, and names that are looked up on Tab. */
export interface Value {
  readonly name: string;
  readonly words: readonly string[];
  readonly source: "files" | "nothing" | NameSource;
}

/** Where names are looked up on Tab. */
export type NameSource = "profiles" | "wallets" | "nicknames" | "orders";

/** Flags whose value is the number of a wallet. */
const walletFlags: ReadonlySet<string> = new Set(["from", "to", "account"]);

/** Words that belong to no command's description. */
export interface Extras {
  readonly topics: readonly Word[];
}

const helpFlag: Flag = toggle("--help", "What it does, takes and can end with.");
const versionFlag: Flag = toggle("--version", "The version of the program.");

/** Every place on the command line, a group before its commands. Hidden commands and flags are not completed. */
export function placesOf(described: readonly DescribedCommand[], extras: Extras): readonly Place[] {
  const commands = described.filter(({ hidden }) => hidden !== true);
  const byWords = new Map(commands.map((command) => [command.id.replaceAll(":", " "), command]));
  const all = new Set([...byWords.keys()].flatMap((words) => beginnings(words)));
  const next = (words: string) => nextWords(words, all, byWords);
  const places = [...byWords].map(([words, { flags, args }]): Place => {
    const seen = Object.values(flags).filter(({ hidden }) => hidden !== true);
    return {
      words,
      isCommand: true,
      next: next(words),
      flags: [...seen.map(flagOf), helpFlag],
      args: Object.values(args).map((arg) => argumentOf(words, arg)),
    };
  });
  const shared = sharedFlags(places);
  const between = { isCommand: false, flags: shared, args: [] };
  const groups = [...all].filter((words) => !byWords.has(words));
  const help = { text: "help", summary: "Help for a command or a topic." };
  return [
    { ...between, words: "", next: [...next(""), help], flags: [...shared, versionFlag] },
    { ...between, words: "help", next: [...next(""), ...extras.topics.map(shown)], flags: [] },
    ...[...groups.map((words) => ({ ...between, words, next: next(words) })), ...places].toSorted(byName),
  ];
}

/**
 * Flags that every command has in the same form. They may come before and between the words of a command. Where some
 * commands accept more words as its value, the flag has those that all of them accept.
 */
export function sharedFlags(places: readonly Place[]): readonly Flag[] {
  const [first, ...others] = places.filter(({ isCommand }) => isCommand);
  const byForm = others.map(({ flags }) => new Map(flags.map((flag) => [formOf(flag), flag])));
  return (first?.flags ?? []).flatMap((flag) => {
    const same = byForm.map((flags) => flags.get(formOf(flag)));
    const all = [flag, ...same].flatMap((found) => found ?? []);
    const narrow = all.toSorted((a, b) => count(a.value) - count(b.value))[0];
    const fits = all.every(({ value }) => narrow?.value?.words.every((word) => value?.words.includes(word)) ?? true);
    return narrow !== undefined && fits && all.length === others.length + 1 ? [narrow] : [];
  });
}

function formOf({ value, ...flag }: Flag): string {
  return JSON.stringify([flag, value?.source]);
}

function count(value: Value | undefined): number {
  return value?.words.length ?? 0;
}

function byName(a: Place, b: Place): number {
  return a.words < b.words ? -1 : 1;
}

/** `wallet` and `wallet balance` for `wallet balance`. */
function beginnings(words: string): string[] {
  return words.split(" ").map((_word, index, all) => all.slice(0, index + 1).join(" "));
}

function nextWords(
  words: string,
  all: ReadonlySet<string>,
  byWords: ReadonlyMap<string, DescribedCommand>,
): readonly Word[] {
  const prefix = words === "" ? "" : `${words} `;
  return [...all]
    .filter((longer) => longer.startsWith(prefix) && longer !== words && !longer.slice(prefix.length).includes(" "))
    .toSorted()
    .map((longer) => shown({ text: longer.slice(prefix.length), summary: summaryOf(longer, all, byWords) }));
}

/** A group of commands has no summary of its own: it lists its commands. */
function summaryOf(words: string, all: ReadonlySet<string>, byWords: ReadonlyMap<string, DescribedCommand>): string {
  const summary = byWords.get(words)?.summary;
  if (summary !== undefined) return summary;
  const within = [...all].filter((longer) => longer.startsWith(`${words} `));
  return within.map((longer) => longer.slice(words.length + 1)).join(", ");
}

function flagOf(flag: DescribedFlag): Flag {
  return {
    long: `--${flag.name}`,
    short: flag.char === undefined ? undefined : `-${flag.char}`,
    summary: oneLine(flag.summary ?? ""),
    value: flag.type === "option" ? flagValue(flag) : undefined,
    repeats: flag.multiple === true,
  };
}

function flagValue({ name, helpValue, options }: DescribedFlag): Value {
  const placeholder = typeof helpValue === "string" ? helpValue : "VALUE";
  const choices = placeholder.split("|");
  const words = options ?? (choices.length > 1 ? choices.filter((choice) => /^[a-z][a-z0-9-]*$/.test(choice)) : []);
  const isWallet = walletFlags.has(name) && words.length === 0;
  const source =
    name === "profile" ? "profiles" : isWallet ? "wallets" : choices.includes("FILE") ? "files" : "nothing";
  return { name: oneLine(placeholder), words, source };
}

const placedNames: Readonly<Record<string, NameSource>> = {
  "wallet balance account": "wallets",
  "wallet statement account": "wallets",
  "account balance account": "nicknames",
  "account statement account": "nicknames",
  "journal show key": "orders",
  "journal resolve key": "orders",
  "journal receipt key": "orders",
};

function argumentOf(place: string, { name, options, required }: DescribedArgument): Argument {
  const words = options ?? [];
  // A profile that is being added is the one name that does not exist yet.
  const isProfile = place.startsWith("profile ") && place !== "profile add" && name === "name";
  const source = isProfile
    ? "profiles"
    : /(^|-)file$/.test(name)
      ? "files"
      : (placedNames[`${place} ${name}`] ?? "nothing");
  return { name, value: { name: name.toUpperCase(), words, source }, required: required === true };
}

function toggle(long: string, summary: string): Flag {
  return { long, short: undefined, summary, value: undefined, repeats: false };
}

function shown({ text, summary }: Word): Word {
  return { text, summary: oneLine(summary) };
}

function oneLine(text: string): string {
  return visible(text.trim().replaceAll(/\s+/g, " "));
}
