import type { Command } from "@oclif/core/command";
import { exitCodes } from "../../src/values/failure.ts";
import type { Commands } from "./tables.ts";
import { table } from "./tables.ts";

/**
 * The reference: a page for each command, such as `wallet-statement.md`, and `README.md` with the list of them.
 * @returns the text of each file by its name
 */
export function referencePages(commands: Commands): Map<string, string> {
  const all = Object.values(commands).filter(({ hidden }) => !hidden);
  return new Map([
    ["README.md", overview(all)],
    ...all.map((command): [string, string] => [fileName(command), commandPage(command)]),
  ]);
}

const remark = "<!-- Made by `npm run readme` from the commands. Change src/commands. -->";

function overview(commands: readonly Command.Cached[]): string {
  const rows = commands.map((command) => [`[\`${wordsOf(command)}\`](${fileName(command)})`, command.summary ?? ""]);
  return `${remark}\n\n# Reference\n\nEvery command, its flags, examples and exit codes.\n\n${table(["command", "what it does"], rows)}`;
}

function commandPage(command: Command.Cached): string {
  const description = (command.description ?? "").trim();
  const args = Object.values(command.args).map((arg) => [`\`${arg.name.toUpperCase()}\``, oneLine(arg.description)]);
  const sections = [
    `${remark}\n\n# partner ${wordsOf(command)}\n`,
    `${command.summary ?? ""}\n`,
    fence("text", usageOf(command)),
    ...(description === "" || description === command.summary ? [] : [fence("text", [description])]),
    ...(args.length === 0 ? [] : [`## Arguments\n\n${table(["argument", "meaning"], args)}`]),
    ...flagSections(command),
    `## Examples\n\n${fence("text", examplesOf(command))}`,
    `## Exit codes\n\n${table(["exit", "ending", "what to do next"], exitRows(command))}`,
  ];
  return sections.join("\n");
}

/** A description is a text for the terminal: its lines stay as they are. */
function fence(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join("\n")}\n\`\`\`\n`;
}

function usageOf(command: Command.Cached): string[] {
  const lines = [command.usage ?? []].flat().map((line) => line.replace("<%= command.id %>", ""));
  return lines.map((line) => `partner ${wordsOf(command)}${line}`);
}

function flagSections({ flags }: Command.Cached): string[] {
  const groups = Map.groupBy(
    Object.values(flags).filter(({ hidden }) => hidden !== true),
    ({ helpGroup }) => (helpGroup ?? "").toLowerCase(),
  );
  return [...groups].map(([group, members]) => {
    const title = group === "" ? "Flags" : `Flags: ${group}`;
    return `## ${title}\n\n${table(
      ["flag", "meaning"],
      members.map((flag) => [flagName(flag), oneLine(flag.summary)]),
    )}`;
  });
}

function flagName(flag: Command.Flag.Cached): string {
  const value = flag.type === "option" ? `=${[flag.helpValue ?? "VALUE"].flat().join(" ")}` : "";
  const short = flag.char === undefined ? "" : `-${flag.char}, `;
  return `\`${short}--${flag.name}${value}\`${flag.required === true ? " (required)" : ""}`;
}

function examplesOf({ examples = [] }: Command.Cached): string[] {
  const lines = examples.map((example) => (typeof example === "string" ? example : example.command));
  return lines.map((line) => line.replace("<%= config.bin %>", "partner"));
}

function exitRows(command: Command.Cached): string[][] {
  const exits: unknown = Reflect.get(command, "exits");
  return exitCodes
    .filter(({ ending }) => Array.isArray(exits) && exits.includes(ending))
    .map(({ exit, ending, next }) => [String(exit), ending, next]);
}

function fileName({ id }: Command.Cached): string {
  return `${id.replaceAll(":", "-")}.md`;
}

function wordsOf({ id }: Command.Cached): string {
  return id.replaceAll(":", " ");
}

/** Angle brackets outside of code would be read as HTML. */
function oneLine(text = ""): string {
  return text.split(/\s+/).join(" ").replaceAll("<", "&lt;");
}
