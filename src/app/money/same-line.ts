import { listenText } from "../../values/addresses/listen-address.ts";
import { commandLine, shellWord } from "../../values/text/command-words.ts";
import { durationText } from "../../values/time/duration.ts";
import type { CheckFlags } from "./checks/check-flags.ts";
import type { WaitFlags } from "./waits/wait-flags.ts";

/** A flag as it is typed, such as `--amount`, and its value where it has one. */
export type FlagWord = readonly [flag: string, value?: string];

/** The command line that does the same without a question. With its reference, it moves nothing a second time. */
export function sameLine(command: string, words: readonly FlagWord[]): string {
  return `partner ${command} ${typedWords(words)}`;
}

/** Flags as they are typed. */
export function typedWords(words: readonly FlagWord[]): string {
  return words.map(typed).join(" ");
}

/** A value that begins with a dash must not be mistaken for a flag. */
function typed([flag, value]: FlagWord): string {
  if (value === undefined) return flag;
  return `${flag}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/** The flags about waiting, as they were given. */
export function waitingWords(flags: Partial<WaitFlags>): readonly FlagWord[] {
  const { callbackUrl, wait, waitFor, listen, tunnel, confirmStatement } = flags;
  return [
    ...valued("--callback-url", callbackUrl, String),
    ...toggled("--wait", wait),
    ...valued("--wait-for", waitFor, durationText),
    ...valued("--listen", listen, listenText),
    ...valued("--tunnel", tunnel, commandLine),
    ...toggled("--confirm-statement", confirmStatement),
  ];
}

/** The flags about the checks before an order is sent, as they were given. */
export function checkWords({ again, checkStatement, checkDays }: CheckFlags): readonly FlagWord[] {
  return [
    ...toggled("--again", again),
    ...valued("--check-statement", checkStatement, String),
    ...valued("--check-days", checkDays, String),
  ];
}

/** A flag without a value, where it was given. */
export function toggled(flag: string, given: boolean | undefined): readonly FlagWord[] {
  return given === true ? [[flag]] : [];
}

function valued<T>(flag: string, value: T | undefined, write: (value: T) => string): readonly FlagWord[] {
  return value === undefined ? [] : [[flag, write(value)]];
}
