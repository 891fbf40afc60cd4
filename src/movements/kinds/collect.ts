import { unreachableCallbackUrl } from "../../contract/callback.ts";
import { collect } from "../../contract/collection.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Numeral } from "../../values/json.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import type { MoneyOrder } from "../order.ts";

export interface CollectRequest {
  readonly msisdn: string;
  readonly channel: string;
  readonly amount: Decimal;
  readonly narration: string;
  readonly reference: string;
  readonly callbackUrl: string;
  /** True where the address was made for this run: a different one doesn't make it a different request. */
  readonly callbackIsMade: boolean;
  readonly nowMs: number;
}

/** Spec 4.5. `transactionRef` is our reference, `transactionDate` the service's own wall time. */
export function collectOrder(request: CollectRequest): MoneyOrder {
  const { msisdn, channel, amount, narration, reference, callbackUrl, callbackIsMade, nowMs } = request;
  const input = {
    msisdn,
    channel,
    amount: new Numeral(amount.toString()),
    narration,
    transactionRef: reference,
    transactionDate: wallTime(nowMs),
    callbackUrl,
  };
  const isFilledIn = callbackIsMade || callbackUrl === unreachableCallbackUrl;
  const volatile = isFilledIn ? ["transactionDate", "callbackUrl"] : ["transactionDate"];
  return { kind: "collect", endpoint: collect, reference, input, volatile };
}
