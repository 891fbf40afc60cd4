import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../src/catalog.ts";
import { run } from "../partner.ts";
import { schemaOf, schemaViolations, violationsOf } from "../schemas.ts";
import { ask, ok } from "./served.ts";

const folder = join(import.meta.dirname, "../../docs/schemas");
const ids = Object.keys(catalog);

test.each(ids)("schema %s prints the published schema without references to other files", async (id) => {
  const { exit, stdout, stderr } = await run(["schema", ...id.split(":")]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `partner ${id.replaceAll(":", " ")} --json`,
  });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(folder, `${id.replaceAll(":", "-")}.json`), "utf8")));
  expect(stdout).not.toContain("$ref");
});

test("there is no schema of a command that no longer exists", () => {
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

test.each(unknown)("schema %j ends with 2 and suggests a command", async (words, hint) => {
  const { exit, stdout, stderr } = await run(["schema", ...words]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("There is no command");
  expect(stderr).toContain(hint);
});

test("other forms of a command's name find its schema", async () => {
  const { stdout } = await run(["schema", "wallets", "list"]);
  for (const words of [["wallet", "list"], ["wallets list"], ["wallets", "list", "--json"]])
    expect((await run(["schema", ...words])).stdout).toBe(stdout);
});

test("schema without a command ends with 2", async () => {
  expect(await run(["schema"])).toMatchObject({ exit: 2, stdout: "" });
});

test("the check of outputs finds a value that does not match its schema", async () => {
  const right = await ask("wallets list --json", ok('[{"accountNo":"1","balance":4500000.00}]'));
  expect(schemaViolations(["wallets", "list", "--json"], right.host, right.stdout)).toEqual([]);
  const quoted = right.stdout.replace("4500000.00", '"4500000.00"');
  expect(schemaViolations(["wallets", "list", "-ojson"], right.host, quoted)).not.toEqual([]);
  expect(schemaViolations(["wallets", "list", "--csv"], right.host, quoted)).toEqual([]);
});

/** Each of them would break a program that reads it. */
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

test.each(wrong)("the schema of %s rejects %s", (id, document) => {
  expect(violationsOf(id, document)).not.toEqual([]);
});

test("with --columns a row may lack fields but not have unknown ones", () => {
  const row = '[{"check":"clock"}]';
  expect(violationsOf("doctor", row)).not.toEqual([]);
  expect(violationsOf("doctor", row, { isPart: true })).toEqual([]);
  expect(violationsOf("doctor", '[{"secret":"x"}]', { isPart: true })).not.toEqual([]);
});

test("a line of NDJSON is checked as one item of the list", () => {
  expect(violationsOf("doctor", '{"check":"clock","result":"ok","detail":""}', { isLine: true })).toEqual([]);
  expect(violationsOf("doctor", "[]", { isLine: true })).not.toEqual([]);
});

test("a command without a schema is reported", () => {
  expect(() => schemaOf("wallets:burn")).toThrow("npm run schemas");
});
