import { parseSync } from "rolldown/utils";

/** One place of a source, and what a slip of the hand would put there. Offsets are those of the text. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/** A node of the syntax tree, as far as it is looked at here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

/** What stands in place of an operator. */
const operators: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "&&": "||",
  "||": "&&",
};
/** What stands in place of a method: the other half of each pair. */
const methods: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["add", "subtract"],
  ["subtract", "add"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
]);
/** Types are no code, but what they wrap is. */
const wrappers = new Set([
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSInstantiationExpression",
]);

/** Every slip that could be made in a source. Texts are left out: whether a sentence is right is no matter of logic. */
export function candidatesIn(code: string): Candidate[] {
  const found: Candidate[] = [];
  walk(parseSync("source.ts", code).program, (node) => {
    const slip = slips[node.type];
    if (slip !== undefined) found.push(...slip(node, code));
  });
  return found;
}

type Slip = (node: Node, code: string) => readonly Candidate[];

const slips: Readonly<Record<string, Slip>> = {
  BinaryExpression: operatorSlip,
  LogicalExpression: operatorSlip,
  UnaryExpression: (node) =>
    node["operator"] === "!" ? [{ start: node.start, end: node.start + 1, instead: "" }] : [],
  IfStatement: (node, code) => [negated(childOf(node, "test"), code)],
  ConditionalExpression: (node, code) => [negated(childOf(node, "test"), code)],
  Literal({ start, end, value }) {
    if (typeof value === "boolean") return [{ start, end, instead: String(!value) }];
    return typeof value === "number" ? [{ start, end, instead: String(value + 1) }] : [];
  },
  MemberExpression(node) {
    const { start, end, name } = childOf(node, "property");
    const instead = typeof name === "string" && node["computed"] === false ? methods.get(name) : undefined;
    return instead === undefined ? [] : [{ start, end, instead }];
  },
  // A step that is left out.
  ExpressionStatement(node) {
    const expression = childOf(node, "expression");
    const call = expression.type === "AwaitExpression" ? childOf(expression, "argument") : expression;
    if (call.type !== "CallExpression" || childOf(call, "callee").type === "Super") return [];
    return [{ start: node.start, end: node.end, instead: ";" }];
  },
};

function operatorSlip(node: Node, code: string): readonly Candidate[] {
  const instead = operators[String(node["operator"])];
  if (instead === undefined) return [];
  const [left, right] = [childOf(node, "left"), childOf(node, "right")];
  const start = code.indexOf(String(node["operator"]), left.end);
  // A text that is put together is no sum.
  if (instead === "-" && [left, right].some(isText)) return [];
  return start < 0 || start >= right.start ? [] : [{ start, end: start + String(node["operator"]).length, instead }];
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || typeof node["value"] === "string";
}

function negated({ start, end }: Node, code: string): Candidate {
  return { start, end, instead: `!(${code.slice(start, end)})` };
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => walk(each, visit));
  if (!isNode(value) || (value.type.startsWith("TS") && !wrappers.has(value.type))) return;
  visit(value);
  for (const [name, child] of Object.entries(value)) if (name !== "typeAnnotation") walk(child, visit);
}

function childOf(node: Node, name: string): Node {
  const child = node[name];
  if (!isNode(child)) throw new Error(`${node.type} has no ${name}`);
  return child;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}
