import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeManifest } from "../../scripts/manifest.ts";
import { catalog } from "../../src/catalog.ts";
import { endings } from "../../src/values/failure.ts";
import { readSources } from "./source.ts";

const root = join(import.meta.dirname, "../..");
const ids = Object.keys(catalog);
const tests = globSync("test/commands/**/*.test.ts", { cwd: root }).map((path) =>
  readFileSync(join(root, path), "utf8"),
);
const transcripts = globSync("test/transcripts/*.txt", { cwd: root }).map((path) =>
  readFileSync(join(root, path), "utf8"),
);

interface Described {
  readonly summary?: string | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly exits?: readonly string[] | undefined;
  readonly flags?: Readonly<Record<string, { readonly summary?: string | undefined }>> | undefined;
}

test("each file under src/commands is in the catalog, under the words of its path", () => {
  const files = globSync("src/commands/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const spelt = files.map((path) => path.slice("src/commands/".length, -".ts".length).replaceAll("/", ":"));
  expect(ids.toSorted()).toEqual(spelt.toSorted());
  const loaded = readSources().find(({ path }) => path === "src/catalog.ts")?.imports ?? [];
  expect(loaded.filter(({ kind }) => kind === "dynamic").map(({ target }) => target)).toEqual(
    ids.map((id) => `src/commands/${id.replaceAll(":", "/")}.ts`),
  );
});

test.each(ids)("%s has a summary, its usage and its exit codes", async (id) => {
  expect(shortcomings(id, (await catalog[id]?.())?.default ?? {})).toEqual([]);
});

test("a command without any of them is found", () => {
  expect(shortcomings("wallets:list", { flags: { type: {} }, examples: ["$ <%= config.bin %> wallet list"] })).toEqual([
    "no summary that is a sentence",
    "the example `wallet list` is of another command",
    "no exits",
    "--type has no summary",
  ]);
});

test.each(ids)("%s is run by a test or a transcript", (id) => {
  expect(isRun(id, [...tests, ...transcripts])).toBe(true);
});

test("a command that no test runs is found", () => {
  expect(isRun("wallets:list", ['run(words("wallet list"))', "partner wallets check"])).toBe(false);
});

test("the committed manifest matches the commands: npm run manifest", async () => {
  expect(readFileSync(join(root, "oclif.manifest.json"), "utf8")).toBe(await makeManifest());
});

test("the manifest contains no default values", async () => {
  const { commands }: { commands: Record<string, { flags: object; args: object }> } = JSON.parse(await makeManifest());
  const inputs = Object.values(commands).flatMap(({ flags, args }) => [
    ...Object.values(flags),
    ...Object.values(args),
  ]);
  expect(inputs.filter((input) => Object.hasOwn(input, "default"))).toEqual([]);
});

function shortcomings(id: string, { summary = "", examples = [], exits = [], flags = {} }: Described): string[] {
  const words = id.replaceAll(":", " ");
  const lines = examples.map((example) => String(example).replace("$ <%= config.bin %> ", ""));
  return [
    ...(/^[A-Z].{5,}\.$/.test(summary) ? [] : ["no summary that is a sentence"]),
    ...(lines.length > 0 ? [] : ["no examples"]),
    ...lines
      .filter((line) => !`${line} `.startsWith(`${words} `))
      .map((line) => `the example \`${line}\` is of another command`),
    ...(exits.length > 0 ? [] : ["no exits"]),
    ...exits.filter((ending) => !Object.hasOwn(endings, ending)).map((ending) => `${ending} is no ending`),
    ...Object.entries(flags).flatMap(([name, flag]) =>
      flag.summary === undefined ? [`--${name} has no summary`] : [],
    ),
  ];
}

/** Typed as a line (`wallets list`) or as words (`"wallets", "list"`). */
function isRun(id: string, texts: readonly string[]): boolean {
  const words = id.split(":");
  const typed = new RegExp(`\\b${words.join(String.raw`(?: |", ?")`)}(?![\\w-])`);
  return texts.some((text) => typed.test(text));
}
