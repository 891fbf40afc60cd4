import { collect } from "../contract/collection.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { Numeral } from "../values/json.ts";
import { wallTime } from "../values/time/wall-time.ts";
import type { MoneyOrder } from "./order.ts";

export interface CollectRequest {
  readonly msisdn: string;
  readonly channel: string;
  readonly amount: Decimal;
  readonly narration: string;
  readonly reference: string;
  readonly callbackUrl: string;
  /** True where the address was made for this run, so that another one is no other request. */
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
  const volatile = callbackIsMade ? ["transactionDate", "callbackUrl"] : ["transactionDate"];
  return { kind: "collect", endpoint: collect, reference, input, volatile };
}

/**
 * Spec is silent: operators' prefixes after 255, as they are known. Numbers are portable, so a mismatch is a warning.
 */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  VODACOM: ["72", "74", "75", "76", "79"],
  AIRTEL: ["78", "68", "69"],
  TIGO: ["71", "65", "67", "77"],
  HALOTEL: ["62", "61"],
};

/** The one of these channels whose operator has the number's prefix; undefined where there is none. */
export function channelOf(msisdn: string, channels: readonly string[]): string | undefined {
  const [operator] = Object.entries(prefixes).find(([, usual]) => usual.includes(msisdn.slice(3, 5))) ?? [];
  return operator === undefined ? undefined : channels.find((channel) => channel.includes(`-${operator}-`));
}

/** What is odd about a channel and a number, and no reason to stop. */
export function channelWarnings(channel: string, msisdn: string, known: readonly string[]): string[] {
  const warnings = known.includes(channel)
    ? []
    : [`The channel ${channel} is none that the specification names (${known.join(", ")}); it is sent as it is.`];
  const operator = Object.keys(prefixes).find((name) => channel.includes(`-${name}-`));
  const usual = operator === undefined ? undefined : prefixes[operator];
  if (usual !== undefined && !usual.includes(msisdn.slice(3, 5)))
    warnings.push(
      `${msisdn} does not look like a number of ${operator}; numbers can be taken along, so it is sent as it is.`,
    );
  return warnings;
}
