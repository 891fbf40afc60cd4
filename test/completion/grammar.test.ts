import { expect, test } from "vitest";
import type { DescribedCommand, DescribedFlag } from "../../src/completion/grammar.ts";
import { placesOf, sharedFlags } from "../../src/completion/grammar.ts";

const none = { topics: [], argumentWords: {} };

function flag(name: string, rest: Partial<DescribedFlag> = {}): Record<string, DescribedFlag> {
  return { [name]: { name, type: "option", ...rest } };
}

function described(id: string, rest: Partial<DescribedCommand> = {}): DescribedCommand {
  return { id, summary: `It does ${id}.`, flags: {}, args: {}, ...rest };
}

function placeAt(words: string, ...commands: readonly DescribedCommand[]) {
  return placesOf(commands, none).find((place) => place.words === words);
}

test("a command that is also a group offers its subcommands", () => {
  const remit = placeAt("remit", described("remit"), described("remit:template"));
  expect(remit).toMatchObject({ isCommand: true, next: [{ text: "template", summary: "It does remit:template." }] });
});

test("a group without a summary of its own lists its commands", () => {
  const top = placeAt("", described("wallet:balance"), described("wallet:statement"));
  expect(top?.next[0]).toEqual({ text: "wallet", summary: "balance, statement" });
});

test("help is followed by commands and topics", () => {
  const topics = [{ text: "cron", summary: "Run it\nat night." }];
  const help = placesOf([described("wallet:balance")], { ...none, topics }).find(({ words }) => words === "help");
  expect(help?.next).toEqual([
    { text: "wallet", summary: "balance" },
    { text: "cron", summary: "Run it at night." },
  ]);
});

test("hidden commands and flags are not offered", () => {
  const flags = flag("secret", { hidden: true });
  const places = placesOf([described("open", { flags }), described("shut", { hidden: true })], none);
  expect(places.map(({ words }) => words)).toEqual(["", "help", "open"]);
  expect(places.at(-1)?.flags.map(({ long }) => long)).toEqual(["--help"]);
});

test.each<[helpValue: string, words: readonly string[], source: string]>([
  ["FILE", [], "files"],
  ["FILE|-", [], "files"],
  ["file|keyring|command", ["file", "keyring", "command"], "nothing"],
  ["demo|empty|FILE", ["demo", "empty"], "files"],
  ["AMOUNT", [], "nothing"],
  ["HOST:PORT", [], "nothing"],
  ["30s", [], "nothing"],
])("a flag whose help says %s offers %j and %s", (helpValue, words, source) => {
  const place = placeAt("do", described("do", { flags: flag("it", { helpValue }) }));
  expect(place?.flags[0]?.value).toEqual({ name: helpValue, words, source });
});

test("--profile and `profile use` offer profiles, and `profile add` doesn't", () => {
  const args = { name: { name: "name", required: true } };
  const flags = flag("profile", { char: "p", helpValue: "NAME" });
  const commands = [described("profile:add", { args, flags }), described("profile:use", { args, flags })];
  expect(placeAt("profile use", ...commands)?.args[0]?.value.source).toBe("profiles");
  expect(placeAt("profile add", ...commands)?.args[0]?.value.source).toBe("nothing");
  expect(placeAt("profile add", ...commands)?.flags[0]).toMatchObject({ short: "-p", value: { source: "profiles" } });
});

test("a flag is shared when every command has it in the same form", () => {
  const commands = [
    described("a", { flags: { ...flag("output", { summary: "How it looks" }), ...flag("to", { summary: "Where" }) } }),
    described("b", { flags: { ...flag("output", { summary: "How it looks" }), ...flag("to", { summary: "Whom" }) } }),
  ];
  expect(sharedFlags(placesOf(commands, none)).map(({ long }) => long)).toEqual(["--output", "--help"]);
});

test("shared flags are offered before the words of a command are complete, except after help", () => {
  const flags = flag("output");
  const commands = [described("wallet:balance", { flags }), described("institutions", { flags })];
  const offered = (words: string) => placeAt(words, ...commands)?.flags.map(({ long }) => long);
  expect(offered("")).toEqual(["--output", "--help", "--version"]);
  expect(offered("wallet")).toEqual(["--output", "--help"]);
  expect(offered("help")).toEqual([]);
});
