import { readWebhookKey } from "../contract/webhooks/key.ts";
import { signWebhook, webhookBody } from "../contract/webhooks/webhook.ts";
import { encodeJson } from "../contract/wire.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import { credentials } from "./credentials.ts";
import type { MerchantAccount } from "./books/merchant-account.ts";
import type { RuleContext } from "./rules/rule.ts";

/** The bank of all simulated merchant accounts. Spec is silent on what a bank's id looks like. */
const bankId = "0b5f9d3e-5c1a-4c6e-9f7e-3b1f0a2d4c68";

/** Fields of a statement's row that the event repeats, under the same names and in the order of spec 6.2. */
const repeatedFields = [
  "reference",
  "paymentReference",
  "transactionDate",
  "creditOrDebit",
  "currency",
  "amountCredit",
  "amountDebit",
  "availableBalance",
  "currentBalance",
  "description",
] as const;

/** Delivers a signed `transaction.created` for every new row of a merchant account from now on. Spec 6.2. */
export function postMerchantEvents(url: string, context: () => RuleContext): void {
  const key = readWebhookKey(credentials.webhookKey);
  context().world.onMerchantEntry((account, entry) => {
    const now = context();
    const content = { timestamp: isoDarEsSalaam(now.nowMs), payload: encodeJson(eventOf(account, entry)) };
    now.later({
      kind: "post",
      atMs: now.nowMs,
      url,
      body: webhookBody(content, signWebhook(content, key)),
      failures: 0,
    });
  });
}

/**
 * Spec 6.2. The unique id is that of the statement's row, which ties the event to the row; the bank's id may be null.
 */
function eventOf({ name }: MerchantAccount, entry: JsonObject): JsonObject {
  const repeated = repeatedFields.map((field): [string, JsonValue] => [field, entry[field] ?? ""]);
  return {
    event: "transaction.created",
    account: { accountNo: name.accountNo, accountName: name.accountName, bankId },
    transaction: { id: entry["transactionId"] ?? "", transactionId: null, ...Object.fromEntries(repeated) },
    counterparty: null,
  };
}
