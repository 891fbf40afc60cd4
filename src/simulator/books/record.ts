import type { RemittanceState } from "../outcomes.ts";

/** A collection that the simulator knows, from its request to its end. Spec 2.8. */
export interface CollectionRecord {
  readonly transactionRef: string;
  readonly transactionId: string;
  readonly msisdn: string;
  /** The request's own digits. */
  readonly amount: string;
  readonly narration: string;
  readonly transactionDate: string;
  readonly callbackUrl: string;
  readonly statusCode: string;
  /** Shillings of Tanzania where left out. */
  readonly currency?: "KES" | undefined;
}

/** A payout that the simulator knows, from its request to its end. */
export interface PayoutRecord {
  readonly transactionRef: string;
  readonly transactionId: string;
  readonly accountNo: string;
  readonly msisdn: string;
  /** The request's own digits. */
  readonly amount: string;
  readonly narration: string;
  /** Empty where nobody is to be told. */
  readonly callbackUrl: string;
  readonly statusCode: string;
}

/** A remittance that the simulator knows. Spec is silent on the record that the service answers with. */
export interface RemittanceRecord {
  readonly partnerReference: string;
  readonly callbackUrl: string;
  /** Shillings; the request's own digits. */
  readonly receiverAmount: string;
  readonly state: RemittanceState;
  readonly createdAt: string;
  readonly updatedAt: string;
}
