import { quote } from "../../values/text/text.ts";
import type { Operator, ConditionToken } from "./tokens.ts";
import { badCondition, operators, tokensOf } from "./tokens.ts";

/** A condition that selects rows: comparisons, joined by `and`, `or` and `not`. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | Comparison;

export interface Comparison {
  readonly kind: "comparison";
  /** The field's name in JSON; a dot leads into an object. */
  readonly name: string;
  readonly operator: Operator;
  readonly literal: Literal;
}

/** What a field is compared with, as it was typed. `null` without quotes means no value. */
export interface Literal {
  readonly text: string;
  readonly quoted: boolean;
}

/** How deep brackets may be nested. */
const nestingMaxDepth = 50;
const joiners = ["and", "or", "not"] as const;

/**
 * Reads a condition such as `amount>=50000 and (narration~"invoice" or not state=accepted)`. `not` binds tighter than
 * `and`, and `and` tighter than `or`, in upper or lower case.
 * @throws {Failure} usage
 */
export function parseCondition(text: string, field: string): Condition {
  const tokens = tokensOf(text, field);
  if (tokens.length === 0) throw badCondition(field, "is empty");
  const reader = new ConditionReader(tokens, field);
  const condition = reader.alternatives(0);
  reader.end();
  return condition;
}

/** The names that a condition compares, each once. */
export function comparedNames(condition: Condition): readonly string[] {
  if (condition.kind === "comparison") return [condition.name];
  const parts = condition.kind === "not" ? [condition.part] : condition.parts;
  return [...new Set(parts.flatMap(comparedNames))];
}

class ConditionReader {
  readonly #tokens: readonly ConditionToken[];
  readonly #field: string;
  #next = 0;

  constructor(tokens: readonly ConditionToken[], field: string) {
    this.#tokens = tokens;
    this.#field = field;
  }

  alternatives(depth: number): Condition {
    return this.#joined("or", () => this.#joined("and", () => this.#part(depth)));
  }

  end(): void {
    const left = this.#tokens[this.#next];
    if (left !== undefined) throw this.#expected("and, or, or the end", left);
  }

  #joined(kind: "and" | "or", read: () => Condition): Condition {
    const parts = [read()];
    while (this.#takesWord(kind)) parts.push(read());
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : { kind, parts };
  }

  #part(depth: number): Condition {
    if (depth > nestingMaxDepth)
      throw badCondition(this.#field, `has more than ${nestingMaxDepth} brackets within each other`);
    if (this.#takesWord("not")) return { kind: "not", part: this.#part(depth + 1) };
    const token = this.#tokens[this.#next];
    if (token?.kind !== "bracket" || token.text !== "(") return this.#comparison();
    this.#next += 1;
    const inside = this.alternatives(depth + 1);
    const closing = this.#tokens[this.#next];
    if (closing?.kind !== "bracket" || closing.text !== ")") throw this.#expected(")", closing);
    this.#next += 1;
    return inside;
  }

  #comparison(): Comparison {
    const name = this.#tokens[this.#next];
    if (name?.kind !== "word" || isJoiner(name)) throw this.#expected("a field's name", name);
    const operator = this.#tokens[this.#next + 1];
    if (operator?.kind !== "operator") throw this.#expected(`one of ${operators.join(" ")}`, operator);
    const value = this.#tokens[this.#next + 2];
    if ((value?.kind !== "word" && value?.kind !== "quoted") || isJoiner(value)) throw this.#expected("a value", value);
    const literal = { text: value.text, quoted: value.kind === "quoted" };
    if (isNothing(literal) && operator.text !== "=" && operator.text !== "!=")
      throw badCondition(this.#field, `compares ${quote(name.text)} with null by ${operator.text}; null takes = or !=`);
    this.#next += 3;
    return { kind: "comparison", name: name.text, operator: operator.text, literal };
  }

  #takesWord(word: (typeof joiners)[number]): boolean {
    const token = this.#tokens[this.#next];
    const takes = token?.kind === "word" && token.text.toLowerCase() === word;
    if (takes) this.#next += 1;
    return takes;
  }

  #expected(what: string, found: ConditionToken | undefined) {
    const where = found === undefined ? "ends" : `has ${quote(found.text)} at character ${found.at}`;
    return badCondition(this.#field, `${where} where ${what} is expected`);
  }
}

/** True for `null` and for empty quotes: both mean an empty field. */
export function isNothing({ text, quoted }: Literal): boolean {
  return quoted ? text === "" : text === "null";
}

function isJoiner({ kind, text }: ConditionToken): boolean {
  return kind === "word" && joiners.some((joiner) => joiner === text.toLowerCase());
}
