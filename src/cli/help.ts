import type { Command } from "@oclif/core/command";
import type { Config } from "@oclif/core/config";
import { CommandHelp } from "@oclif/core/help";
import { closest } from "../values/text/closest.ts";
import { exitCodes, Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";
import { inChoice, nearestCommands } from "./line/usage-errors.ts";
import type { Topics } from "./application.ts";

const helpMaxWidth = 100;

/**
 * The help for a command (`wallet balance`), a group of commands (`wallet`), a topic (`exit-codes`) or, without words,
 * for the whole program; undefined where there is nothing of that name.
 */
export function helpText(
  words: readonly string[],
  config: Config,
  topics: Topics,
  colour: boolean,
): string | undefined {
  if (words.length === 0 || words.join(" ") === "help") return overview(config, topics);
  const command = config.findCommand(words.join(":"));
  const within = commandsUnder(words, config);
  if (command !== undefined) return commandHelp(command, within, config, colour);
  if (within.length > 0) return `${listed("COMMANDS", within)}\nMore: partner ${words.join(" ")} COMMAND --help\n`;
  const [name = ""] = words;
  const topic = words.length === 1 && Object.hasOwn(topics, name) ? topics[name] : undefined;
  return topic === undefined ? undefined : `${topic.text()}\n`;
}

/** What was asked about is no command, no group of commands and no topic. */
export function unknownTopic(words: readonly string[], ids: readonly string[], topics: Topics): Failure {
  const typed = words.join(" ");
  const names = [...Object.keys(topics), ...ids.flatMap((id) => [id.replace(/:.*/, ""), id.replaceAll(":", " ")])];
  const meant = closest(typed, names);
  const near = meant === undefined ? nearestCommands(words, ids) : [meant];
  return new Failure("usage", `There is no command and no topic ${quote(typed)}.`, {
    hint: near.length === 0 ? "See which there are: partner --help" : `Did you mean: ${inChoice("partner help", near)}`,
  });
}

function overview(config: Config, topics: Topics): string {
  const groups = config.commands.map(entryOf).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const topicLines = Object.entries(topics).map(([name, { summary }]): [string, string] => [`help ${name}`, summary]);
  return [
    `${config.pjson.description ?? ""}\n`,
    "USAGE\n  $ partner COMMAND [--flags]\n",
    listed("COMMANDS", groups),
    listed("TOPICS", topicLines),
    "Try it without an account: partner simulator run -- partner wallets list",
    "More: partner COMMAND --help\n",
  ].join("\n");
}

function commandsUnder(words: readonly string[], config: Config): [string, string][] {
  const prefix = `${words.join(":")}:`;
  return config.commands.filter(({ id }) => id.startsWith(prefix)).map(entryOf);
}

function entryOf({ id, summary }: Command.Loadable): [string, string] {
  return [id.replaceAll(":", " "), summary ?? ""];
}

function listed(heading: string, entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return `${heading}\n${entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}\n`;
}

/** It ends with the exit codes, which is where a person looks for them. */
function commandHelp(
  command: Command.Loadable,
  within: readonly (readonly [string, string])[],
  config: Config,
  colour: boolean,
): string {
  // oclif takes words that follow the arguments for more of the last one; the usage says what they are.
  const spaced = { ...command, id: command.id.replaceAll(":", " "), strict: true };
  const help = new AlignedHelp(spaced, config, { maxWidth: helpMaxWidth, stripAnsi: !colour, flagSortOrder: "none" });
  const below = within.length > 0 ? `${listed("COMMANDS", within)}\n` : "";
  return `${command.summary ?? ""}\n\n${help.generate()}\n\n${below}EXIT CODES\n${exitLines(command)}\n`;
}

/** oclif cuts off what stands before the first of a list's flags, and with it the room for flags of one letter. */
class AlignedHelp extends CommandHelp {
  override renderList(...[input, options]: Parameters<CommandHelp["renderList"]>): string {
    const [[first = ""] = []] = input;
    const room = first.length - first.trimStart().length;
    return " ".repeat(room) + super.renderList(input, options);
  }
}

function exitLines(command: Command.Loadable): string {
  const exits: unknown = Reflect.get(command, "exits");
  return exitCodes
    .filter(({ ending }) => Array.isArray(exits) && exits.includes(ending))
    .map(({ exit, ending, next }) => `  ${String(exit).padStart(3)}  ${ending}: ${next}`)
    .join("\n");
}
