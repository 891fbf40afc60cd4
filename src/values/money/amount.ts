import { decimalsProblem, markProblem } from "./amount-marks.ts";
import { Decimal, decimalMaxDigits } from "./decimal.ts";
import { Numeral } from "../json.ts";
import type { JsonValue } from "../json.ts";
import { hasOtherDigits, otherDigits } from "../text/text.ts";
import { violation } from "../violation.ts";

const typedAmount = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const wholeAmount = /^[1-9]\d*$/;
const zeroDecimals = /\.0+$/;

/**
 * The amount in a field of the wire, a JSON number or text. Null where it is empty (missing, null or `""`, which old
 * statements have); undefined for any other value, which is shown as it came, and not added up.
 */
export function amountOf(value: JsonValue | undefined): Decimal | null | undefined {
  if (value === undefined || value === null || value === "") return null;
  if (value instanceof Numeral) return Decimal.parseJson(value.text);
  return typeof value === "string" ? Decimal.parseJson(value) : undefined;
}

/**
 * An amount that a person typed: digits, a point where needed, more than zero. Ambiguous texts (`1,000`, `1.000`), more
 * decimals than the currency has, and likely account or phone numbers (`0712345678`) are refused.
 * @param currency where it is known
 * @throws {Failure} usage
 */
export function parseAmount(text: string, field: string, currency?: string): Decimal {
  return readPositive(text, field, { ...anyModel, currency });
}

/**
 * A whole amount above zero, for fields that the specification calls integers.
 * @throws {Failure} usage
 */
export function parseWholeAmount(text: string, field: string): Decimal {
  const amount = readPositive(text, field, wholeModel);
  if (wholeAmount.test(text)) return amount;
  const [whole] = zeroDecimals.test(text) ? text.split(".") : [];
  const problem = whole === undefined ? "is not a whole number" : `has decimals; write ${whole}`;
  throw violation({ field, text, problem, ...wholeModel });
}

/**
 * An amount to compare a balance with: like an amount, or zero.
 * @throws {Failure} usage
 */
export function parseThreshold(text: string, field: string): Decimal {
  return readAmount(text, field, anyModel);
}

/** A valid example. */
interface Model {
  readonly example: string;
  readonly rule: string;
  readonly currency?: string | undefined;
  /** Decimals aren't taken, not even zeros. */
  readonly isWhole?: boolean;
}

const anyModel: Model = {
  example: "1500.50",
  rule: "digits, a point before decimals, no sign, no separators, no spaces, no leading zeros",
};
const wholeModel: Model = { example: "1500", rule: "digits only, no commas, no decimals", isWhole: true };

function readPositive(text: string, field: string, model: Model): Decimal {
  const amount = readAmount(text, field, model);
  if (amount.sign > 0) return amount;
  throw violation({ field, text, problem: "is not more than zero", example: model.example });
}

function readAmount(text: string, field: string, { currency, ...model }: Model): Decimal {
  const isTyped = typedAmount.test(text);
  const marked = isTyped ? decimalsProblem(text, currency) : markProblem(text, model.isWhole);
  const amount = isTyped ? Decimal.parse(text) : undefined;
  if (amount !== undefined && marked === undefined) return amount;
  throw violation({ field, text, problem: marked ?? unread(text, isTyped), ...model });
}

function unread(text: string, isTyped: boolean): string {
  if (isTyped) return `has more than ${decimalMaxDigits} digits`;
  return hasOtherDigits(text) ? otherDigits : "is not an amount";
}
