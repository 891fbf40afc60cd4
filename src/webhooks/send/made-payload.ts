import type { Host } from "../../host/host.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";

const secondMs = 1000;

/**
 * An invented `transaction.created`, like the specification's example (6.2): a customer's payment. It has ids of its
 * own, and each later one has a later time.
 * @param index 0 for the first
 */
export function madePayload(index: number, { ids, nowMs }: { ids: Host["ids"]; nowMs: number }): JsonObject {
  const id = ids.uuid();
  return {
    event: "transaction.created",
    account: { accountNo: "1234567890", accountName: "Business Account Ltd", bankId: "uuid-of-bank" },
    transaction: {
      id,
      transactionId: `BANK-${id.slice(0, 8)}`,
      reference: `TXN-REF-${id.slice(-12)}`,
      paymentReference: `PAY-REF-${index + 1}`,
      transactionDate: isoDarEsSalaam(nowMs + index * secondMs),
      creditOrDebit: "CREDIT",
      currency: "TZS",
      amountCredit: new Numeral("50000.00"),
      amountDebit: new Numeral("0"),
      availableBalance: new Numeral("150000.00"),
      currentBalance: new Numeral("150000.00"),
      description: "Customer payment received",
    },
    counterparty: null,
  };
}
