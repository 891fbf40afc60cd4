import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unplugged } from "../fuzz/unplugged.ts";
import { size } from "../journal/long.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { errorIn } from "./served.ts";

const manifest: { commands: Record<string, { flags: Record<string, { char?: string; type: string }> }> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "oclif.manifest.json"), "utf8"),
);

/** Command lines that fail before, while and after they are read, word by word; a flag keeps its value. */
const failing: readonly (readonly (readonly string[])[])[] = [
  [["nonsense"]],
  [["wallet"], ["nonsense"]],
  [["help"], ["nonsense"]],
  [["wallet"], ["balance"]],
  [["wallets"], ["list"], ["extra"]],
  [["wallets"], ["list"], ["--nope"]],
  [["wallets"], ["list"], ["--retries", "x"]],
  [["wallets"], ["list"], ["--raw=false"]],
  [["wallets"], ["list"], ["--retries", "1"], ["--retries", "2"]],
  [["wallets"], ["list"], ["--currency", "--raw"]],
  [["wallet"], ["balance"], ["42"], ["--fail-below", "-5"]],
  [["transfer"], ["--from", "1"], ["--to", "2"], ["--amount", "5"], ["--description", "rent"], ["-q"]],
  [["profile"], ["show"], ["shop"]],
  [["wallets"], ["list"]],
];

/** Every way to ask for the same format. */
function spellingsOf(format: string): readonly (readonly string[])[] {
  return [
    [`--output=${format}`],
    ["--output", format],
    ["-o", format],
    [`-o${format}`],
    [`-o=${format}`],
    [`-qo${format}`],
    ["-qo", format],
    [`-qo=${format}`],
    [`-qqo${format}`],
    [`--quiet`, `-o${format}`],
    ...(format === "json" || format === "csv" ? [[`--${format}`], ["-q", `--${format}`]] : []),
  ];
}

/** Error messages name this folder, so it is the same for each of them. */
const noProfiles = temporaryFolder();

async function errorOf(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { host, environment: known } = unplugged({ status: 500, body: "{}" });
  const isKnown = argv[0] !== "profile";
  const own = { ...(isKnown ? known : {}), PARTNER_CONFIG_DIR: noProfiles };
  const ended = await run(argv, { host, environment: { ...own, ...environment } });
  return { exit: ended.exit, stdout: ended.stdout, last: ended.stderr.trimEnd().split("\n").at(-1) ?? "" };
}

const lines = fc.constantFrom(...failing);

describe("an error has the requested format", () => {
  test("for every spelling of the flag, before, between and after the words", async () => {
    const wishes = fc.constantFrom("json", "ndjson").chain((format) => fc.constantFrom(...spellingsOf(format)));
    const property = fc.asyncProperty(lines, wishes, fc.nat(), async (line, wish, at) => {
      const place = at % (line.length + 1);
      const typed = [...line.slice(0, place), wish, ...line.slice(place)].flat();
      const usual = await errorOf([...line.flat(), "--output=json"]);
      expect(errorIn({ stderr: usual.last })).toMatchObject({ message: expect.any(String) });
      expect(await errorOf(typed)).toEqual(usual);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  test("from PARTNER_OUTPUT, unless a flag overrides it", async () => {
    const property = fc.asyncProperty(lines, fc.constantFrom(...spellingsOf("csv")), async (line, wish) => {
      const usual = await errorOf([...line.flat(), "--output=json"]);
      expect(await errorOf(line.flat(), { PARTNER_OUTPUT: "json" })).toEqual(usual);
      expect((await errorOf([...line.flat(), ...wish], { PARTNER_OUTPUT: "json" })).last).not.toMatch(/^\{/);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test.each([
    ["nonsense -yojson", "json"],
    ["nonsense -nqojson", "json"],
    ["transfer -nyojson", "json"],
    ["transfer --description --json --amount x", "json"],
    ["transfer --description=--json --amount x", "table"],
    ["transfer --amount x -- --json", "table"],
    ["transfer --description -- --json", "json"],
    ["wallets list --nope --save --json", "json"],
    ["wallets list --json=false --nope", "table"],
    ["wallets list --json=true", "json"],
    ["wallets list -qzojson", "table"],
    ["wallets list --sort -ojson --nope", "json"],
    ["-ojson", "json"],
    ["-p shop -qo=ndjson", "json"],
  ])("partner %s: %s", async (line, form) => {
    const { exit, last } = await errorOf(words(line));
    expect([exit, last.startsWith('{"error":') ? "json" : "table"]).toEqual([2, form]);
  });
});

test.each(["--debug", "--debug -q", "-q --debug"])("%s prints a stack trace from any position", async (flags) => {
  for (const line of failing.slice(0, 4)) {
    for (const argv of [
      [...words(flags), ...line.flat()],
      [...line.flat(), ...words(flags)],
    ]) {
      const { stderr } = await run(argv);
      expect(stderr).toMatch(/\n {4}at /);
    }
  }
});

test("--no-color keeps errors plain on a terminal, anywhere in the command line", async () => {
  const terminal = { terminal: { stderr: true } };
  for (const line of failing.slice(0, 4)) {
    expect((await run(line.flat(), terminal)).stderr).toContain("\u001b[");
    expect((await run([...line.flat(), "--no-color"], terminal)).stderr).not.toContain("\u001b[");
    expect((await run(["--no-color", ...line.flat()], terminal)).stderr).not.toContain("\u001b[");
  }
});

const toggles = Object.entries(manifest.commands).flatMap(([id, { flags }]) =>
  Object.entries(flags).flatMap(([name, { type, char }]) => (type === "boolean" ? [{ id, name, char }] : [])),
);

test("a value for a flag that takes none is refused, with the correct spelling", async () => {
  for (const [at, { id, name, char }] of toggles.entries()) {
    const values = ["true", "false", ""];
    for (const value of values.filter((_, index) => size(0, 1) === 1 || index === at % values.length)) {
      const spellings = [
        `--${name}=${value}`,
        ...(char === undefined ? [] : [`-${char}=${value}`, `-q${char}=${value}`]),
      ];
      for (const spelling of spellings) {
        const { exit, stdout, stderr } = await run(
          [...id.split(":"), spelling],
          unplugged({ status: 200, body: "[]" }),
        );
        expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
        const [takes, hint] =
          name === "debug"
            ? ["full or nothing", "Write --debug, or --debug=full."]
            : ["no value", `Write --${name} alone for yes, and leave it out for no.`];
        expect(stderr).toContain(`--${name} takes ${takes}, and was given ${JSON.stringify(value)}.`);
        expect(stderr).toContain(hint);
      }
    }
  }
});

test.each(["--version", "--version --json", "-q --version", "--json --version extra", "--version=true"])(
  "partner %s prints the version",
  async (line) => {
    const { exit, stdout } = await run(words(line));
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^partner\/\d+\.\d+\.\d+ \S+ node-v/) });
  },
);
