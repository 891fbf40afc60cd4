import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commands } from "../../scripts/docs/tables.ts";
import { makeManifest } from "../../scripts/manifest.ts";
import type { Topic } from "../../src/cli/application.ts";
import { topics } from "../../src/app/help/topics.ts";
import { longShare } from "./english/rules.ts";
import { readSources } from "./source.ts";
import { faultsIn, isLong, proseOf, sentencesOf } from "./english/sentences.ts";

const root = join(import.meta.dirname, "../..");

/** Sentences of each document of the project, by its path. `docs/reference` is made from the commands. */
const documents = new Map(
  globSync(["*.md", "docs/*.md", "docs/{guide,decisions}/*.md", ".github/**/*.md"], { cwd: root })
    .toSorted()
    .map((path) => [path, sentencesOf(proseOf(readFileSync(join(root, path), "utf8")))]),
);

const { commands }: { commands: Commands } = JSON.parse(await makeManifest());

/** Sentences of each command's help and of each topic, by its name. */
const help = new Map([
  ...Object.entries(commands).map(([id, command]): [string, string[]] => [
    id,
    wordsOfHelp(command).flatMap(sentencesOf),
  ]),
  ...Object.entries(topics).map(([name, topic]): [string, string[]] => [
    name,
    wordsOfTopic(topic).flatMap(sentencesOf),
  ]),
]);

function wordsOfHelp({ summary, description, flags, args }: Commands[string]): string[] {
  const texts = [
    summary,
    description,
    ...Object.values(flags).map((flag) => flag.summary),
    ...Object.values(args).map((arg) => arg.description),
  ];
  return [...new Set(texts.filter((text) => text !== undefined))];
}

function wordsOfTopic(topic: Topic): string[] {
  const blocks = topic.page().flatMap((section) => section.blocks);
  return blocks.flatMap((block) => {
    if (block.kind === "prose") return block.text.split("\n");
    return block.kind === "entries" ? block.entries.map(([, text]) => text) : [];
  });
}

/** What is wrong, with the place before it. */
function faultsByPlace(texts: Iterable<readonly [string, readonly string[]]>): string[] {
  return [...texts].flatMap(([place, sentences]) => faultsIn(sentences).map((fault) => `${place}: ${fault}`));
}

/** Sentences that are too long, if there are more of them than allowed. */
function tooLong(sentences: readonly string[]): string[] {
  const long = sentences.filter(isLong);
  return long.length > sentences.length * longShare ? long : [];
}

test("documents contain no banned words", () => {
  expect(faultsByPlace(documents)).toEqual([]);
});

test("sentences of README and guides are short", () => {
  const forUsers = [...documents].filter(([path]) =>
    /^(?:README|CONTRIBUTING|SECURITY|docs\/guide\/.*)\.md$/.test(path),
  );
  expect(tooLong(forUsers.flatMap(([, sentences]) => sentences))).toEqual([]);
});

test("help contains no banned words", () => {
  expect(faultsByPlace(help)).toEqual([]);
});

test("no text of the sources contains banned words", () => {
  const texts = readSources().map(({ path, strings }): [string, string[]] => [
    path,
    strings.filter((string) => !isSql(string)).flatMap(sentencesOf),
  ]);
  expect(faultsByPlace(texts)).toEqual([]);
});

test("no title of a test says what the house does without", () => {
  const titles = globSync("test/**/*.test.ts", { cwd: root }).map((path): [string, string[]] => [
    path,
    titlesIn(readFileSync(join(root, path), "utf8")),
  ]);
  expect(titles.flatMap(([, ofFile]) => ofFile).length).toBeGreaterThan(titles.length);
  expect(faultsByPlace(titles)).toEqual([]);
});

/** Titles of tests and groups, those of `each` included. */
function titlesIn(text: string): string[] {
  const title = /(?:^\s*(?:test|describe)(?:\.\w+)*\(|^.*\]\)\()\s*"((?:[^"\\]|\\.)*)"/gm;
  return [...text.matchAll(title)].flatMap(([, words = ""]) => words);
}

/** The layout of a database stays as it was created. */
function isSql(text: string): boolean {
  return /^\s*(?:CREATE|ALTER|INSERT|SELECT|UPDATE|WITH) /.test(text);
}

test("sentences of help are short", () => {
  expect(tooLong([...new Set([...help.values()].flat())])).toEqual([]);
});

test.each([
  ["A name that is no number.", '"is no" (is not a …, isn\'t a valid …)'],
  ["Nobody can listen there.", '"Nobody" (another program, another person, you, or a passive)'],
  ["The reason stands in the log.", '"stands in" (is in, means, replaces)'],
  ["The format, a table when left out.", '"when left out" (default: …, without it)'],
  ["It takes the place of the one that was used.", '"the one that" (the name of the thing)'],
  ["It lets connections go.", '"lets connections go" (release, close, drop)'],
  ["What the service was heard to say.", '"heard" (receive, learn, see)'],
  ["It tells of clocks that differ.", '"tells of" (report, show, list)'],
  ["A file that was made by people who know what is in it, which is rare.", "3 of that, which, who"],
])("%s is found", (sentence, fault) => {
  expect(faultsIn([sentence])).toEqual([`${fault}: ${sentence}`]);
});

test("sentences that only look like faults pass", () => {
  expect(faultsIn(["There is no profile yet.", "It is no longer used.", "The standby stands still."])).toEqual([]);
});

test("sentences are separated in prose, lists and tables, and code counts as a word", () => {
  const page =
    "# One\n\nTwo is `a long line. Of code`. Three?\n\n- Four\n- Five\n\n| Six | Seven. Eight |\n\n```sh\nnine\n```\n";
  expect(sentencesOf(proseOf(page))).toEqual([
    "One",
    "Two is CODE.",
    "Three?",
    "Four",
    "Five",
    "Six",
    "Seven.",
    "Eight",
  ]);
});

test("a sentence of 21 words is long, and one in a hundred may be", () => {
  const long = `${"word ".repeat(21).trim()}.`;
  expect(tooLong([long, ...Array.from({ length: 98 }, () => "Short.")])).toEqual([long]);
  expect(tooLong([long, ...Array.from({ length: 99 }, () => "Short.")])).toEqual([]);
});
