import { indexWallets } from "../../movements/batch/order-amount.ts";
import { leavingAmounts, payingWallet } from "../../journal/requests/movement-request.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import { checkWallets, shortWarnings, walletFailure } from "../../movements/guards/wallet-checks.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Preview } from "./preview.ts";

/** Checks a single order against the wallets, where they could be read. */
export function checkedWallets(
  order: MoneyOrder,
  wallets: readonly JsonObject[] | undefined,
): Pick<Preview, "violations" | "warnings"> {
  const index = indexWallets(wallets);
  const { violations, warnings } = checkWallets(order, index);
  const payer = payingWallet(order.kind, order.input);
  const [leaving] = leavingAmounts(order.kind, order.input);
  const payers = new Map(payer === undefined || leaving === undefined ? [] : [[payer, leaving.amount]]);
  return {
    violations: violations.map((violation) => walletFailure(violation)),
    warnings: [...warnings, ...shortWarnings(payers, index)],
  };
}
