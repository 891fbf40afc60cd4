import type { Ledger } from "../ledger/ledger.ts";
import { Decimal } from "../values/money/decimal.ts";
import { findMsisdn } from "../values/msisdn.ts";
import { phoneNumbersIn } from "../values/phone-numbers.ts";
import { textIn } from "../statements/entry.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";
import type { Interval } from "./intervals.ts";
import { intervalOf } from "./intervals.ts";
import type { Kinds } from "./kinds.ts";

/** What one payer paid, before fees. */
export interface Customer {
  /** Empty for the whole period. */
  readonly interval: string;
  /** The payer's name; empty where the row doesn't say. */
  readonly name: string;
  /** The payer's account or phone; else the payment's own reference; empty where the row has neither. */
  readonly number: string;
  readonly currency: string;
  readonly count: number;
  readonly sum: Decimal;
}

/** Who paid what, the most first. Transfers between own accounts, refunded fees and returned payments don't count. */
export async function customersOf(
  ledger: Ledger,
  scope: Scope,
  kinds: Kinds,
  by: Interval | undefined,
): Promise<readonly Customer[]> {
  const all = new Map<string, { -readonly [K in keyof Customer]: Customer[K] }>();
  for await (const row of rowsOf(ledger, scope)) {
    if (!isPayment(row, kinds)) continue;
    const interval = by === undefined ? "" : intervalOf(row.facts.day, by);
    const { name, number } = customerOf(row);
    const { currency } = row.account;
    const key = [interval, currency, name, number].join("\t");
    const customer = all.get(key) ?? { interval, name, number, currency, count: 0, sum: Decimal.zero };
    all.set(key, customer);
    customer.count += 1;
    customer.sum = customer.sum.add(row.change);
  }
  return [...all.values()].toSorted(
    (a, b) => compare(a.interval, b.interval) || compare(a.currency, b.currency) || b.sum.compare(a.sum),
  );
}

/** True for a customer's payment: a collection, or money in with a payer in its row. */
export function isPayment(row: BookedRow, kinds: Kinds): boolean {
  if (row.change.sign <= 0 || kinds.isReturned(row)) return false;
  const kind = kinds.of(row);
  const { name, number } = customerOf(row);
  return kind === "collection" || (kind === "other" && (name !== "" || number !== ""));
}

/**
 * The payer, as far as the row says: from its payer's fields, a phone number in its narration, or the payment's own
 * reference.
 */
export function customerOf({ row, facts }: BookedRow): { readonly name: string; readonly number: string } {
  const [name, account] = [textIn(row, "senderAccountName"), textIn(row, "senderAccountNo")];
  if (name !== "" || account !== "") return { name, number: findMsisdn(account) ?? account };
  const [phone = facts.paymentReference] = phoneNumbersIn(facts.narration);
  return { name: "", number: phone };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
