import { parseAmount } from "../../values/money/amount.ts";
import { counted } from "../../values/text/counted.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import { violation } from "../../values/violation.ts";
import type { RowViolation } from "./rows/row-reader.ts";
import type { Tally, OrderAmount } from "./order-amount.ts";

/** What a person says is in the file. */
export interface Expectation {
  readonly count: number | undefined;
  readonly totals: readonly OrderAmount[];
}

const namedTotal = /^([A-Z]{3})=(.*)$/s;

/**
 * `45000000`, or with its currency `TZS=45000000`.
 * @throws {Failure} usage
 */
export function parseTotal(text: string, field: string): OrderAmount {
  const [, currency, digits = text] = namedTotal.exec(text) ?? [];
  if (currency === undefined && text.includes("="))
    throw violation({ field, text, problem: "isn't a total", example: "TZS=45000000", rule: "currency, =, digits" });
  return { currency, amount: parseAmount(digits, field, currency) };
}

/**
 * Differences between a file and what a person expects, to the last cent.
 * @param knowsCurrencies false where no wallet was read, so that only the total of all amounts can be compared
 */
export function unexpected({ count, totals }: Expectation, tally: Tally, knowsCurrencies: boolean): RowViolation[] {
  const violations: RowViolation[] = [];
  const violation = (column: string, problem: string) => violations.push({ line: undefined, column, problem });
  if (count !== undefined && count !== tally.count)
    violation(
      "--expect-count",
      `${counted(count, "row")} ${count === 1 ? "is" : "are"} expected; the file has ${tally.count}`,
    );
  if (totals.length === 0) return violations;
  const isUncertain = !knowsCurrencies && tally.totals.some(({ currency }) => currency === undefined);
  const isPlain = totals.every(({ currency }) => currency === undefined) && tally.totals.length <= 1;
  const agrees =
    isUncertain || isPlain
      ? sumOf(totals).equals(sumOf(tally.totals))
      : totals.length === tally.totals.length &&
        tally.totals.every((real) => totals.some((wanted) => isSame(wanted, real)));
  if (!agrees)
    violation("--expect-total", `${totals.map(say).join(" and ")} expected; the file has ${describe(tally)}`);
  return violations;
}

/** `4,500,000.00 TZS and 120.00 KES`. */
export function describe(tally: Tally): string {
  return tally.totals.length === 0 ? "nothing" : tally.totals.map(say).join(" and ");
}

function sumOf(amounts: readonly OrderAmount[]): Decimal {
  return amounts.reduce((sum, { amount }) => sum.add(amount), Decimal.zero);
}

function isSame(wanted: OrderAmount, real: OrderAmount): boolean {
  return wanted.currency === real.currency && wanted.amount.equals(real.amount);
}

function say({ amount, currency }: OrderAmount): string {
  return `${formatMoney(amount, currency)} ${currency ?? ""}`.trimEnd();
}
