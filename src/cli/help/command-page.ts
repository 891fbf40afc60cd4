import type { Command } from "@oclif/core/command";
import { flagName } from "../../values/text/flag-name.ts";
import { exitCodes } from "../../values/failure.ts";
import { commonFlags } from "../common-flags.ts";
import type { HelpEntry, HelpSection } from "./layout.ts";
import { commands, entries, laidOut, lineCount, prose } from "./layout.ts";

/** The manual and the reference have more examples. */
const examplesMaxCount = 3;
/** A longer page is hard to use. */
const pageMaxLines = 60;

const sharedNames = new Set(Object.keys(commonFlags).map(flagName));

/**
 * What a command does, how it is used, its own flags by group, and its exit codes. Where that is longer than a page at
 * 80 columns, the largest groups list only the names of their flags.
 */
export function commandPage(
  command: Command.Loadable,
  below: readonly HelpEntry[],
  columns: number | undefined,
  bold: boolean,
): string {
  const groups = flagGroups(command);
  const bySize = groups
    .map(({ flags }, at) => [flags.length, at] as const)
    .toSorted(([a, at], [b, bt]) => b - a || bt - at);
  const short = new Set<number>();
  const tooLong = () => lineCount(laidOut(sectionsOf(command, below, groups, short), undefined, false)) > pageMaxLines;
  for (const [, at] of bySize) {
    if (!tooLong()) break;
    short.add(at);
  }
  return laidOut(sectionsOf(command, below, groups, short), columns, bold);
}

/** Every flag of a command with its meaning, including those that every command has. */
export function flagsPage(command: Command.Loadable, columns: number | undefined, bold: boolean): string {
  const own = flagGroups(command).map(({ heading, flags }) => ({
    heading,
    blocks: [entries(...flags.map(flagEntry))],
  }));
  return laidOut([...own, ...sharedSections(command.flags)], columns, bold);
}

/** The flags that every command has, by group. */
export function sharedSections(flags: Command.Loadable["flags"]): HelpSection[] {
  const shared = Object.values(flags).filter(({ name }) => sharedNames.has(name));
  return grouped(shared).map(({ heading, flags: members }) => ({
    heading,
    blocks: [entries(...members.map(flagEntry))],
  }));
}

interface FlagGroup {
  readonly heading: string;
  readonly flags: readonly Command.Flag.Cached[];
}

function sectionsOf(
  command: Command.Loadable,
  below: readonly HelpEntry[],
  groups: readonly FlagGroup[],
  short: ReadonlySet<number>,
): HelpSection[] {
  const words = command.id.replaceAll(":", " ");
  const description = (command.description ?? "").split("\n\n").filter((text) => text !== "");
  const args = Object.values(command.args).map((arg): HelpEntry => [arg.name.toUpperCase(), arg.description ?? ""]);
  const examples = (command.examples ?? []).map((example) => (typeof example === "string" ? example : example.command));
  const usage = [command.usage ?? []].flat().map((line) => `$ partner ${line.replace("<%= command.id %>", words)}`);
  const more = short.size > 0 ? `All flags, each with what it means: partner help ${words} flags` : undefined;
  const shared = "What every command takes (--json, --save, --profile): partner help flags";
  return [
    { blocks: [command.summary ?? "", ...description].map(prose) },
    { heading: "USAGE", blocks: [commands(...usage)] },
    {
      heading: "EXAMPLES",
      blocks: [
        commands(...examples.slice(0, examplesMaxCount).map((line) => line.replace("<%= config.bin %>", "partner"))),
      ],
    },
    ...(args.length === 0 ? [] : [{ heading: "ARGUMENTS", blocks: [entries(...args)] }]),
    ...groups.map(({ heading, flags }, at) => ({
      heading,
      blocks: [
        short.has(at) ? prose(flags.map(({ name }) => `--${name}`).join(", ")) : entries(...flags.map(flagEntry)),
      ],
    })),
    { blocks: [prose([more, shared].filter((line) => line !== undefined).join("\n"))] },
    ...(below.length === 0 ? [] : [{ heading: "COMMANDS", blocks: [entries(...below)] }]),
    { heading: "EXIT CODES", blocks: [prose(exitLine(command))] },
  ];
}

/** A command's own flags; those without a group come first. */
function flagGroups({ flags }: Command.Loadable): FlagGroup[] {
  return grouped(Object.values(flags).filter(({ name, hidden }) => hidden !== true && !sharedNames.has(name)));
}

function grouped(flags: readonly Command.Flag.Cached[]): FlagGroup[] {
  const groups = [...Map.groupBy(flags, ({ helpGroup = "" }) => helpGroup)];
  return groups
    .toSorted(([a], [b]) => Number(a !== "") - Number(b !== ""))
    .map(([group, members]) => ({ heading: `${group} flags`.trim().toUpperCase(), flags: members }));
}

/** `-y, --yes`; the column for the letter is left out where no flag of the group has one. */
function flagEntry(flag: Command.Flag.Cached, _at: number, all: readonly Command.Flag.Cached[]): HelpEntry {
  const room = all.some(({ char }) => char !== undefined) ? "    " : "";
  const required = flag.required === true ? "(required) " : "";
  return [`${flag.char === undefined ? room : `-${flag.char}, `}${flagWords(flag)}`, required + (flag.summary ?? "")];
}

function flagWords(flag: Command.Flag.Cached): string {
  return flag.type === "option" ? `--${flag.name} ${[flag.helpValue ?? "VALUE"].flat().join(" ")}` : `--${flag.name}`;
}

/** Only the codes, on one line: what each means is the same for every command. */
function exitLine(command: Command.Loadable): string {
  const exits: unknown = Reflect.get(command, "exits");
  const codes = exitCodes.filter(({ ending }) => Array.isArray(exits) && exits.includes(ending));
  return `${codes.map(({ exit }) => exit).join(", ")} (partner help exit-codes)`;
}
