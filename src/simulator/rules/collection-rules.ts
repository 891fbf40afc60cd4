import { collect } from "../../contract/collection.ts";
import { collectionOutcome } from "../outcomes.ts";
import type { CollectionRecord } from "../books/record.ts";
import { answerJson, duplicateRequest, validationError } from "../refusal.ts";
import { countryOf, numberFault } from "./channel-country.ts";
import type { ServiceRule, RuleContext } from "./rule.ts";
import { rule } from "./rule.ts";

/** Words with which a request fails at once, without any effect. */
const refusedAtOnce = new Set(["PAYMENT_REJECTED", "INSUFFICIENT_FUNDS"]);

/** The rule of spec 4.5. Spec is silent on the HTTP status: the service was seen to answer 200 whatever the word. */
export const collectionRules: readonly ServiceRule[] = [
  rule(collect, ({ channel, amount, ...input }, context) => {
    const { world, nowMs, callbackDelayMs } = context;
    const { transactionRef } = input;
    const fault = numberFault(input.msisdn, channel);
    if (fault !== undefined) return validationError("A", { msisdn: fault });
    if (world.collections.has(transactionRef)) return duplicateRequest(409);
    const answer =
      world.collectionWalletOf(currencyOf(channel)) === undefined
        ? "PAYMENT_REJECTED"
        : collectionOutcome(input.msisdn).answer;
    const transactionId = world.draw.id();
    // Spec is silent: a request that was refused at once leaves no transaction, so its reference stays free.
    if (!refusedAtOnce.has(answer)) {
      world.collections.set(transactionRef, {
        ...input,
        amount: amount.text,
        transactionId,
        statusCode: answer,
        currency: currencyOf(channel),
      });
      context.later({ kind: "settle", atMs: nowMs + callbackDelayMs, transactionRef });
    }
    return answerJson(200, { statusCode: answer, transactionRef, transactionId });
  }),
];

/** Carries out the subscriber's decision: moves the money, and schedules the callbacks. */
export function settleCollection(transactionRef: string, context: RuleContext): void {
  const { world, nowMs, callbackDelayMs } = context;
  const collection = world.collections.get(transactionRef);
  const wallet = world.collectionWalletOf(collection?.currency);
  if (collection === undefined || wallet === undefined) return;
  const { callbacks, collects } = collectionOutcome(collection.msisdn);
  if (collects) world.payIn(collection, wallet, nowMs);
  world.collections.set(transactionRef, { ...collection, statusCode: callbacks[0] ?? collection.statusCode });
  for (const [index, statusCode] of callbacks.entries()) {
    const body = callbackBody(collection, statusCode);
    const atMs = nowMs + index * callbackDelayMs;
    context.later({ kind: "post", atMs, url: collection.callbackUrl, body, failures: 0 });
  }
}

/** Kenyan channels collect Kenyan shillings. */
function currencyOf(channel: string): "KES" | undefined {
  return countryOf(channel)?.currency === "KES" ? "KES" : undefined;
}

/** Spec 6.1; `meta` is what the service was seen to add. */
function callbackBody({ transactionId, transactionRef }: CollectionRecord, statusCode: string): string {
  return JSON.stringify({ statusCode, transactionId, transactionRef, meta: {} });
}
