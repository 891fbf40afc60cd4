import { closest } from "../../values/text/closest.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";

/** Accepted without being in the catalog, so that a misspelling of them gets a suggestion. */
const pseudoCommands = ["help", "--version"];
/** What people call commands that have other names here. */
const otherWords: ReadonlyMap<string, readonly string[]> = new Map(
  ["pay", "payment", "send"].map((word) => [word, ["transfer", "payout", "remit"]]),
);
/** With more suggestions than these, none is made. */
const choicesMaxCount = 3;

/** A flag that the command does not have. */
export function unknownFlag(typed: string, flags: readonly string[], commandId: string): Failure {
  const name = typed.replace(/=.*/s, "");
  const near = closest(name, flags);
  return new Failure("usage", `Unknown flag ${quote(name)}.`, {
    hint: near === undefined ? `See which there are: partner ${commandId} --help` : `Did you mean ${near}?`,
  });
}

/** A flag that needs a value and has none. */
export function flagWithoutValue(flag: string, value: string, commandId: string): Failure {
  return new Failure("usage", `${flag} has no value.`, {
    hint: `Write it like ${flag}=${value}, also where the value starts with a dash. See what it takes: partner ${commandId} --help`,
  });
}

/** A value for a flag that takes none: its meaning would be a guess. */
export function toggleWithValue(flag: string, typed: string): Failure {
  return new Failure("usage", `${flag} takes no value, and was given ${quote(typed)}.`, {
    hint: `Write ${flag} alone for yes, and leave it out for no.`,
  });
}

/** A wrong word for a flag that takes one of a few, or none. */
export function toggleWithOtherWord(flag: string, typed: string, words: readonly string[]): Failure {
  return new Failure("usage", `${flag} takes ${words.join(", ")} or nothing, and was given ${quote(typed)}.`, {
    hint: `Write ${flag}, or ${flag}=${words[0]}.`,
  });
}

/** A flag that can have one value and was given several. */
export function flagGivenTwice(flag: string): Failure {
  return new Failure("usage", `${flag} is given twice.`, { hint: `Keep one of them.` });
}

/** What word processors and messengers turn two hyphens into. */
const longDash = () => /^[\u2012-\u2015\u2212]+-?(?=\p{L})/u;

/**
 * One of these flags with a long dash; undefined for any other word.
 * @param names `--dry-run`
 */
export function flagWithLongDash(typed: string, names: readonly string[]): Failure | undefined {
  const [name = ""] = typed.replace(longDash(), "--").split("=");
  return longDash().test(typed) && names.includes(name) ? beginsWithLongDash(typed) : undefined;
}

function beginsWithLongDash(typed: string): Failure {
  return new Failure("usage", `${quote(typed)} begins with a long dash.`, {
    hint: `Type two hyphens: ${typed.replace(longDash(), "--")}`,
  });
}

/**
 * A word where no argument is expected.
 * @param flags the command's, as they are typed
 */
export function unexpectedArgument(typed: string, commandId: string, flags: readonly string[]): Failure {
  if (longDash().test(typed)) return beginsWithLongDash(typed);
  const meant = `--${typed.toLowerCase()}`;
  if (flags.includes(meant))
    return new Failure("usage", `Unexpected argument ${quote(typed)}.`, { hint: `Did you mean ${meant}?` });
  const together = typed === "-" ? "Type the two hyphens of a flag together, without a space after them. " : "";
  return new Failure("usage", `Unexpected argument ${quote(typed)}.`, {
    hint: `${together}See what it takes: partner ${commandId} --help`,
  });
}

/** A value that was typed without its flag. */
export function valueWithoutFlag(flag: string, typed: string): Failure {
  return new Failure("usage", `${flag} is missing.`, { hint: `Did you mean ${flag} ${quoted(typed)}?` });
}

function quoted(typed: string): string {
  return /^[\w./:@+-]+$/.test(typed) ? typed : quote(typed);
}

/** A command that does not exist. */
export function unknownCommand(words: readonly string[], ids: readonly string[]): Failure {
  if (words.length === 0)
    return new Failure("usage", "A command is missing: it comes before its own flags.", {
      hint: "Write it like partner wallets list --json. See which commands there are: partner --help",
    });
  // A number that comes after it is not the name of a command.
  const end = words.findIndex((word, place) => place > 0 && /^\d/.test(word));
  const named = end < 0 ? words : words.slice(0, end);
  const typed = named.join(" ");
  const commands = otherWords.get(typed.toLowerCase()) ?? nearestCommands(named, ids);
  const near = commands.length > 0 ? commands : [closest(typed, pseudoCommands) ?? []].flat();
  return new Failure("usage", `There is no command ${quote(typed)}.`, {
    hint: near.length === 0 ? "See which there are: partner --help" : `Did you mean: ${inChoice("partner", near)}`,
  });
}

/** `partner wallet balance or partner account balance`. */
export function inChoice(before: string, near: readonly string[]): string {
  return near.map((words) => `${before} ${words}`).join(" or ");
}

/** The command, or the group of commands, that was probably meant; several where the word fits each of them. */
export function nearestCommands(words: readonly string[], ids: readonly string[]): readonly string[] {
  const commandIds = ids.map((id) => id.replaceAll(":", " "));
  const [first = "", second] = words;
  const pair = second === undefined ? [first] : [first, second];
  const groups = [...new Set(commandIds.map((id) => id.replace(/ .*/, "")))];
  const near =
    closest(words.join(" "), commandIds) ??
    closest(pair.join(" "), commandIds) ??
    closest(pair.toReversed().join(" "), commandIds) ??
    commandIds.find((id) => id.startsWith(`${first} `)) ??
    closest(first, groups);
  if (near !== undefined) return [near];
  const named = commandIds.filter((id) => id.endsWith(` ${first}`));
  return named.length <= choicesMaxCount ? named : [];
}

/**
 * Everything that is missing, at once.
 * @param words the valid values of some of them
 * @param example a whole line of the command, as its help has it
 */
export function missing(
  names: readonly string[],
  commandId: string,
  words: ReadonlyMap<string, readonly string[]> = new Map(),
  example?: string,
): Failure {
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const choices = names.flatMap((name) => {
    const valid = words.get(name);
    return valid === undefined ? [] : [` ${name} is one of ${valid.join(", ")}.`];
  });
  return new Failure("usage", `${list} ${names.length === 1 ? "is" : "are"} missing.${choices.join("")}`, {
    hint: `See what it takes: partner ${commandId} --help${whereNext(names, commandId, example)}`,
  });
}

/** Where a name is looked up that only the reader's own lists have; an example would be made up. */
const lists: readonly { readonly missing: string; readonly of: RegExp; readonly words: string }[] = [
  { missing: "COMMAND", of: /^/, words: "Every command: partner --help" },
  // The service has no list of merchant accounts.
  { missing: "ACCOUNT", of: /^(?!account )/, words: "Your wallets: partner wallets list" },
  { missing: "ID", of: /^batch (?:report|status)$/, words: "Ids of batches that were run: partner batch check FILE" },
  { missing: "ID", of: /^batch /, words: "Batches that were submitted: partner batch list" },
  { missing: "ID", of: /^webhook inbox /, words: "Received events: partner webhook inbox list" },
  { missing: "KEY", of: /^journal /, words: "Your orders: partner journal list" },
  { missing: "KEY", of: /^approvals key /, words: "The keys: partner approvals key list" },
];

/** Where to look up the one thing that is missing, or a line that has all of them; an id in it would be made up. */
function whereNext(names: readonly string[], commandId: string, example: string | undefined): string {
  const sought = names.length === 1 ? names : names.filter((name) => name === "ID");
  const list = lists.find(({ missing, of }) => sought.includes(missing) && of.test(commandId));
  if (list !== undefined && names.length === 1) return `. ${list.words}`;
  if (example === undefined) return "";
  const line = list === undefined ? example : withName(example, commandId, list.missing);
  return `. For example: partner ${line}${list === undefined ? "" : `. ${list.words}`}`;
}

/** The example with a name for the argument after the command's words. */
function withName(example: string, commandId: string, name: string): string {
  const [, ...rest] = example.slice(commandId.length + 1).split(" ");
  return [commandId, name, ...rest].join(" ");
}
