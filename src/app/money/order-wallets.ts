import { listWallets } from "../../contract/wallets.ts";
import type { Choice } from "../../host/process/prompts.ts";
import { currencyOf, indexWallets } from "../../movements/batch/order-amount.ts";
import type { WalletOrder } from "../../movements/guards/wallet-checks.ts";
import { checkWallets, shortWarnings, walletFailure } from "../../movements/guards/wallet-checks.ts";
import { walletSeen } from "../../movements/guards/wallet-preview.ts";
import type { JsonObject } from "../../values/json.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import { visible } from "../../values/text/text.ts";
import { combined } from "../../values/violation.ts";
import { namesByNumber } from "../accounts/nicknames.ts";
import { lookAt } from "../look.ts";
import type { Session } from "../session.ts";
import { namesAndBalances } from "./preview.ts";

/** How the wallets of an order limit the answers to its questions. */
export interface WalletRules {
  /** The key of the wallet that pays. */
  readonly payer: string;
  /** The order as far as it is known; only its wallets matter. */
  readonly orderOf?: (known: object) => WalletOrder;
}

/** What a question asks for: `wallet`, `amount`, `text`, or one of several words. */
type Asks = string | readonly string[];

/** The account's wallets, for the questions about an order. */
export interface OrderWallets {
  readonly choices: readonly Choice<string>[];
  /** The currency of the wallet that pays; undefined where it is not known. */
  currencyOf(known: object): string | undefined;
  /** False where no order can have these wallets. */
  allow(known: object): boolean;
  /** @throws {Failure} usage where no order can have these wallets */
  refuse(known: object): void;
  /** Warns where the wallet that pays has less than this amount. */
  warn(known: object, amount: unknown): Promise<void>;
}

/**
 * Reads the wallets where a question needs them: to choose one, or to know the currency of an amount.
 * @throws {Failure} setup | refused | unavailable where one is to be chosen and they cannot be listed
 */
export async function openWallets(
  asks: readonly Asks[],
  rules: WalletRules | undefined,
  session: Session,
): Promise<OrderWallets> {
  const names = await namesByNumber(session.host, session.profileFlag);
  const wallets = await listedFor(asks, rules, session);
  const index = indexWallets(wallets);
  const numberOf = (word: unknown) => [...names].find(([, name]) => name === word)?.[0] ?? word;
  const numbered = (known: object) =>
    Object.fromEntries(Object.entries(known).map(([key, value]): [string, unknown] => [key, numberOf(value)]));
  const payerIn = (known: object) => (rules === undefined ? "" : String(numberOf(Reflect.get(known, rules.payer))));
  const violationsOf = (known: object) =>
    rules?.orderOf === undefined ? [] : checkWallets(rules.orderOf(numbered(known)), index).violations;
  return {
    choices: walletChoices(wallets, names),
    currencyOf: (known) => currencyOf(payerIn(known), index),
    allow: (known) => violationsOf(known).length === 0,
    refuse(known) {
      const violations = violationsOf(known);
      if (violations.length > 0) throw combined(violations.map((violation) => walletFailure(violation)));
    },
    async warn(known, amount) {
      if (!(amount instanceof Decimal)) return;
      for (const warning of shortWarnings(new Map([[payerIn(known), amount]]), index))
        await session.note(`Warning: ${warning}`);
    },
  };
}

async function listedFor(
  asks: readonly Asks[],
  rules: WalletRules | undefined,
  session: Session,
): Promise<readonly JsonObject[]> {
  if (asks.includes("wallet")) return session.service.read(listWallets, {});
  if (rules === undefined || !asks.includes("amount")) return [];
  return (await lookAt(session, listWallets, {}, namesAndBalances)) ?? [];
}

/** `9000112233  main  Main float  1,019,400.00 TZS`, with the nickname where it has one. */
function walletChoices(wallets: readonly JsonObject[], names: ReadonlyMap<string, string>): Choice<string>[] {
  return wallets.flatMap(({ accountNo }) => {
    if (typeof accountNo !== "string" || accountNo === "") return [];
    const { name, balance, currency = "" } = walletSeen(wallets, accountNo);
    const money = balance === undefined ? "" : `${formatMoney(balance, currency)} ${currency}`.trimEnd();
    const named = [accountNo, names.get(accountNo) ?? "", name ?? ""].filter((part) => part !== "");
    const offered = [...named, money].filter((part) => part !== "");
    return [{ value: accountNo, name: visible(offered.join("  ")), short: visible(named.join("  ")) }];
  });
}
