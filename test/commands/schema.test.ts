import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../src/catalog.ts";
import { run } from "../partner.ts";
import { schemaOf, schemaViolations, violationsOf } from "../schemas.ts";
import { ask, ok } from "./served.ts";

const folder = join(import.meta.dirname, "../../docs/schemas");
const ids = Object.keys(catalog);

test.each(ids)("the schema of %s is printed as it is published, with no reference to another file", async (id) => {
  const { exit, stdout, stderr } = await run(["schema", ...id.split(":")]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `partner ${id.replaceAll(":", " ")} --json`,
  });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(folder, `${id.replaceAll(":", "-")}.json`), "utf8")));
  expect(stdout).not.toContain("$ref");
});

test("no schema is left of a command that is gone", () => {
  const titles = readdirSync(folder).map((file) => String(JSON.parse(readFileSync(join(folder, file), "utf8")).title));
  const known = ids.map((id) => `partner ${id.replaceAll(":", " ")} --json`);
  expect(titles.filter((title) => title.endsWith(" --json")).toSorted()).toEqual(known.toSorted());
});

const unknown: readonly [words: string[], hint: string][] = [
  [["walets", "lst"], "partner schema wallets list"],
  [
    ["wallet"],
    "The commands are wallet balance, wallet statement. For the first of them: partner schema wallet balance\n",
  ],
  [
    ["balance"],
    "The commands are account balance, wallet balance. For the first of them: partner schema account balance\n",
  ],
  [["rules.json"], "partner --help"],
  [["rules"], "partner schema rules check"],
  [["../rules"], "partner schema rules check"],
  [["__proto__"], "partner --help"],
];

test.each(unknown)("there is no command %j: exit 2, and what may be meant", async (words, hint) => {
  const { exit, stdout, stderr } = await run(["schema", ...words]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("There is no command");
  expect(stderr).toContain(hint);
});

test("words that people type for others, and words in one, find their command", async () => {
  const { stdout } = await run(["schema", "wallets", "list"]);
  for (const words of [["wallet", "list"], ["wallets list"], ["wallets", "list", "--json"]])
    expect((await run(["schema", ...words])).stdout).toBe(stdout);
});

test("the schema alone is missing its command", async () => {
  expect(await run(["schema"])).toMatchObject({ exit: 2, stdout: "" });
});

test("an output that isn't as published turns its test red", async () => {
  const right = await ask("wallets list --json", ok('[{"accountNo":"1","balance":4500000.00}]'));
  expect(schemaViolations(["wallets", "list", "--json"], right.host, right.stdout)).toEqual([]);
  const quoted = right.stdout.replace("4500000.00", '"4500000.00"');
  expect(schemaViolations(["wallets", "list", "-ojson"], right.host, quoted)).not.toEqual([]);
  expect(schemaViolations(["wallets", "list", "--csv"], right.host, quoted)).toEqual([]);
});

/** Each of them is something that a program would stumble over. */
const wrong: readonly [id: string, document: string][] = [
  ["wallets:list", '{"accountNo":"1"}'],
  ["wallets:list", '[{"accountNo":1}]'],
  ["wallets:list", '[{"accountNo":"1","balance":""}]'],
  ["wallet:statement", '[{"amountCredited":"12.50"}]'],
  ["profile:use", '{"name":"shop"}'],
  ["profile:use", '{"name":"shop","current":true,"secretKey":"x"}'],
  ["journal:verify", '{"orders":1,"lines":1.5,"head":"00"}'],
  ["batch:status", '{"batch":"1"}'],
  ["doctor", '[{"check":"clock","result":"fine","detail":""}]'],
  ["completion", "{}"],
];

test.each(wrong)("%s: %s is no output of it", (id, document) => {
  expect(violationsOf(id, document)).not.toEqual([]);
});

test("with --columns a row may lack fields, and has no others", () => {
  const row = '[{"check":"clock"}]';
  expect(violationsOf("doctor", row)).not.toEqual([]);
  expect(violationsOf("doctor", row, { isPart: true })).toEqual([]);
  expect(violationsOf("doctor", '[{"secret":"x"}]', { isPart: true })).not.toEqual([]);
});

test("a line of NDJSON is an item of the list", () => {
  expect(violationsOf("doctor", '{"check":"clock","result":"ok","detail":""}', { isLine: true })).toEqual([]);
  expect(violationsOf("doctor", "[]", { isLine: true })).not.toEqual([]);
});

test("a command without a schema is found out", () => {
  expect(() => schemaOf("wallets:burn")).toThrow("npm run schemas");
});
