import { quote } from "../../values/text.ts";
import type { MoneyOrder } from "../order.ts";
import type { WalletIndex } from "./worth.ts";
import { currencyOf } from "./worth.ts";

/** Columns that hold wallets of the account, and the request's field of each. */
const walletColumns = { transfer: { from: "from", to: "to" }, withdraw: { account: "accountNo" } } as const;

/** What the list of wallets says against a row; what it does not know may be new, and is a warning. */
export function walletFaults(
  { kind, input }: MoneyOrder,
  wallets: WalletIndex,
  warn: (warning: string) => void,
): (readonly [column: string, problem: string])[] {
  if (wallets === undefined || wallets.size === 0 || (kind !== "transfer" && kind !== "withdraw")) return [];
  const numbers = Object.entries(walletColumns[kind]).map(
    ([column, field]) => [column, String(Reflect.get(input, field))] as const,
  );
  const faults = numbers.flatMap(([column, number]) => {
    if (wallets.has(number)) return [];
    const whole = [`0${number}`, `00${number}`].find((candidate) => wallets.has(candidate));
    if (whole !== undefined)
      return [[column, `${quote(number)} has lost its leading zero: ${whole} is a wallet`] as const];
    warn(`${number} is none of the account's wallets that the service lists.`);
    return [];
  });
  const currencies = numbers.map(([, number]) => currencyOf(number, wallets));
  const [pays, receives] = currencies;
  if (pays === undefined || receives === undefined || pays === receives) return faults;
  return [...faults, ["to", `is in ${receives} and the wallet that pays in ${pays}; a transfer has one currency`]];
}
