import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";

/** How two values are compared. */
export const operators = ["=", "!=", "<", "<=", ">", ">=", "~"] as const;
export type Operator = (typeof operators)[number];

/** A piece of a condition; `at` counts its characters from 1. */
export type ConditionToken =
  | { readonly kind: "operator"; readonly text: Operator; readonly at: number }
  | { readonly kind: "bracket"; readonly text: "(" | ")"; readonly at: number }
  /** A name, a value without quotes, or `and`, `or`, `not`. */
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "quoted"; readonly text: string; readonly at: number };

/** The longest condition: what people type is shorter. */
const maxCharacters = 4000;
const operatorForm = /!=|<=|>=|[=<>~]/y;
const wordForm = /[^\s()=!<>~"']+/y;
const quotedForm = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;

/** @throws {Failure} usage */
export function tokensOf(text: string, field: string): readonly ConditionToken[] {
  if (text.length > maxCharacters) throw badCondition(field, `is longer than ${maxCharacters} characters`);
  const tokens: ConditionToken[] = [];
  for (let place = 0; place < text.length;) {
    const character = text.charAt(place);
    const at = place + 1;
    if (/\s/.test(character)) {
      place += 1;
      continue;
    }
    const found = tokenAt(text, place, at);
    if (found === undefined) {
      const isOpen = character === '"' || character === "'";
      throw badCondition(field, isOpen ? `has a quote that is not closed at character ${at}` : oddCharacter(text, at));
    }
    const [taken, token] = found;
    tokens.push(token);
    place += taken;
  }
  return tokens;
}

function tokenAt(text: string, place: number, at: number): readonly [number, ConditionToken] | undefined {
  const character = text.charAt(place);
  if (character === "(" || character === ")") return [1, { kind: "bracket", text: character, at }];
  const operator = match(operatorForm, text, place);
  const known = operators.find((one) => one === operator?.[0]);
  if (known !== undefined) return [known.length, { kind: "operator", text: known, at }];
  const quoted = match(quotedForm, text, place);
  if (quoted !== null) {
    const inside = quoted[1] ?? quoted[2] ?? "";
    return [quoted[0].length, { kind: "quoted", text: inside.replaceAll(/\\(.)/gs, "$1"), at }];
  }
  const word = match(wordForm, text, place);
  return word === null ? undefined : [word[0].length, { kind: "word", text: word[0], at }];
}

function match(form: RegExp, text: string, place: number): RegExpExecArray | null {
  form.lastIndex = place;
  return form.exec(text);
}

function oddCharacter(text: string, at: number): string {
  return `has ${quote(text.charAt(at - 1))} at character ${at}, where an operator belongs: ${operators.join(" ")}`;
}

/** The failure of an invalid condition. `problem` follows the flag's name. */
export function badCondition(field: string, problem: string): Failure {
  return new Failure("usage", `${field} ${problem}.`, {
    hint: `Write it like ${field} 'amount>=50000 and narration~"invoice"'. See partner help where`,
  });
}
