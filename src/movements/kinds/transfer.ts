import { transfer } from "../../contract/wallets.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Numeral } from "../../values/json.ts";
import type { MoneyOrder } from "../order.ts";

export interface TransferRequest {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  readonly description: string;
  readonly reference: string;
  /** False leaves the reference out of the description, and with it the way to find the transfer again. */
  readonly tagged: boolean;
}

/**
 * Spec 4.7. The service accepts no reference of ours for a transfer, so it travels at the end of the description, which
 * both statements show: that is how an unknown transfer is found again.
 */
export function transferOrder({ from, to, amount, description, reference, tagged }: TransferRequest): MoneyOrder {
  const input = {
    amount: new Numeral(amount.toString()),
    from,
    to,
    description: tagged ? `${description} [${reference}]` : description,
  };
  return { kind: "transfer", endpoint: transfer, reference, input, volatile: [] };
}
