import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moneyDoor, moneyHasOneDoor } from "./money-door.ts";
import { onlyTheHostTouchesTheWorld } from "./rules.ts";
import { parseSource, readSources } from "./source.ts";

// Each file in `past-the-journal` sends an order that is not in the journal, or tries to. The compiler sees them next
// to the sources (`rootDirs`), so their imports work as they would there.

const root = join(import.meta.dirname, "../..");
const folder = "test/tidy/past-the-journal";

/**
 * What stops a file: the beginnings of the compiler's errors, and the names in the rules' complaints, each in the
 * order of the file.
 */
interface Stopped {
  readonly compiler: readonly string[];
  readonly rules: readonly string[];
}

const stopped: Readonly<Record<string, Stopped>> = {
  "commands/proper.ts": { compiler: [], rules: [] },
  "commands/tools-with-a-mover.ts": {
    compiler: ["TS2339: Property 'mover' does not exist on type 'WitnessedTools'."],
    rules: [],
  },
  "commands/mover-without-a-claim.ts": {
    compiler: ["TS2554: Expected 2 arguments, but got 1."],
    rules: ["client/mover.ts"],
  },
  "movements/mover-with-a-record-left-out.ts": {
    compiler: [
      "TS2353: Object literal may only specify known properties, and 'body' does not exist in type 'SendOptions'.",
      "TS2353: Object literal may only specify known properties, and 'onSending' does not exist in type 'SendOptions'.",
      "TS2345: Argument of type 'undefined' is not assignable to parameter of type 'Claim'.",
    ],
    rules: [],
  },
  "commands/made-up-claim.ts": { compiler: ["TS2741: Property '#isIssued' is missing"], rules: [] },
  "commands/altered-claim.ts": { compiler: ["TS2741: Property '#isIssued' is missing"], rules: [] },
  "commands/issued-claim.ts": { compiler: [], rules: ["journal/issued.ts"] },
  "commands/journal-of-its-own.ts": { compiler: [], rules: ["journal/sqlite/open.ts"] },
  "commands/wire-of-the-session.ts": {
    compiler: [
      "TS2339: Property 'openWire' does not exist on type 'Session'.",
      "TS2339: Property 'serviceLine' does not exist on type 'Session'.",
      "TS2339: Property 'transport' does not exist on type 'Host'.",
      "TS2339: Property 'transport' does not exist on type 'Connection'.",
      "TS2339: Property 'send' does not exist on type 'Connection'.",
      "TS2339: Property 'network' does not exist on type 'Session'.",
    ],
    rules: [],
  },
  "commands/wire-of-the-connection.ts": { compiler: [], rules: ["client/connection.ts"] },
  "commands/transfer-as-a-read.ts": {
    compiler: [
      "TS2345: Argument of type 'MoneyEndpoint<",
      "TS2741: Property '#isSpecified' is missing",
      "TS2741: Property '#isSpecified' is missing",
    ],
    rules: [],
  },
  "commands/transfer-as-a-raw-read.ts": {
    compiler: ["TS2345: Argument of type 'MoneyEndpoint<", "TS2673: Constructor of class 'RawRead' is private"],
    rules: [],
  },
  "commands/endpoint-of-its-own.ts": { compiler: [], rules: ["contract/endpoint.ts"] },
  "commands/post-with-credentials.ts": {
    compiler: [
      "TS2353: Object literal may only specify known properties, and 'headers' does not exist in type 'PostRequest'.",
      "TS2353: Object literal may only specify known properties, and 'method' does not exist in type 'ProbeSettings'.",
    ],
    rules: [],
  },
  "commands/fetched.ts": { compiler: [], rules: ["fetch", "node:https"] },
  "app/transport-of-the-host.ts": {
    compiler: [],
    rules: ["host/host.ts", "host/http/http-transport.ts", "host/http/transport.ts"],
  },
  "app/network-of-its-own.ts": {
    compiler: ["TS2339: Property 'transport' does not exist on type 'Host'."],
    rules: ["client/network.ts", "host/http/outlet.ts"],
  },
};

const files = globSync("*/*.ts", { cwd: join(root, folder) }).map((path) => path.replaceAll("\\", "/"));
const errors = compile();

test("the compiler finds errors only in these files, and each of them is in the table", () => {
  expect(files.toSorted()).toEqual(Object.keys(stopped).toSorted());
  expect(errors.filter(({ file }) => !files.includes(file))).toEqual([]);
});

test.each(Object.entries(stopped))("%s", (file, { compiler, rules }) => {
  const said = errors.filter((error) => error.file === file).map(({ message }) => message);
  expect(said).toEqual(compiler.map((start) => expect.stringContaining(start)));
  const source = parseSource(`src/${file}`, readFileSync(join(root, folder, file), "utf8"));
  const complaints = [moneyHasOneDoor, onlyTheHostTouchesTheWorld].flatMap((rule) => rule([source]));
  expect(complaints).toEqual(rules.map((named) => expect.stringContaining(named)));
});

test("every file with a restricted name exists", () => {
  const known = new Set(readSources().map(({ path }) => path));
  expect(moneyDoor.map(({ file }) => file).filter((file) => !known.has(file))).toEqual([]);
});

interface CompileError {
  /** Below the folder, or from the project's root for a file elsewhere. */
  readonly file: string;
  /** `TS2339: …`, its first line. */
  readonly message: string;
}

/** One run over all of them. */
function compile(): CompileError[] {
  const program = join(root, "node_modules", ".bin", "tsc");
  const { stdout } = spawnSync(program, ["-p", folder, "--pretty", "false"], { cwd: root, encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith(" ")) return [];
    const [, file = "", message = line] = /^(.+?)\(\d+,\d+\): error (TS.*)$/.exec(line) ?? [];
    return [{ file: file.replace(`${folder}/`, ""), message }];
  });
}
