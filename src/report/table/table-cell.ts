import { amountOf } from "../../values/money/amount.ts";
import type { Field } from "../../values/field.ts";
import { roleOf } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { formatMoney } from "../../values/money/money.ts";
import { visible } from "../../values/text/text.ts";
import { textOf, valueIn } from "../cell.ts";
import type { Row } from "../report.ts";

const currencyNames = ["currency", "currencyCode"];

/** True for a field with the currency of its row's amounts. */
export function namesCurrency(field: Field): boolean {
  return currencyNames.includes(field.name);
}

/** The currency that a row names itself. */
export function currencyOf(row: Row): string | undefined {
  for (const name of currencyNames) {
    const value = valueIn(row, name);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** Lists and objects in words: people don't read JSON in a table. */
function inWords(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map((each) => inWords(each)).join("; ");
  if (!isJsonObject(value)) return textOf(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${inWords(each)}`.trimEnd())
    .join(", ");
}

/**
 * A value for people: amounts grouped, everything else unchanged, control characters made visible. `suffix` is the
 * currency to print after an amount where it isn't shown elsewhere.
 */
export function shownText(value: JsonValue | undefined, field: Field, currency?: string, suffix?: string): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const amount = field.kind === "amount" ? amountOf(value) : undefined;
  if (!amount) return visible(inWords(value));
  return formatMoney(amount, currency) + (suffix === undefined ? "" : ` ${visible(suffix)}`);
}

/** An account for people, its name next to the number: `9000112233 (main)`. Other ids are unchanged. */
export function withName(
  shown: string,
  id: string,
  field: Field,
  names: ReadonlyMap<string, string> | undefined,
): string {
  const isAccount = field.kind === "id" && (roleOf(field) === "who" || field.name === "accountNo");
  const name = isAccount ? names?.get(id) : undefined;
  return name === undefined ? shown : `${shown} (${visible(name)})`;
}
