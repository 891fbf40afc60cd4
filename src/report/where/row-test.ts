import { amountOf } from "../../values/money/amount.ts";
import { ambiguity } from "../../values/money/amount-marks.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Field } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { folded } from "../../values/text/folded.ts";
import { quote } from "../../values/text/text.ts";
import { textOf, valueIn } from "../cell.ts";
import type { FieldsByName } from "../columns.ts";
import type { Row } from "../report.ts";
import type { Comparison, Condition } from "./condition.ts";
import { isNothing } from "./condition.ts";
import type { Operator } from "./tokens.ts";
import { badCondition } from "./tokens.ts";

export type RowTest = (row: Row) => boolean;

/** Credit less debit, for rows with both sides and without an amount of that name. */
export const signedAmount = "amount";

const typedNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * Compiles a condition into a test of rows. Amounts are compared exactly; days and moments to the precision typed
 * (`valueDate<=2026-10-31` includes the whole day); `~` finds a text within another, ignoring case. An empty field
 * equals only `null`.
 * @throws {Failure} usage where an amount is compared with another kind of value
 */
export function rowTest(condition: Condition, fields: FieldsByName, flag: string): RowTest {
  if (condition.kind === "comparison") return comparisonTest(condition, fields, flag);
  if (condition.kind === "not") {
    const test = rowTest(condition.part, fields, flag);
    return (row) => !test(row);
  }
  const tests = condition.parts.map((part) => rowTest(part, fields, flag));
  return condition.kind === "and"
    ? (row) => tests.every((test) => test(row))
    : (row) => tests.some((test) => test(row));
}

/** True where a condition may use `amount` although no field has that name. */
export function hasSignedAmount(fields: FieldsByName): boolean {
  return !fields.has(signedAmount) && [...fields.values()].some(({ side }) => side !== undefined);
}

function comparisonTest({ name, operator, literal }: Comparison, fields: FieldsByName, flag: string): RowTest {
  const kind = kindOf(name, fields);
  const valueOf = readerOf(name, fields);
  if (isNothing(literal)) return (row) => isEmpty(valueOf(row)) === (operator === "=");
  const { text } = literal;
  if (operator === "~") {
    const wanted = folded(text);
    return (row) => folded(shownText(valueOf(row))).includes(wanted);
  }
  const number = typedNumber.test(text) ? Decimal.parseJson(text.replace(/^(-?)0+(?=\d)/, "$1")) : undefined;
  const isNumber = kind === "amount" || kind === "count";
  const ambiguous = isNumber ? ambiguity(text) : undefined;
  if (ambiguous !== undefined)
    throw badCondition(flag, `compares the amount ${quote(name)} with ${quote(text)}, which ${ambiguous}`);
  if (isNumber && number === undefined)
    throw badCondition(flag, `compares the amount ${quote(name)} with ${quote(text)}, which is not a number`);
  return (row) => {
    const value = valueOf(row);
    if (isEmpty(value)) return operator === "!=";
    const isCounted = isNumber || value instanceof Decimal || value instanceof Numeral;
    const amount = !isCounted || number === undefined ? undefined : value instanceof Decimal ? value : amountOf(value);
    if (amount && number !== undefined) return holds(operator, amount.compare(number));
    const own = shownText(value);
    return holds(operator, compareTexts(kind === "time" ? own.slice(0, text.length) : own, text));
  };
}

function kindOf(name: string, fields: FieldsByName): Field["kind"] | undefined {
  return name === signedAmount && hasSignedAmount(fields) ? "amount" : fields.get(name)?.kind;
}

type Value = JsonValue | Decimal | undefined;

function readerOf(name: string, fields: FieldsByName): (row: Row) => Value {
  if (name === signedAmount && hasSignedAmount(fields)) {
    const [credits, debits] = [sidesOf("credit", fields), sidesOf("debit", fields)];
    return (row) => signed(row, credits, debits);
  }
  const [first = "", ...path] = fields.has(name) ? [name] : name.split(".");
  return (row) => {
    const whole = valueIn(row, name);
    if (whole !== undefined || path.length === 0) return whole;
    let value = valueIn(row, first);
    for (const step of path) value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    return value;
  };
}

function sidesOf(side: Field["side"], fields: FieldsByName): readonly string[] {
  return [...fields.values()].filter((field) => field.side === side).map((field) => field.name);
}

/** Credit less debit; undefined where neither side has an amount. */
function signed(row: Row, credits: readonly string[], debits: readonly string[]): Decimal | undefined {
  const amounts = (names: readonly string[]) => names.flatMap((name) => amountOf(valueIn(row, name)) ?? []);
  const parts = [...amounts(credits), ...amounts(debits).map((amount) => amount.negate())];
  return parts.length === 0 ? undefined : parts.reduce((sum, amount) => sum.add(amount), Decimal.zero);
}

function isEmpty(value: Value): boolean {
  return value === undefined || value === null || value === "";
}

function shownText(value: Value): string {
  return value instanceof Decimal ? value.toString() : textOf(value);
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

const orders: Readonly<Record<Exclude<Operator, "~">, readonly number[]>> = {
  "=": [0],
  "!=": [-1, 1],
  "<": [-1],
  "<=": [-1, 0],
  ">": [1],
  ">=": [0, 1],
};

function holds(operator: Exclude<Operator, "~">, order: number): boolean {
  return orders[operator].includes(order);
}
