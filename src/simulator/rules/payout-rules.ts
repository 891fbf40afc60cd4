import { bankPayout, payout } from "../../contract/extensions/payout.ts";
import type { Violations } from "../../contract/request.ts";
import { isJsonObject } from "../../values/json.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { PayoutRecord } from "../books/record.ts";
import type { Wallet } from "../books/wallet.ts";
import { payoutOutcome } from "../outcomes.ts";
import { answerJson, duplicateRequest, notFound, validationError } from "../refusal.ts";
import { countryOf, numberFault } from "./channel-country.ts";
import type { ServiceRule, RuleContext } from "./rule.ts";
import { rule } from "./rule.ts";

/** Words with which a request fails at once, without any effect. */
const refusedAtOnce = new Set(["PAYMENT_REJECTED", "INSUFFICIENT_FUNDS", "PROVIDER_FAILED"]);

/** Replaces a missing callback address, which a known client omits: no callback is sent to `.invalid`. */
const noCallbackUrl = "https://none.invalid";
const unreachableUrl = /^https:\/\/[^/]*\.invalid(?:\/|$)/;
const mobileForm = /^25[45]\d{9}$/;
const bankForm = /^[A-Z0-9]{2,11}:[^\s:]+$/i;

/** Payouts, at either endpoint. */
export const payoutRules: readonly ServiceRule[] = [payout, bankPayout].map((endpoint) => {
  const known = rule(endpoint, (input, context) => {
    const { world, nowMs, callbackDelayMs } = context;
    const { transactionRef, msisdn } = input;
    if (world.payouts.has(transactionRef)) return duplicateRequest(409);
    const wallet = world.wallets.get(input.accountNo);
    if (wallet === undefined) return notFound("A");
    const amount = Decimal.parseJson(input.amount.text) ?? Decimal.zero;
    const faults = faultsOf(input, wallet, amount);
    if (Object.keys(faults).length > 0) return validationError("A", faults);
    const { answer } = payoutOutcome(msisdn);
    const transactionId = world.draw.id();
    if (!refusedAtOnce.has(answer)) {
      const { accountNo, narration, callbackUrl } = input;
      const reachable = unreachableUrl.test(callbackUrl) ? "" : callbackUrl;
      const record = { transactionRef, transactionId, accountNo, msisdn, amount: input.amount.text, narration };
      world.payouts.set(transactionRef, { ...record, callbackUrl: reachable, statusCode: answer });
      context.later({ kind: "pay", atMs: nowMs + callbackDelayMs, transactionRef });
    }
    return answerJson(200, { statusCode: answer, transactionRef, transactionId });
  });
  return {
    endpoint,
    answer: (input, context) =>
      known.answer(isJsonObject(input) ? { callbackUrl: noCallbackUrl, ...input } : input, context),
  };
});

/**
 * Spec is silent on the error for missing funds: here, as at other endpoints of wallets. Country, currency and number
 * have to be those of the channel's country.
 */
function faultsOf(
  { msisdn, serviceCode, ...input }: { [K in "msisdn" | "serviceCode" | "countryCode" | "currencyCode"]: string },
  wallet: Wallet,
  amount: Decimal,
): Violations {
  const faults: Record<string, string> = {};
  const isBank = serviceCode.includes("-BANK-");
  const { countryCode, currency } = countryOf(serviceCode) ?? { ...input, currency: input.currencyCode };
  const receiverFault = isBank ? bankFault(msisdn) : mobileFault(msisdn, serviceCode);
  if (receiverFault !== undefined) faults["msisdn"] = receiverFault;
  if (!wallet.isDisbursement) faults["accountNo"] = "must be a disbursement wallet";
  if (input.countryCode !== countryCode) faults["countryCode"] = `must be ${countryCode}`;
  if (input.currencyCode !== currency) faults["currencyCode"] = `must be ${currency}`;
  else if (wallet.name.currency !== currency) faults["currencyCode"] = `must be ${wallet.name.currency}`;
  if (amount.compare(wallet.balance) > 0) faults["amount"] = "exceeds the available balance";
  return faults;
}

function bankFault(receiver: string): string | undefined {
  return bankForm.test(receiver) ? undefined : "must be BIC:ACCOUNT";
}

function mobileFault(msisdn: string, serviceCode: string): string | undefined {
  return mobileForm.test(msisdn) ? numberFault(msisdn, serviceCode) : "must be 255 or 254 and nine digits";
}

/** Carries out the answer of the operator or bank: pays or does not, and schedules the callbacks. */
export function settlePayout(transactionRef: string, context: RuleContext): void {
  const { world, nowMs, callbackDelayMs } = context;
  const record = world.payouts.get(transactionRef);
  if (record === undefined) return;
  const { callbacks, pays } = payoutOutcome(record.msisdn);
  if (pays) world.payOutOf(world.wallet(record.accountNo), record, nowMs);
  world.payouts.set(transactionRef, { ...record, statusCode: statusAfter(record, callbacks, pays) });
  if (record.callbackUrl === "") return;
  for (const [index, statusCode] of callbacks.entries()) {
    const { transactionId, callbackUrl: url } = record;
    const body = JSON.stringify({ statusCode, transactionId, transactionRef, meta: {} });
    const atMs = nowMs + index * callbackDelayMs;
    context.later({ kind: "post", atMs, url, body, failures: 0, of: "payout" });
  }
}

/** A lost callback doesn't change a payout's status. */
function statusAfter({ statusCode }: PayoutRecord, callbacks: readonly string[], pays: boolean): string {
  return callbacks[0] ?? (pays ? "PAYMENT_ACCEPTED" : statusCode);
}
