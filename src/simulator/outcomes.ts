/** What happens to a collection from a subscriber whose number ends in certain digits. */
export interface CollectionOutcome {
  /** The last six digits of the msisdn. */
  readonly ending: string;
  /** The `statusCode` that is answered at once. */
  readonly answer: string;
  /** The `statusCode`s of the callbacks that follow, in their order. */
  readonly callbacks: readonly string[];
  /** Whether the money is collected, with a row in the statement. */
  readonly collects: boolean;
  readonly meaning: string;
}

/** Every other number: pending, then paid. */
export const ordinaryCollection: CollectionOutcome = {
  ending: "",
  answer: "PENDING_ACK",
  callbacks: ["PAYMENT_ACCEPTED"],
  collects: true,
  meaning: "the subscriber pays",
};

/** Numbers for the other outcomes of a collection, as help and README list them. All invented. */
export const collectionOutcomes: readonly CollectionOutcome[] = [
  later("990001", ["PAYMENT_REJECTED"], "the subscriber refuses"),
  later("990002", ["GENERIC_ERROR"], "an error while processing; nothing is collected"),
  later("990003", [], "the subscriber never answers: no callback, nothing is collected"),
  { ...later("990004", ["PAYMENT_ACCEPTED", "PAYMENT_ACCEPTED"], "paid; the callback comes twice"), collects: true },
  atOnce("990005", "PAYMENT_REJECTED", "rejected at once, with HTTP 200"),
  atOnce("990006", "INSUFFICIENT_FUNDS", "the subscriber lacks funds; said at once, with HTTP 200"),
  atOnce("990007", "GENERIC_ERROR", "an error at once; nothing is collected"),
  { ...atOnce("990008", "GENERIC_ERROR", "an error at once, and yet it is paid; no callback"), collects: true },
  { ...later("990009", [], "paid, but the callback is lost: only the statement shows it"), collects: true },
  {
    ...later("990010", ["PAYMENT_ACCEPTED", "PAYMENT_REJECTED"], "paid; a second callback contradicts the first"),
    collects: true,
  },
  later("990011", ["SESSION_EXPIRED"], "a callback with a word that the specification does not have"),
];

/** What happens to a payout to a number or an account that ends in certain digits. */
export interface PayoutOutcome {
  /** The last six characters of msisdn. */
  readonly ending: string;
  /** The `statusCode` that is answered at once. */
  readonly answer: string;
  /** The `statusCode`s of the callbacks that follow; the first one is the status from then on. */
  readonly callbacks: readonly string[];
  /** Whether money leaves the wallet, with a row in the statement. */
  readonly pays: boolean;
  readonly meaning: string;
}

/** Every other number: pending, then paid. */
export const ordinaryPayout: PayoutOutcome = {
  ...payoutLater("", ["PAYMENT_ACCEPTED"], "the receiver is paid"),
  pays: true,
};

/** Numbers for the other outcomes of a payout. All invented. */
export const payoutOutcomes: readonly PayoutOutcome[] = [
  payoutLater("990001", ["PAYMENT_REJECTED"], "it is rejected; nothing leaves the wallet"),
  payoutLater("990002", ["GENERIC_FAILURE"], "an error while processing; nothing leaves"),
  payoutLater("990003", [], "it stays pending: no callback, nothing leaves"),
  { ...payoutLater("990004", ["PAYMENT_ACCEPTED", "PAYMENT_ACCEPTED"], "paid; the callback comes twice"), pays: true },
  payoutAtOnce("990005", "PAYMENT_REJECTED", "rejected at once, with HTTP 200"),
  payoutAtOnce("990006", "PROVIDER_FAILED", "not a number of that operator; said at once, with HTTP 200"),
  payoutAtOnce("990007", "GENERIC_FAILURE", "an error at once; nothing leaves"),
  { ...payoutAtOnce("990008", "GENERIC_FAILURE", "an error at once, and yet it is paid; no callback"), pays: true },
  { ...payoutLater("990009", [], "paid, but the callback is lost"), pays: true },
  {
    ...payoutLater("990010", ["PAYMENT_ACCEPTED", "PAYMENT_REJECTED"], "paid; a second callback contradicts the first"),
    pays: true,
  },
  payoutLater("990011", ["SESSION_EXPIRED"], "a callback with a word that isn't documented"),
];

/** What happens to a remittance to a receiver whose account ends in certain digits. */
export interface RemittanceOutcome {
  /** The last six characters of receiverAccount. */
  readonly ending: string;
  /** The states that follow on CREATED, each with a callback. */
  readonly states: readonly RemittanceState[];
  readonly meaning: string;
}

export type RemittanceState = (typeof remittanceStates)[number];

export const remittanceStates = ["CREATED", "SUBMITTED", "COMPLETED", "FAILED", "CANCELED", "REVERSED"] as const;

/** States in which the money is back in the main account. */
export const returningStates: ReadonlySet<RemittanceState> = new Set(["FAILED", "CANCELED", "REVERSED"]);

/** Every other account: paid out. */
export const ordinaryRemittance: RemittanceOutcome = {
  ending: "",
  states: ["SUBMITTED", "COMPLETED"],
  meaning: "the receiver is paid",
};

/** Accounts for the other outcomes of a remittance. All invented. */
export const remittanceOutcomes: readonly RemittanceOutcome[] = [
  { ending: "990001", states: ["SUBMITTED", "FAILED"], meaning: "it fails; the main account gets its money back" },
  { ending: "990002", states: ["SUBMITTED", "COMPLETED", "REVERSED"], meaning: "paid, then reversed" },
  { ending: "990003", states: [], meaning: "no more updates come" },
  { ending: "990004", states: ["SUBMITTED", "COMPLETED", "COMPLETED"], meaning: "the last update comes twice" },
  { ending: "990005", states: ["SUBMITTED", "CANCELED"], meaning: "canceled; the main account gets its money back" },
];

/** The outcome of a collection, which the number's last digits decide. */
export function collectionOutcome(msisdn: string): CollectionOutcome {
  return collectionOutcomes.find(({ ending }) => msisdn.endsWith(ending)) ?? ordinaryCollection;
}

/** The outcome of a remittance, which the last digits of the receiver's account decide. */
export function remittanceOutcome(receiverAccount: string): RemittanceOutcome {
  return remittanceOutcomes.find(({ ending }) => receiverAccount.endsWith(ending)) ?? ordinaryRemittance;
}

/** The outcome of a payout, which the receiver's last digits decide. */
export function payoutOutcome(msisdn: string): PayoutOutcome {
  return payoutOutcomes.find(({ ending }) => msisdn.endsWith(ending)) ?? ordinaryPayout;
}

function payoutLater(ending: string, callbacks: readonly string[], meaning: string): PayoutOutcome {
  return { ending, answer: "PENDING_ACK", callbacks, pays: false, meaning };
}

function payoutAtOnce(ending: string, answer: string, meaning: string): PayoutOutcome {
  return { ending, answer, callbacks: [], pays: false, meaning };
}

function later(ending: string, callbacks: readonly string[], meaning: string): CollectionOutcome {
  return { ending, answer: "PENDING_ACK", callbacks, collects: false, meaning };
}

function atOnce(ending: string, answer: string, meaning: string): CollectionOutcome {
  return { ending, answer, callbacks: [], collects: false, meaning };
}
