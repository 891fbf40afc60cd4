import type { RemittanceState } from "../outcomes.ts";

/** A collection in the simulator, from its request to its end. Spec 2.8. */
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
  /** Default: TZS. */
  readonly currency?: "KES" | undefined;
}

/** A payout in the simulator, from its request to its end. */
export interface PayoutRecord {
  readonly transactionRef: string;
  readonly transactionId: string;
  readonly accountNo: string;
  readonly msisdn: string;
  /** The request's own digits. */
  readonly amount: string;
  readonly narration: string;
  /** Empty where no callback is sent. */
  readonly callbackUrl: string;
  readonly statusCode: string;
}

/** A remittance in the simulator. Spec is silent on the record in the answer. */
export interface RemittanceRecord {
  readonly partnerReference: string;
  readonly callbackUrl: string;
  /** In shillings; the request's own digits. */
  readonly receiverAmount: string;
  readonly state: RemittanceState;
  readonly createdAt: string;
  readonly updatedAt: string;
}
