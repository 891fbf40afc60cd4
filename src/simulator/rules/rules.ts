import type { Endpoint } from "../../contract/endpoint.ts";
import { accountRules } from "./account-rules.ts";
import { collectionRules } from "./collection-rules.ts";
import { extensionRules } from "./extension-rules.ts";
import { payoutRules } from "./payout-rules.ts";
import { remittanceRules } from "./remittance-rules.ts";
import type { ServiceRule } from "./rule.ts";
import { walletRules } from "./wallet-rules.ts";

/** What the service does, endpoint by endpoint. */
export const rules: ReadonlyMap<Endpoint, ServiceRule> = new Map(
  [...remittanceRules, ...accountRules, ...collectionRules, ...walletRules, ...extensionRules, ...payoutRules].map(
    (rule) => [rule.endpoint, rule],
  ),
);
