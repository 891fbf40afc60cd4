import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { application } from "../src/application.ts";
import { readCommandLine } from "../src/cli/line/command-line.ts";
import { earlyFlags, earlyTokens } from "../src/cli/line/early-flags.ts";
import type { Host } from "../src/host/host.ts";

const folder = join(import.meta.dirname, "../docs/schemas");
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();
/** Commands that print text of their own kind, the same in every format. */
const plainText = new Set(["batch:template", "completion", "simulator:run"]);
const textFlags: Readonly<Record<string, string>> = {
  "journal:migrate": "--dry-run",
  "simulator:start": "--env",
  "simulator:stop": "--env",
};

type Schema = Readonly<Record<string, unknown>>;

/** The JSON output of a command line must match its published schema: each way in which it does not. */
export function schemaViolations(
  argv: readonly string[],
  host: Pick<Host, "environment" | "stderr">,
  stdout: string,
  { isStrange = false }: { readonly isStrange?: boolean | undefined } = {},
): readonly string[] {
  const tokens = earlyTokens(argv);
  const { format } = earlyFlags(tokens, host);
  if (stdout === "" || (format !== "json" && format !== "ndjson") || tokens.some(asksHelp)) return [];
  const { catalog, aliases } = application;
  const { id: typed } = readCommandLine(argv, tokens, [...Object.keys(catalog), ...Object.keys(aliases)]);
  const id = typed === undefined ? undefined : (aliases[typed] ?? typed);
  if (id === undefined || plainText.has(id) || argv.includes(textFlags[id] ?? "--json=")) return [];
  const isPart = tokens.some((token) => "key" in token && token.key === "columns");
  // A receiver prints lines, whatever the format is called.
  const isLines = format === "ndjson" || id === "webhook:listen";
  const documents = isLines ? stdout.trimEnd().split("\n") : [stdout];
  return documents.flatMap((text) => violationsOf(id, text, { isLine: isLines, isPart, isStrange }));
}

interface Circumstances {
  /** True for a line of NDJSON. */
  readonly isLine?: boolean;
  /** True with --columns. */
  readonly isPart?: boolean;
  /** True if the service broke its own contract. */
  readonly isStrange?: boolean;
}

/** @returns what is wrong with a document that a command printed */
export function violationsOf(
  id: string,
  text: string,
  { isLine = false, isPart = false, isStrange = false }: Circumstances = {},
): readonly string[] {
  const key = `${id} ${isLine} ${isPart} ${isStrange}`;
  let validate = validators.get(key);
  if (validate === undefined) {
    let schema = closed(schemaOf(id));
    if (isLine) schema = lineOf(schema);
    if (isPart) schema = partOf(schema);
    if (isStrange) schema = liberal(schema);
    validators.set(key, (validate = ajv.compile(schema)));
  }
  if (validate(documentIn(text))) return [];
  return (validate.errors ?? []).map((error) => inWords(id, error));
}

export function schemaOf(id: string): Schema {
  const path = join(folder, `${id.replaceAll(":", "-")}.json`);
  if (!existsSync(path)) throw new Error(`There is no schema of partner ${id.replaceAll(":", " ")}: npm run schemas`);
  return JSON.parse(readFileSync(path, "utf8"));
}

function asksHelp(token: ReturnType<typeof earlyTokens>[number]): boolean {
  return "key" in token && (token.key === "help" || token.key === "version");
}

/** A text that isn't JSON is a text: no schema but that of `api` takes one. */
function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Only the named fields, unless the schema says that there may be others. */
function closed(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === "items") return [name, closed(Object(value))];
    if (name === "anyOf" && Array.isArray(value)) return [name, value.map((each) => closed(Object(each)))];
    if (name !== "properties") return [name, value];
    const members = Object.entries(Object(value)).map(([member, each]) => [member, closed(Object(each))]);
    return [name, Object.fromEntries(members)];
  });
  const isNamed = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(entries), ...(isNamed ? { additionalProperties: false } : {}) };
}

/** Where other fields are allowed, the service decides: the named ones can be anything, too. */
function liberal(schema: Schema): Schema {
  const { items, anyOf, properties, ...others } = schema;
  const isService = others["additionalProperties"] === true;
  return {
    ...others,
    ...(properties === undefined || isService ? {} : { properties }),
    ...(items === undefined ? {} : { items: liberal(Object(items)) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((each) => liberal(Object(each))) } : {}),
  };
}

/** A line of NDJSON: an item of the list, or of `rows`. */
function lineOf(schema: Schema): Schema {
  const { type, items, anyOf, properties } = schema;
  if (type === "array") return Object(items);
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((each) => lineOf(Object(each))) };
  const rows: Schema = Object(Object(properties)["rows"]);
  return rows["type"] === "array" ? lineOf(rows) : schema;
}

/** With --columns a row has some of its fields. */
function partOf(schema: Schema): Schema {
  const { required: _, ...others } = schema;
  const { items, anyOf, properties } = others;
  return {
    ...others,
    ...(items === undefined ? {} : { items: partOf(Object(items)) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((each) => partOf(Object(each))) } : {}),
    ...("rows" in Object(properties)
      ? { properties: { ...Object(properties), rows: partOf(Object(Object(properties)["rows"])) } }
      : {}),
  };
}

function inWords(id: string, { instancePath, message = "", params }: ErrorObject): string {
  return `${id} ${instancePath} ${message} ${JSON.stringify(params)}`;
}
