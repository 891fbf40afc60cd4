import type { Command } from "@oclif/core/command";
import type { Config } from "@oclif/core/config";
import { closest } from "../../values/text/closest.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { inChoice, nearestCommands } from "../line/usage-errors.ts";
import type { CommandGroup, Topics } from "../application.ts";
import { commandPage, flagsPage, sharedSections } from "./command-page.ts";
import type { HelpEntry, HelpSection } from "./layout.ts";
import { commands, entries, laidOut, prose } from "./layout.ts";

/** What help pages are made from. */
export interface Helped {
  readonly config: Config;
  readonly topics: Topics;
  readonly groups: readonly CommandGroup[];
}

/** How a page is shown. */
export interface PageForm {
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** True for bold headings. */
  readonly bold: boolean;
}

/** The topic whose page ends with the flags that every command has. */
const flagsTopic = "flags";

/**
 * The help for a command (`wallet balance`), all of its flags (`wallet balance flags`), a group of commands (`wallet`),
 * a topic (`exit-codes`) or, without words, for the whole program; undefined where nothing has that name.
 */
export function helpText(words: readonly string[], helped: Helped, { columns, bold }: PageForm): string | undefined {
  const { config, topics } = helped;
  const show = (sections: readonly HelpSection[]) => laidOut(sections, columns, bold);
  if (words.length === 0 || words.join(" ") === "help") return show(overview(helped));
  const command = config.findCommand(words.join(":"));
  const within = commandsUnder(words, config);
  if (command !== undefined) return commandPage(command, within, columns, bold);
  if (within.length > 0) return show(groupPage(words, within));
  const [name = ""] = words;
  const topic = words.length === 1 && Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) {
    const whole = words.at(-1) === flagsTopic ? config.findCommand(words.slice(0, -1).join(":")) : undefined;
    return whole === undefined ? undefined : flagsPage(whole, columns, bold);
  }
  const made = name === flagsTopic ? sharedSections(config.commands[0]?.flags ?? {}) : [];
  return show([...topic.page(), ...made]);
}

/** The failure for a word that names no command, group of commands or topic. */
export function unknownTopic(words: readonly string[], ids: readonly string[], topics: Topics): Failure {
  const typed = words.join(" ");
  const names = [...Object.keys(topics), ...ids.flatMap((id) => [id.replace(/:.*/, ""), id.replaceAll(":", " ")])];
  const meant = closest(typed, names);
  const near = meant === undefined ? nearestCommands(words, ids) : [meant];
  return new Failure("usage", `There is no command and no topic ${quote(typed)}.`, {
    hint: near.length === 0 ? "See which there are: partner --help" : `Did you mean: ${inChoice("partner help", near)}`,
  });
}

/** The commands by purpose, the common ones with their summaries. */
function overview({ config, topics, groups }: Helped): HelpSection[] {
  const byId = new Map(config.commands.map((command) => [command.id, command]));
  const listed = groups.map(({ heading, common, more }) => ({
    heading: heading.toUpperCase(),
    blocks: [
      entries(...common.flatMap((id) => byId.get(id) ?? []).map(entryOf)),
      ...(more.length === 0 ? [] : [prose(`Also: ${more.map(wordsOf).join(", ")}`)]),
    ],
  }));
  return [
    { blocks: [prose(config.pjson.description ?? "")] },
    { heading: "USAGE", blocks: [commands("$ partner COMMAND [--flags]")] },
    ...listed,
    { heading: "TOPICS", blocks: [prose(`partner help ${Object.keys(topics).join(", ")}`)] },
    {
      blocks: [
        prose(
          "Try it without an account: partner simulator run -- partner wallets list\nMore: partner COMMAND --help, or partner help TOPIC",
        ),
      ],
    },
  ];
}

function groupPage(words: readonly string[], within: readonly HelpEntry[]): HelpSection[] {
  return [
    { heading: "COMMANDS", blocks: [entries(...within)] },
    { blocks: [prose(`More: partner ${words.join(" ")} COMMAND --help`)] },
  ];
}

function commandsUnder(words: readonly string[], config: Config): HelpEntry[] {
  const prefix = `${words.join(":")}:`;
  return config.commands.filter(({ id }) => id.startsWith(prefix)).map(entryOf);
}

function entryOf({ id, summary }: Command.Loadable): HelpEntry {
  return [wordsOf(id), summary ?? ""];
}

function wordsOf(id: string): string {
  return id.replaceAll(":", " ");
}
