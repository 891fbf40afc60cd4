import type { Command } from "@oclif/core/command";
import { topics } from "../../src/app/help/topics.ts";
import type { Topic } from "../../src/cli/application.ts";
import type { HelpBlock } from "../../src/cli/help/layout.ts";
import { exitCodes } from "../../src/values/failure.ts";
import { bold, entry, literal, prose, roff, section } from "./roff.ts";

/** What the pages are made from. */
export interface Manual {
  readonly description: string;
  readonly version: string;
  /** The day of the version, as `2026-10-31`; empty where it has none yet. */
  readonly day: string;
  readonly commands: Readonly<Record<string, Command.Cached>>;
}

/**
 * The manual: `partner.1` and a page for each command, such as `partner-wallet-statement.1`, by the names of the files.
 */
export function manualPages(manual: Manual): Map<string, string> {
  const commands = Object.values(manual.commands);
  return new Map([
    ["partner.1", overview(manual, commands)],
    ...commands.map((command): [string, string] => [`${pageName(command)}.1`, commandPage(command, manual, commands)]),
  ]);
}

function overview(manual: Manual, commands: readonly Command.Cached[]): string {
  return page("partner", manual, [
    section("name", roff(`partner - ${sentence(manual.description)}`)),
    section("synopsis", `${bold("partner")} ${roff("COMMAND [--flags]")}`),
    section(
      "description",
      roff(manual.description),
      ".PP",
      "Try it without an account:",
      literal(["partner simulator run -- partner wallets list"]),
    ),
    section(
      "commands",
      ...commands.map((command) => `.TP\n.BR ${roff(pageName(command))} (1)\n${roff(command.summary ?? "")}`),
    ),
    ...Object.values(topics).flatMap(topicSections),
    section(
      "files",
      entry(roff("~/.config/partner"), "Profiles, and the secrets that are kept in a file."),
      entry(roff("~/.local/state/partner"), "The journal: what became of each order to move money."),
    ),
    section("see also", ...references(commands)),
  ]);
}

function topicSections(topic: Topic): string[] {
  return topic
    .page()
    .flatMap(({ heading, blocks }) =>
      heading === undefined
        ? []
        : [
            section(
              heading === "EXIT CODES" ? "exit status" : heading,
              blocks.map(blockText).join("\n.PP\n").replaceAll("\n.PP\n.TP\n", "\n.TP\n"),
            ),
          ],
    );
}

function blockText(block: HelpBlock): string {
  if (block.kind === "commands") return literal(block.lines);
  if (block.kind === "entries") return block.entries.map(([name, text]) => entry(roff(name), text)).join("\n");
  return prose(block.text, "kept");
}

function commandPage(command: Command.Cached, manual: Manual, all: readonly Command.Cached[]): string {
  const name = pageName(command);
  const words = wordsOf(command);
  const description =
    command.description === undefined || command.description === "" ? (command.summary ?? "") : command.description;
  const args = Object.values(command.args);
  return page(name, manual, [
    section("name", roff(`${name} - ${sentence(command.summary ?? "")}`)),
    section("synopsis", ...usageOf(command, words)),
    section("description", prose(description, "kept")),
    ...(args.length === 0
      ? []
      : [section("arguments", ...args.map((arg) => entry(bold(arg.name.toUpperCase()), arg.description ?? "")))]),
    ...flagSections(command),
    section("examples", literal(examplesOf(command))),
    section("exit status", ...exitEntries(command), ".PP", "Explained in", ".BR partner (1)."),
    section(
      "see also",
      ".BR partner (1)" + (relatives(command, all).length > 0 ? "," : ""),
      ...references(relatives(command, all)),
    ),
  ]);
}

function page(name: string, { version, day }: Manual, sections: readonly string[]): string {
  const head = `.TH "${roff(name.toUpperCase())}" "1" "${day}" "partner ${version}" "partner manual"`;
  return `${[head, ".nh", ".ad l", ...sections].join("\n")}\n`;
}

function usageOf({ usage }: Command.Cached, words: string): string[] {
  const lines = [usage ?? []].flat().map((line) => line.replace("<%= command.id %>", ""));
  return lines.flatMap((line, index) => [...(index === 0 ? [] : [".br"]), bold(`partner ${words}`) + roff(line)]);
}

function flagSections({ flags }: Command.Cached): string[] {
  const groups = Map.groupBy(
    Object.values(flags).filter(({ hidden }) => hidden !== true),
    ({ helpGroup }) => (helpGroup ?? "").toLowerCase(),
  );
  return [...groups].map(([group, members]) =>
    section(`${group} flags`.trim(), ...members.map((flag) => entry(flagName(flag), flag.summary ?? ""))),
  );
}

function flagName(flag: Command.Flag.Cached): string {
  const value = flag.type === "option" ? `=${[flag.helpValue ?? "VALUE"].flat().join(" ")}` : "";
  const short = flag.char === undefined ? "" : `${bold(`-${flag.char}`)}, `;
  return `${short}${bold(`--${flag.name}`)}${roff(value)}${flag.required === true ? " (required)" : ""}`;
}

function examplesOf({ examples = [] }: Command.Cached): string[] {
  const lines = examples.map((example) => (typeof example === "string" ? example : example.command));
  return lines.map((line) => line.replace("<%= config.bin %>", "partner"));
}

function exitEntries(command: Command.Cached): string[] {
  const exits: unknown = Reflect.get(command, "exits");
  return exitCodes
    .filter(({ ending }) => Array.isArray(exits) && exits.includes(ending))
    .map(({ exit, ending, next }) => entry(bold(String(exit)), `${ending}: ${next}`));
}

/** The other commands of its group. */
function relatives({ id }: Command.Cached, all: readonly Command.Cached[]): Command.Cached[] {
  const [group] = id.split(":");
  return all.filter((other) => other.id !== id && other.id.split(":")[0] === group);
}

function references(commands: readonly Command.Cached[]): string[] {
  return commands.map(
    (command, index) => `.BR ${roff(pageName(command))} (1)${index === commands.length - 1 ? "" : ","}`,
  );
}

function pageName({ id }: Command.Cached): string {
  return `partner-${id.replaceAll(":", "-")}`;
}

function wordsOf({ id }: Command.Cached): string {
  return id.replaceAll(":", " ");
}

/** Manual pages have their summary without a full stop, for `whatis` and `apropos`. */
function sentence(summary: string): string {
  return summary.replace(/\.$/, "");
}
