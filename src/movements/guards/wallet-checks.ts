import { amountOf } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import { formatMoney } from "../../values/money/money.ts";
import { oneEditAway } from "../../values/text/closest.ts";
import { quote } from "../../values/text/text.ts";
import type { WalletIndex } from "../batch/order-amount.ts";
import { currencyOf } from "../batch/order-amount.ts";
import type { MovementKind } from "../../journal/movement.ts";
import type { MoneyOrder } from "../order.ts";

/** Fields of a request that name wallets of the account, with the flag or column of each. */
const walletFields: Readonly<Partial<Record<MovementKind, Readonly<Record<string, string>>>>> = {
  transfer: { from: "from", to: "to" },
  withdraw: { account: "accountNo" },
  payout: { from: "accountNo" },
};

/** A violation about a wallet, in words that follow the name of its flag or column. */
export type WalletViolation = readonly [name: string, problem: string];

/** What the service's list of wallets says about an order. */
export interface WalletFindings {
  /** Reasons why the order is impossible. */
  readonly violations: readonly WalletViolation[];
  /** Doubts: a wallet may be newer than the list. */
  readonly warnings: readonly string[];
}

/** The part of an order that names its wallets; some may not be known yet. */
export type WalletOrder = Pick<MoneyOrder, "kind" | "input">;

/** Checks the wallets of an order, for single orders and for rows of a batch. Without a list nothing is found. */
export function checkWallets({ kind, input }: WalletOrder, wallets: WalletIndex): WalletFindings {
  const fields = walletFields[kind];
  if (wallets === undefined || wallets.size === 0 || fields === undefined) return { violations: [], warnings: [] };
  const numbers = Object.entries(fields).map(([name, field]) => [name, numberIn(input, field)] as const);
  const strange = numbers.filter(([, number]) => !wallets.has(number));
  const [violations, warnings]: [WalletViolation[], string[]] = [[], []];
  for (const [name, number] of strange) {
    const whole = [`0${number}`, `00${number}`].find((candidate) => wallets.has(candidate));
    if (whole === undefined)
      warnings.push(
        `No wallet of this account has the number ${number}. ${oneEditAway(number, wallets.keys()) ?? "See: partner wallets list"}`,
      );
    else violations.push([name, `${quote(number)} has lost its leading zero: ${whole} is a wallet`]);
  }
  const [payer, receiver] = numbers.map(([, number]) => ({ number, currency: currencyOf(number, wallets) }));
  if (payer?.currency !== undefined && receiver?.currency !== undefined && payer.currency !== receiver.currency) {
    const currencies = `${receiver.number} is in ${receiver.currency}, ${payer.number} in ${payer.currency}`;
    violations.push(["to", `${currencies}; a transfer has one currency`]);
  }
  if (kind === "payout") violations.push(...payingFaults(input, wallets));
  if (kind === "transfer")
    for (const [, number] of numbers.filter(([, each]) => isCollecting(each, wallets)))
      warnings.push(`${number} is a collection wallet; a transfer goes from one disbursement wallet to another.`);
  return { violations, warnings };
}

/** A payout leaves from a disbursement wallet, in the currency of its channel's country, once that is known. */
function payingFaults(input: object, wallets: NonNullable<WalletIndex>): WalletViolation[] {
  const accountNo = numberIn(input, "accountNo");
  const wanted = Reflect.has(input, "currencyCode") ? numberIn(input, "currencyCode") : undefined;
  const currency = currencyOf(accountNo, wallets);
  if (isCollecting(accountNo, wallets))
    return [["from", `${quote(accountNo)} collects; a payout leaves from a disbursement wallet`]];
  return currency === undefined || wanted === undefined || currency === wanted
    ? []
    : [["from", `${quote(accountNo)} is in ${currency}, and the channel pays in ${wanted}`]];
}

function isCollecting(accountNo: string, wallets: NonNullable<WalletIndex>): boolean {
  const type = wallets.get(accountNo)?.["type"];
  return typeof type === "string" && type.endsWith("COLLECTION");
}

/** Warnings about wallets that hold less than they are to pay. */
export function shortWarnings(payers: ReadonlyMap<string, Decimal>, wallets: WalletIndex): string[] {
  return [...payers].flatMap(([number, leaving]) => {
    const [balance, currency = ""] = [balanceOf(number, wallets), currencyOf(number, wallets)];
    if (balance === undefined || balance.compare(leaving) >= 0) return [];
    const [holds, leaves] = [balance, leaving].map((amount) =>
      `${formatMoney(amount, currency)} ${currency}`.trimEnd(),
    );
    return [`${number} holds ${holds}, not enough for the ${leaves} that are to leave it.`];
  });
}

/** Spec 4.7: the two wallets of a transfer differ. In words that follow the name of the receiver's flag or column. */
export function sameWalletViolation(from: string | undefined, to: string | undefined): string | undefined {
  return from === undefined || from !== to ? undefined : `${quote(to)} is the wallet that pays`;
}

/** A violation about the wallet of a flag, as a failure. */
export function walletFailure([name, problem]: WalletViolation): Failure {
  const message = `--${name} ${problem}.`;
  const hint = "See the wallets: partner wallets list";
  return new Failure("usage", message, { hint, money: "not moved", details: { [`--${name}`]: message } });
}

/** The balance of a wallet; undefined where it is not known. */
function balanceOf(accountNo: string, wallets: WalletIndex): Decimal | undefined {
  return amountOf(wallets?.get(accountNo)?.["balance"]) ?? undefined;
}

function numberIn(input: object, field: string): string {
  return String(Reflect.get(input, field));
}
