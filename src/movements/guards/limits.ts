import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { leavingAmounts } from "../../journal/requests/movement-request.ts";
import type { MovementKind } from "../../journal/movement.ts";
import type { CurrencySums } from "../../journal/spending.ts";
import { noSums, walletOfSum, weighLeaving } from "../../journal/spending.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Limits } from "../../values/money/limits.ts";
import { homeCurrency, nameCurrencies } from "../../values/money/limits.ts";

/** The currency of a wallet of the account; undefined where the service does not name it. */
export type CurrencyOfWallet = (accountNo: string) => string | undefined;

/** An order that sends money out, with the limits that apply to it. */
export interface LimitedOrder {
  readonly kind: MovementKind;
  readonly input: object;
  readonly limits: Limits;
  /** Undefined where wallets were not asked for. */
  readonly currencyOf: CurrencyOfWallet | undefined;
}

/** How an order exceeds the limit for one order, in words; undefined where it doesn't. */
export function transferLimitViolation(order: LimitedOrder): string | undefined {
  return limitFault(order, noSums, ({ amount, max }) => `${amount} is more than ${max}`);
}

/** How an order exceeds the limit of its day, in words, given what left earlier; undefined where it doesn't. */
export function dayLimitViolation(order: LimitedOrder, spent: CurrencySums): string | undefined {
  return limitFault(
    order,
    spent,
    ({ before, amount, max }) => `${before} left today already, and ${amount} more is beyond ${max}`,
  );
}

/** True where one of the limits is in a currency of the order. */
export function isLimited(order: LimitedOrder): boolean {
  const leaving = byCurrency(weighLeaving(order.kind, order.input), order);
  return [...order.limits.keys()].some((currency) => leaving.has(currency));
}

interface Excess {
  readonly before: string;
  readonly amount: string;
  readonly max: string;
}

function limitFault(order: LimitedOrder, spent: CurrencySums, words: (excess: Excess) => string): string | undefined {
  const { kind, input, limits, currencyOf } = order;
  const leaving = weighLeaving(kind, input);
  if (leavingAmounts(kind, input).length < movementForms[kind].amounts.length) return "its amount cannot be read";
  const unnamed = nameCurrencies(limits) ? unnamedWallet(leaving, currencyOf) : undefined;
  if (unnamed !== undefined)
    return `the service does not name the currency of wallet ${unnamed}, and the limit differs by currency`;
  const [amounts, before] = [byCurrency(leaving, order), byCurrency(spent, order)];
  const violations = [...limits].flatMap(([currency, max]) => {
    const [amount, sum = Decimal.zero] = [amounts.get(currency), before.get(currency)];
    if (amount === undefined || sum.add(amount).compare(max) <= 0) return [];
    const say = (size: Decimal) => saidIn(size, currency, limits);
    return [words({ before: say(sum), amount: say(amount), max: say(max) })];
  });
  return violations.length === 0 ? undefined : violations.join("; ");
}

/** A paying wallet for which the service named no currency. */
function unnamedWallet(leaving: CurrencySums, currencyOf: CurrencyOfWallet | undefined): string | undefined {
  const wallets = [...leaving.keys()].flatMap((key) => walletOfSum(key) ?? []);
  return currencyOf && wallets.find((wallet) => currencyOf(wallet) === undefined);
}

/**
 * The sums by the currencies of the limits. What a wallet paid counts in its own currency where that has a limit, else
 * as shillings.
 */
function byCurrency(sums: CurrencySums, { limits, currencyOf }: LimitedOrder): CurrencySums {
  const all = new Map<string, Decimal>();
  for (const [key, amount] of sums) {
    const wallet = walletOfSum(key);
    const own = wallet === undefined ? key : (currencyOf?.(wallet) ?? homeCurrency);
    const currency = wallet === undefined || limits.has(own) ? own : homeCurrency;
    all.set(currency, (all.get(currency) ?? Decimal.zero).add(amount));
  }
  return all;
}

/** `1,000.00`, or `1,000.00 USD` where the limits have several currencies. */
function saidIn(amount: Decimal, currency: string, limits: Limits): string {
  return limits.size === 1 && currency === homeCurrency ? amount.grouped(2) : `${amount.grouped(2)} ${currency}`;
}
