import { decodeJson } from "../../contract/wire.ts";
import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { tagOf } from "../../contract/narration-tag.ts";
import type { World } from "../world.ts";

/** The parts of a request to move money that faults need. */
export interface Ordered {
  readonly endpoint: MoneyName;
  /** The wallet that pays, or receives. */
  readonly account: string;
  /** Negative where it leaves the wallet. */
  readonly amount: Decimal;
  /** The order's reference; for a transfer, the tag at the end of its narration, or the whole narration. */
  readonly reference: string;
  readonly narration: string;
}

type MoneyName = keyof typeof fields;

/** The fields of a request with its wallet, amount, reference and narration. Spec 2.1, 4.5, 4.7, 4.10. */
const fields = {
  transfer: { account: "from", amount: "amount", reference: "description", narration: "description" },
  withdraw: { account: "accountNo", amount: "amount", reference: "externalRef", narration: "narration" },
  collect: { account: "", amount: "amount", reference: "transactionRef", narration: "narration" },
  payout: { account: "accountNo", amount: "amount", reference: "transactionRef", narration: "narration" },
  "bank-payout": { account: "accountNo", amount: "amount", reference: "transactionRef", narration: "narration" },
  remit: { account: "", amount: "receiverAmount", reference: "partnerReference", narration: "description" },
} as const;

/** The request's field that holds the reference. */
export function referenceField(endpoint: string): string {
  return isMoneyName(endpoint) ? fields[endpoint].reference : "";
}

/** Undefined for a request that isn't an order, or can't be read. */
export function orderedIn(endpoint: string, body: Uint8Array, world: World): Ordered | undefined {
  const document = documentIn(body);
  if (document === undefined || !isMoneyName(endpoint)) return undefined;
  const text = (name: string) => (typeof document[name] === "string" ? document[name] : "");
  const names = fields[endpoint];
  const amount = amountOf(document[names.amount]) ?? Decimal.zero;
  const account =
    endpoint === "collect"
      ? collectionWallet(world)
      : text(names.account) || (world.payoutWallet?.name.accountNo ?? "");
  const reference = text(names.reference);
  return {
    endpoint,
    account,
    amount: endpoint === "collect" ? amount : amount.negate(),
    reference: endpoint === "transfer" ? tagOf(reference) || reference : reference,
    narration: text(names.narration),
  };
}

function isMoneyName(endpoint: string): endpoint is MoneyName {
  return Object.hasOwn(fields, endpoint);
}

function documentIn(body: Uint8Array): JsonObject | undefined {
  try {
    const document = decodeJson(new TextDecoder().decode(body));
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function collectionWallet({ collectionWallet: wallet }: World): string {
  return wallet?.name.accountNo ?? "";
}
