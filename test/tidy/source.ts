import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

const root = join(import.meta.dirname, "../..");

/** One file of the sources, with the facts that the rules need. */
export interface Source {
  /** From the project's root, with slashes: `src/values/time/day.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Names of the surroundings that it uses: `process`, `Date.now`, `new Date()`, `console`. */
  readonly globals: readonly string[];
  /** The regular expressions in it. */
  readonly patterns: readonly RegExp[];
  /** Its texts with at least one blank, with `X` for each value in a template. Without the names of imports. */
  readonly strings: readonly string[];
  /** Syntax that the project avoids: `any`, `!`, enums, namespaces, parameter properties. */
  readonly banned: readonly string[];
  /** True if every statement only re-exports another file. */
  readonly isBarrel: boolean;
}

export interface Import {
  /** `src/values/time/day.ts` for a file of ours, `undici` or `node:fs` otherwise. */
  readonly target: string;
  readonly names: readonly string[];
  readonly kind: "value" | "type" | "dynamic";
}

export function readSources(folder = "src"): Source[] {
  const paths = globSync(`${folder}/**/*.ts`, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return paths.toSorted().map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

export function parseSource(path: string, text: string): Source {
  const program: unknown = parseAst(text, { lang: "ts" }, path);
  if (!isNode(program)) throw new Error(`${path} does not parse.`);
  const nodes = [...walk(program, undefined, "")];
  const statements = nodesIn(program["body"]);
  return {
    path,
    text,
    imports: nodes.flatMap((visit) => importOf(path, visit.node)),
    globals: globalsOf(nodes),
    patterns: nodes.flatMap(({ node }) => patternOf(node) ?? []),
    strings: nodes.flatMap((visit) => textOf(visit) ?? []).filter((string) => /\S\s+\S/.test(string)),
    banned: nodes.flatMap(({ node }) => bannedSyntax(node) ?? []),
    isBarrel: statements.length > 0 && statements.every((statement) => isReExport(statement)),
  };
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

interface Visit {
  readonly node: Node;
  readonly parent: Node | undefined;
  /** The name under which the parent holds the node. */
  readonly place: string;
}

function* walk(node: Node, parent: Node | undefined, place: string): Generator<Visit> {
  yield { node, parent, place };
  for (const [key, value] of Object.entries(node)) {
    for (const child of nodesIn(value)) yield* walk(child, node, key);
  }
}

function nodesIn(value: unknown): Node[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => isNode(item));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isReExport(statement: Node): boolean {
  return (
    statement.type === "ExportAllDeclaration" ||
    (statement.type === "ExportNamedDeclaration" && isNode(statement["source"]))
  );
}

function importOf(path: string, node: Node): Import[] {
  const isDynamic = node.type === "ImportExpression";
  if (!isDynamic && node.type !== "ImportDeclaration" && !isReExport(node)) return [];
  const source = node["source"];
  if (!isNode(source)) return [];
  const specifier = source["value"];
  if (typeof specifier !== "string") return [{ target: "(computed)", names: [], kind: "dynamic" }];
  const target = specifier.startsWith(".") ? join(dirname(path), specifier).replaceAll("\\", "/") : specifier;
  const names = nodesIn(node["specifiers"]).map(importedName);
  const isType = node["importKind"] === "type" || node["exportKind"] === "type";
  return [{ target, names, kind: isDynamic ? "dynamic" : isType ? "type" : "value" }];
}

function importedName(specifier: Node): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  return specifier.type === "ImportDefaultSpecifier"
    ? "default"
    : (nameOf(specifier["imported"] ?? specifier["local"]) ?? "*");
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? name : undefined;
}

function patternOf({ type, regex }: Node): RegExp | undefined {
  if (type !== "Literal" || typeof regex !== "object" || regex === null) return undefined;
  return new RegExp(String(Reflect.get(regex, "pattern")), String(Reflect.get(regex, "flags")));
}

function textOf({ node, place }: Visit): string | undefined {
  if (node.type === "Literal" && place !== "source" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  return nodesIn(node["quasis"])
    .map(({ value }) => (typeof value === "object" && value !== null ? String(Reflect.get(value, "cooked")) : ""))
    .join("X");
}

/**
 * Comments that silence the compiler, and syntax that Node cannot strip. `declare module "…"` describes a package and
 * is fine.
 */
function bannedSyntax(node: Node): string | undefined {
  if (node.type === "TSModuleDeclaration") return node["kind"] === "namespace" ? "namespace" : undefined;
  const names: Readonly<Record<string, string>> = {
    TSAnyKeyword: "any",
    TSEnumDeclaration: "enum",
    TSNonNullExpression: "!",
    TSParameterProperty: "a parameter property",
  };
  return names[node.type];
}

/** Parts of the surroundings that belong to the host: other code gets them from it. */
const ownedByHost = new Set(["process", "console", "fetch", "performance", "WebSocket", "XMLHttpRequest", "navigator"]);

function globalsOf(visits: readonly Visit[]): string[] {
  const used = visits.flatMap((visit) => globalIn(visit));
  const declared = new Set(visits.filter(isDeclaration).flatMap(({ node }) => nameOf(node) ?? []));
  return used.filter((name) => !declared.has(name.replace(/^new |[.(].*$/g, "")));
}

function globalIn({ node, parent, place }: Visit): string[] {
  if (node.type === "NewExpression" && nameOf(node["callee"]) === "Date" && nodesIn(node["arguments"]).length === 0)
    return ["new Date()"];
  if (node.type === "CallExpression" && nameOf(node["callee"]) === "Date") return ["Date()"];
  if (node.type === "MemberExpression") {
    const member = `${nameOf(node["object"]) ?? ""}.${nameOf(node["property"]) ?? ""}`;
    if (/^(Date\.now|Math\.random|crypto\.\w+|globalThis\.(process|console|fetch|performance|crypto))$/.test(member))
      return [member];
  }
  const name = node.type === "Identifier" ? nameOf(node) : undefined;
  return name !== undefined && ownedByHost.has(name) && isUse(parent, place) ? [name] : [];
}

/** A name behind a dot, before a colon or in a type is not a use of the global. */
function isUse(parent: Node | undefined, place: string): boolean {
  if (parent === undefined || parent.type.endsWith("Specifier")) return false;
  if (parent.type.startsWith("TS") && place !== "expression") return false;
  if (place === "property") return parent["computed"] === true;
  return place !== "key" || parent["computed"] === true;
}

function isDeclaration({ node, parent, place }: Visit): boolean {
  if (node.type !== "Identifier" || parent === undefined) return false;
  if (place === "id" || place === "local" || place === "params" || place === "param") return true;
  if (parent.type === "AssignmentPattern") return place === "left";
  return false;
}
