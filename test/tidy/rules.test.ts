import { expect, test } from "vitest";
import { moneyHasOneDoor } from "./money-door.ts";
import { exportedTypesHaveOneName } from "./names.ts";
import * as rules from "./rules.ts";
import type { Rule } from "./rules.ts";
import { parseSource, readSources } from "./source.ts";

const sources = readSources();

/** Each rule with sources that break it: a rule that never fails protects nothing. */
const houseRules: readonly (readonly [string, Rule, Readonly<Record<string, string>>])[] = [
  [
    "a folder imports only what its place allows",
    rules.foldersKeepTheirPlace,
    { "src/values/time/day.ts": `import { a } from "../../host/host.ts";` },
  ],
  [
    "the framework of commands knows nothing of payments",
    rules.foldersKeepTheirPlace,
    { "src/cli/command.ts": `import { Session } from "../app/session.ts";` },
  ],
  [
    "only the catalog loads commands",
    rules.onlyTheCatalogLoadsCommands,
    { "src/cli/main.ts": `import a from "../commands/doctor.ts";` },
  ],
  [
    "a heavy package has one door",
    rules.heavyPackagesHaveOneDoor,
    { "src/host/a.ts": `import Client from "undici/lib/x.js";`, "src/host/b.ts": `await import("undici");` },
  ],
  [
    "a door is opened when it is needed",
    rules.doorsAreOpenedWhenNeeded,
    {
      "src/start.ts": `import { a } from "./report/a.ts";`,
      "src/report/a.ts": `import { stringify } from "csv-stringify";`,
    },
  ],
  [
    "an exported type has a name of its own",
    exportedTypesHaveOneName,
    {
      "src/journal/a.ts": "export interface Decision {\n  readonly state: string;\n}",
      "src/rules/b.ts": "export type Decision = string;",
    },
  ],
  [
    "only movements sends money",
    moneyHasOneDoor,
    { "src/app/money/money-context.ts": `import type { Mover } from "../../client/mover.ts";` },
  ],
  [
    "only the journal issues claims",
    moneyHasOneDoor,
    { "src/client/mover.ts": `import { issue } from "../journal/issued.ts";` },
  ],
  [
    "only the contract says what reads",
    moneyHasOneDoor,
    { "src/commands/doctor.ts": `import * as contract from "../contract/endpoint.ts";` },
  ],
  [
    "the wire stays in host and client",
    moneyHasOneDoor,
    { "src/webhooks/a.ts": `import type { Transport } from "../host/http/transport.ts";` },
  ],
  [
    "orders are put on record in the journal that was chosen",
    moneyHasOneDoor,
    { "src/commands/doctor.ts": `await import("../journal/sqlite/open.ts");` },
  ],
  [
    "oclif stays in cli",
    rules.oclifStaysInCli,
    { "src/commands/doctor.ts": `import { Command } from "@oclif/core/command";` },
  ],
  [
    "oclif is imported in parts",
    rules.oclifStaysInCli,
    { "src/cli/main.ts": `import { Command } from "@oclif/core";` },
  ],
  ["zod is zod/mini, whole", rules.zodIsTheSmallOne, { "src/contract/form.ts": `import { z } from "zod/mini";` }],
  [
    "what the system's codes mean stands in one place",
    rules.systemCodesHaveOneDictionary,
    { "src/report/a.ts": `const words = { ENOSPC: "the disk is full" };` },
  ],
  [
    "only the host uses process",
    rules.onlyTheHostTouchesTheWorld,
    { "src/cli/main.ts": `(process as object).exit(1);` },
  ],
  [
    "only the host asks for the time",
    rules.onlyTheHostTouchesTheWorld,
    { "src/values/time/day.ts": `export const now = new Date();` },
  ],
  [
    "only the host makes ids",
    rules.onlyTheHostTouchesTheWorld,
    { "src/client/a.ts": `import { randomUUID } from "node:crypto";` },
  ],
  [
    "only the host opens files",
    rules.onlyTheHostTouchesTheWorld,
    { "src/profiles/a.ts": `import fs from "node:fs/promises";` },
  ],
  [
    "no file imports itself by a detour",
    rules.nothingImportsItself,
    { "src/values/a.ts": `import { b } from "./b.ts";`, "src/values/b.ts": `import type { a } from "./a.ts";` },
  ],
  ["an import names its file", rules.everyImportSaysItsFile, { "src/values/a.ts": `import { b } from "./b.js";` }],
  [
    "an import is no computed one",
    rules.everyImportSaysItsFile,
    { "src/catalog.ts": "await import(`./commands/${id}.ts`);" },
  ],
  [
    "no file only passes on",
    rules.noBarrels,
    { "src/values/all.ts": `export * from "./day.ts"; export { a } from "./money.ts";` },
  ],
  ["a file's name says what it holds", rules.filesAreNamedForWhatTheyHold, { "src/cli/helpers.ts": "" }],
  ["a file fits into a head", rules.filesFitIntoAHead, { "src/cli/long.ts": "\n".repeat(rules.fileMaxLines + 1) }],
  [
    "a folder fits onto a page",
    rules.foldersFitOntoAPage,
    Object.fromEntries(Array.from({ length: rules.folderMaxFiles + 1 }, (_, at) => [`src/cli/a${at}.ts`, ""])),
  ],
  ["the compiler is not silenced", rules.nothingIsSilenced, { "src/cli/main.ts": ["// @ts", "ignore"].join("-") }],
  ["nothing is any", rules.nothingIsSilenced, { "src/cli/main.ts": "export let a: any;" }],
  ["nothing is asserted to be there", rules.nothingIsSilenced, { "src/cli/main.ts": "export const b = a!;" }],
  ["types can be stripped", rules.nothingIsSilenced, { "src/cli/main.ts": "export enum A { B }" }],
];

test.each(houseRules)("%s", (_name, rule, bad) => {
  expect(rule(Object.entries(bad).map(([path, text]) => parseSource(path, text)))).not.toEqual([]);
  expect(rule(sources)).toEqual([]);
});

test("types, properties and names of its own do not count as use of the surroundings", () => {
  const text = `
    function read(fetch: () => Date) { return fetch(); }
    export const host: { process: number; console: typeof console } = { process: 1, console: read(() => new Date(0)) };
    host.process.fetch;`;
  expect(rules.onlyTheHostTouchesTheWorld([parseSource("src/values/a.ts", text)])).toEqual([]);
});
