import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { topics } from "../../src/app/help/topics.ts";
import { exitCodes } from "../../src/values/failure.ts";
import { run } from "../partner.ts";
import { unplugged } from "./unplugged.ts";

interface Described {
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly type: string }>>;
}

const manifest: { commands: Record<string, Described> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "oclif.manifest.json"), "utf8"),
);
const ids = Object.keys(manifest.commands);
const flags = [...new Set(Object.values(manifest.commands).flatMap((command) => flagsOf(command)))];
const documented = new Set(exitCodes.map(({ exit }) => exit));

function flagsOf({ flags }: Described): string[] {
  return Object.entries(flags).flatMap(([name, { char }]) => [
    `--${name}`,
    ...(char === undefined ? [] : [`-${char}`]),
  ]);
}

const values = fc.oneof(
  fc.constantFrom("", "0", "42", "1500.50", "-5", "2026-02", "2026-02-28", "json", "csv", "table", "yes", "a,b", "30s"),
  fc.constantFrom("shop", "a=b", "TZS", "255713000111", "TZ-TIGO-C2B", "https://a.example/x", "/nowhere/file", "{}"),
  fc.constantFrom("--", "-", "---", "=", "-=", "--=", "--=x", "\n", "\u001b[2J", "\u202e", "__proto__", "constructor"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const flag = fc.oneof(
  fc.constantFrom(...flags, "--help", "-h", "--version"),
  fc.tuple(fc.constantFrom(...flags), values).map(([name, value]) => `${name}=${value}`),
  fc.tuple(fc.constantFrom(...flags), values).map(([name, value]) => `${name}${value}`),
);
const word = fc.oneof(
  fc.constantFrom(...ids.flatMap((id) => id.split(":")), "help", ...Object.keys(topics)),
  flag,
  values,
);
const argv = fc.oneof(
  { weight: 1, arbitrary: fc.array(word, { maxLength: 6 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...ids), fc.array(fc.oneof(flag, values), { maxLength: 8 }))
      .map(([id, rest]) => [...id.split(":"), ...rest]),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...ids)
      .chain((id) =>
        fc.tuple(fc.constant(id), fc.array(ownFlag(id), { maxLength: 6 }), fc.array(values, { maxLength: 2 })),
      )
      .map(([id, own, rest]) => [...id.split(":"), ...own.flat(), ...rest]),
  },
);

/** A flag of the command, with a value if it takes one. */
function ownFlag(id: string): fc.Arbitrary<string[]> {
  const own = Object.entries(manifest.commands[id]?.flags ?? {});
  return fc
    .tuple(fc.constantFrom(...own), values)
    .map(([[name, { type }], value]) => (type === "boolean" ? [`--${name}`] : [`--${name}`, value]));
}

const answers = fc.constantFrom(
  "{}",
  "[]",
  '[{"accountNo":"42","balance":1.00}]',
  '{"result":{"statement":[]}}',
  "<html>",
);

test("any command line leads to a documented exit code other than 1, without a stack", async () => {
  const property = fc.asyncProperty(argv, answers, fc.boolean(), async (argv, body, isTerminal) => {
    const world = unplugged({ status: 200, body });
    const terminal = { stdin: false, stdout: isTerminal, stderr: isTerminal };
    const ended = await run(argv, { ...world, terminal, stdin: "{}" });
    expect(documented.has(ended.exit)).toBe(true);
    expect(ended).not.toMatchObject({ exit: 1 });
    const isDebugged = argv.some((word) => word.startsWith("--debug"));
    expect(isDebugged || !/\n {4}at /.test(ended.stderr)).toBe(true);
    expect(ended.stderr.replaceAll(/\u001b\[[\d;]*m/g, "")).not.toMatch(/[^\P{Cc}\n]/u);
  });
  await fc.assert(property, { numRuns: 300 });
});
