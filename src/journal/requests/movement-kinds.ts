import type { MovementKind } from "../movement.ts";
import { movementNouns } from "../movement.ts";

/** An amount field of a request, and what says its currency. Nothing says it where all of these are missing. */
export interface AmountField {
  readonly amount: string;
  /** The field that holds the currency. */
  readonly currency?: string;
  /** The field that names the wallet whose currency it is. */
  readonly wallet?: string;
  /** The field whose first two letters are the country's. Spec 4.5: `TZ-TIGO-C2B`. */
  readonly channel?: string;
}

/** The fields that say who gets the money. */
export interface ReceiverFields {
  readonly account: string;
  /** The field of the operator's or bank's code, where an account number alone isn't unique. */
  readonly institution?: string;
  readonly channel?: string;
  /** True where `account` is `BANK:ACCOUNT` for banks, and a number alone is a mobile one. */
  readonly namesBank?: true;
  /** Where the request says who it is. */
  readonly name?: readonly string[];
}

/** A statement that shows the movement, and the side of its row. */
export type StatementBooking = { readonly side: "debit" | "credit" } & (
  | { /** The field that names the wallet. */ readonly wallet: string }
  /** The request names no wallet. Spec is silent on which one it is beyond this type. */
  | { readonly walletType: "DEFAULT COLLECTION" | "DISBURSEMENT" }
);

/** What the request of one kind of movement holds: the names of its fields, by what they mean. */
export interface MovementForm {
  readonly noun: string;
  /** Seen from the account: what leaves is what limits are for. */
  readonly direction: "leaves" | "comes in";
  /** The first one is what people count: a remittance is as large as what its receiver gets. */
  readonly amounts: readonly [AmountField, ...AmountField[]];
  /** The wallet or the phone that pays; null where the request doesn't say. */
  readonly payer: string | null;
  /** Null where the money goes to the account itself. */
  readonly receiver: ReceiverFields | null;
  /** The text that statements show. */
  readonly narration: string;
  /** A day that the person who orders can give. */
  readonly day?: string;
  /** Where our reference travels: as a field of its own, or as a tag ` [R]` at the end of one. */
  readonly reference: { readonly field: string; readonly as: "itself" | "tag" };
  readonly bookings: readonly StatementBooking[];
}

/** Spec 2.1, 4.5, 4.7, 4.10, and a payout beyond it: the one place that knows which field of a money request means what. */
export const movementForms: Readonly<Record<MovementKind, MovementForm>> = {
  transfer: {
    noun: movementNouns.transfer,
    direction: "leaves",
    amounts: [{ amount: "amount", wallet: "from" }],
    payer: "from",
    receiver: { account: "to" },
    narration: "description",
    reference: { field: "description", as: "tag" },
    bookings: [
      { side: "debit", wallet: "from" },
      { side: "credit", wallet: "to" },
    ],
  },
  withdraw: {
    noun: movementNouns.withdraw,
    direction: "leaves",
    amounts: [{ amount: "amount", wallet: "accountNo" }],
    payer: "accountNo",
    receiver: null,
    narration: "narration",
    day: "transactionDate",
    reference: { field: "externalRef", as: "itself" },
    bookings: [{ side: "debit", wallet: "accountNo" }],
  },
  collect: {
    noun: movementNouns.collect,
    direction: "comes in",
    amounts: [{ amount: "amount", channel: "channel" }],
    payer: "msisdn",
    receiver: null,
    narration: "narration",
    reference: { field: "transactionRef", as: "itself" },
    bookings: [{ side: "credit", walletType: "DEFAULT COLLECTION" }],
  },
  remit: {
    noun: movementNouns.remit,
    direction: "leaves",
    amounts: [
      { amount: "receiverAmount", currency: "receiverCurrency" },
      { amount: "senderAmount", currency: "senderCurrency" },
    ],
    payer: null,
    receiver: {
      account: "receiverAccount",
      institution: "institutionCode",
      channel: "receiverChannel",
      name: ["receiver", "fullName"],
    },
    narration: "description",
    day: "paymentDate",
    reference: { field: "partnerReference", as: "itself" },
    bookings: [{ side: "debit", walletType: "DISBURSEMENT" }],
  },
  payout: {
    noun: movementNouns.payout,
    direction: "leaves",
    amounts: [{ amount: "amount", currency: "currencyCode", wallet: "accountNo" }],
    payer: "accountNo",
    receiver: { account: "msisdn", institution: "serviceCode", namesBank: true, name: ["recipientNames"] },
    narration: "narration",
    reference: { field: "transactionRef", as: "itself" },
    bookings: [{ side: "debit", wallet: "accountNo" }],
  },
};
