import * as z from "zod/mini";
import { Decimal } from "../values/money/decimal.ts";

/** 9999-12-31, the last day of the calendar, in milliseconds since 1970 UTC. */
const lastMoment = Date.UTC(9999, 11, 31);
const balance = z.string().check(z.refine((text) => Decimal.parse(text) !== undefined));
const whole = z.int().check(z.nonnegative());

/** The figures of an account for a closed month. */
const closedAccount = z.object({
  kind: z.enum(["wallet", "merchant"]),
  account: z.string(),
  opening: balance,
  closing: balance,
  rows: whole,
});
export const closedMonth = z.object({
  scope: z.string(),
  /** `YYYY-MM`. */
  month: z.string(),
  /** Milliseconds since 1970 UTC. */
  closedAt: z.number().check(z.minimum(0), z.maximum(lastMoment)),
  /** How many changes of the month's rows were known before it was read; missing from earlier versions. */
  changes: z.optional(whole),
  /**
   * When the last of them was seen, which identifies the ledger; missing where there were none, and from earlier
   * versions.
   */
  lastChangeAt: z.optional(z.number()),
  /** SHA-256 of the folder's manifest. */
  manifest: z.string(),
  proved: z.boolean(),
  /** What had changed since the month's earlier closes, in words; missing where nothing had. */
  changed: z.optional(z.array(z.string())),
  accounts: z.array(closedAccount),
});

export type ClosedAccount = z.infer<typeof closedAccount>;

/** `closes.json`: every close, the newest of a month last. */
export const closesSchema = z.lazy(() => z.object({ version: z.literal(1), closes: z.array(closedMonth) }));
export type ClosedMonth = z.infer<typeof closedMonth>;
export type Closes = z.infer<typeof closesSchema>;

/** All closes of a month, the last one at the end. */
export function closesOfMonth({ closes }: Closes, scope: string, month: string): readonly ClosedMonth[] {
  return closes.filter((close) => close.scope === scope && close.month === month);
}

/** The close of a month that counts: its last one. */
export function closeOf(closes: Closes, scope: string, month: string): ClosedMonth | undefined {
  return closesOfMonth(closes, scope, month).at(-1);
}

/** True where two closes of a month knew of the same changes, and had the same figures. */
export function hasFiguresOf(one: ClosedMonth, other: ClosedMonth): boolean {
  return (
    one.changes === other.changes &&
    one.lastChangeAt === other.lastChangeAt &&
    JSON.stringify(one.accounts) === JSON.stringify(other.accounts)
  );
}

/** The closes of an account that count, oldest month first. */
export function closesOf({ closes }: Closes, scope: string): readonly ClosedMonth[] {
  const months = new Map(closes.filter((close) => close.scope === scope).map((close) => [close.month, close]));
  return [...months.values()].toSorted((a, b) => (a.month < b.month ? -1 : 1));
}
