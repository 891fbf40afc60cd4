import { Day } from "../../values/time/day.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { feeNarration } from "../books/fee.ts";
import type { WalletMovement } from "../books/wallet.ts";
import type { World } from "../world.ts";
import type { Ordered } from "./ordered.ts";

const dayChars = 10;
const monthDays = 30;
const yearDays = 365;

/** Differences of a look-alike row from the order's own row. */
type Look = (ordered: Ordered, atMs: number, world: World) => Partial<WalletMovement>;

const looks: Readonly<Record<string, Look>> = {
  twin: (_, __, world) => ({ reference: world.draw.id() }),
  mention: ({ reference }, _, world) => ({
    reference: world.draw.id(),
    narration: `Asked about ${reference} by phone`,
  }),
  longer: ({ endpoint, reference, narration }) => ({
    reference: `${reference}0`,
    narration:
      endpoint === "transfer" ? narration.replace(`[${reference}]`, `[${reference}0]`) : `${narration} ${reference}0`,
  }),
  amount: ({ amount }) => ({ amount: amount.add(new Decimal(BigInt(amount.sign), 0)) }),
  side: ({ amount }) => ({ amount: amount.negate() }),
  mark: ({ amount }) => ({ mark: amount.sign < 0 ? "CR" : "DR" }),
  fee: ({ reference, amount }, _, world) => ({
    reference: `${reference}${amount.sign < 0 ? "-PAYOUT" : "-PAYIN"}`,
    narration: feeNarration(reference, world.draw.id()),
  }),
  "last-month": (_, atMs) => ({ valueDate: shifted(atMs, -monthDays) }),
  "next-year": (_, atMs) => ({ valueDate: shifted(atMs, yearDays) }),
};

/**
 * Books another movement through the order's wallet, with a row that looks like the order's. It is a real booking, so
 * it changes the balance.
 */
export function bookLookAlike(how: string, ordered: Ordered, atMs: number, world: World): void {
  const { account, amount, reference, narration } = ordered;
  const look = looks[how]?.(ordered, atMs, world);
  if (look === undefined || !world.wallets.has(account) || amount.isZero) return;
  world.book(account, { amount, reference, narration, atMs, ...look });
}

/** The same time on another day. */
function shifted(atMs: number, days: number): string {
  const now = wallTime(atMs);
  const day = Day.parse(now.slice(0, dayChars))?.addDays(days);
  return `${day?.toString() ?? ""}${now.slice(dayChars)}`;
}
