import { operatorCurrencies } from "../../journal/requests/movement-request.ts";
import { unreachableCallbackUrl } from "../../contract/callback.ts";
import { documentedServiceCodes, payout } from "../../contract/extensions/payout.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Numeral } from "../../values/json.ts";
import { findMsisdn } from "../../values/msisdn.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { channelOf, channelWarnings, countryOf, countryViolation } from "./channels.ts";
import type { MoneyOrder } from "../order.ts";

/** Who is paid, as the request says it. */
export interface PayoutReceiver {
  /** The mobile number, or `BIC:ACCOUNT`. */
  readonly msisdn: string;
  /** `TZ-TIGO-B2C`, `TZ-BANK-B2C`. */
  readonly serviceCode: string;
  /** True where the channel is taken from the number's prefix. */
  readonly isByPrefix: boolean;
}

export interface PayoutRequest extends Omit<PayoutReceiver, "isByPrefix"> {
  readonly account: string;
  readonly name: string;
  readonly amount: Decimal;
  readonly narration: string;
  readonly reference: string;
  readonly callbackUrl: string;
  readonly callbackIsMade: boolean;
  readonly nowMs: number;
}

/** The countries that can be paid: the request names the channel's country and its currency. */
const countries = /^(?:TZ|KE)-/;
const accountForm = /^[A-Z0-9][A-Z0-9-]{2,39}$/i;
const bankForm = /^[A-Z0-9]{2,11}$/;

/** `transactionRef` is our reference. All eleven fields are required, and no other is accepted. */
export function payoutOrder(request: PayoutRequest): MoneyOrder {
  const { account, msisdn, serviceCode, name, amount, narration, reference, callbackUrl, nowMs } = request;
  const countryCode = countryOf(serviceCode, msisdn);
  const input = {
    countryCode,
    accountNo: account,
    serviceCode,
    amount: new Numeral(amount.toString()),
    msisdn,
    narration,
    currencyCode: payoutCurrency(request),
    recipientNames: name,
    transactionRef: reference,
    transactionDate: wallTime(nowMs),
    callbackUrl,
  };
  const isFilledIn = request.callbackIsMade || callbackUrl === unreachableCallbackUrl;
  const volatile = isFilledIn ? ["transactionDate", "callbackUrl"] : ["transactionDate"];
  return { kind: "payout", endpoint: payout, reference, input, volatile };
}

/** The currency that a channel pays in: that of its country. */
export function payoutCurrency({ serviceCode, msisdn }: Pick<PayoutReceiver, "serviceCode" | "msisdn">) {
  return operatorCurrencies[countryOf(serviceCode, msisdn)];
}

/** What a person says of a receiver. */
export interface TypedReceiver {
  /** A mobile number, an account, or `CODE:ACCOUNT`. */
  readonly to: string;
  readonly channel: string | undefined;
  readonly bank: string | undefined;
}

/** Why it isn't a valid receiver: the name of the value, and words that follow it. */
export type ReceiverViolation = readonly [name: "to" | "channel" | "bank", problem: string];

/** The receiver as the request names it, or everything that is wrong with it. */
export function payoutReceiver(typed: TypedReceiver): PayoutReceiver | readonly ReceiverViolation[] {
  const [, code, number] = /^([^:]*):(.*)$/s.exec(typed.to) ?? [];
  const { bank = code, channel } = typed;
  if (channel !== undefined && !countries.test(channel))
    return [["channel", `${channel} names no country that can be paid: it begins with TZ- or KE-`]];
  if (bank !== undefined) return bankReceiver({ ...typed, bank }, code, number ?? typed.to);
  if (channel?.includes("-BANK-") === true) return [["bank", `is missing: ${channel} needs the bank's code`]];
  const msisdn = findMsisdn(typed.to);
  if (msisdn === undefined)
    return [["to", "isn't a mobile number: 255 or 254 and nine digits; a bank account needs its bank"]];
  const serviceCode = channel ?? channelOf(msisdn, documentedServiceCodes);
  if (serviceCode === undefined) return [["channel", "is missing, and the number's prefix does not say which"]];
  const otherCountry = countryViolation(serviceCode, msisdn);
  if (otherCountry !== undefined) return [["channel", otherCountry]];
  return { msisdn, serviceCode, isByPrefix: channel === undefined };
}

function bankReceiver(
  { bank, channel }: TypedReceiver & { readonly bank: string },
  code: string | undefined,
  number: string,
): PayoutReceiver | readonly ReceiverViolation[] {
  const violations: ReceiverViolation[] = [];
  const serviceCode = channel ?? (bank.slice(4, 6) === "KE" ? "KE-BANK-B2C" : "TZ-BANK-B2C");
  if (!serviceCode.includes("-BANK-")) violations.push(["channel", `${serviceCode} pays no banks`]);
  if (!bankForm.test(bank)) violations.push(["bank", "must be the bank's code, such as CORUTZTZ"]);
  if (code !== undefined && code !== bank) violations.push(["to", `names another bank than ${bank}`]);
  if (!accountForm.test(number)) violations.push(["to", "must be the number of the account at the bank"]);
  return violations.length > 0 ? violations : { msisdn: `${bank}:${number}`, serviceCode, isByPrefix: false };
}

/** Remarks about a receiver that don't stop the order. */
export function payoutWarnings({ msisdn, serviceCode }: Pick<PayoutReceiver, "msisdn" | "serviceCode">): string[] {
  return channelWarnings(serviceCode, msisdn, documentedServiceCodes, "documentation");
}
