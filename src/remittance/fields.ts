/** What a person is asked for, in the order in which a form has it. */
export const groups = ["who sends", "who receives", "how much", "through what"] as const;
export type Group = (typeof groups)[number];

/** One field of a remittance's body: what it is called on the wire, on the command line and by people. Spec 2.1. */
export interface RemittanceField {
  /** Dotted, such as `sender.fullName`. */
  readonly path: string;
  readonly words: string;
  readonly group: Group;
  readonly kind: "text" | "amount" | "choice" | "day" | "phone" | "country" | "currency";
  readonly choices?: readonly string[] | undefined;
  readonly optional?: boolean | undefined;
  /** What stands there when nobody says anything. */
  readonly standard?: string | undefined;
  /** Never repeated on a screen or in a command line. */
  readonly personal?: boolean | undefined;
}

/** Spec 2.1, in the order of the specification. `partnerReference` and `paymentDate` are not asked for: they are made. */
export const remittanceFields: readonly RemittanceField[] = [
  { path: "callbackUrl", words: "Callback URL", group: "through what", kind: "text" },
  { path: "description", words: "Description for the receiver", group: "how much", kind: "text" },
  { path: "senderCurrency", words: "Currency of the sender", group: "how much", kind: "currency" },
  { path: "senderAmount", words: "Amount in the sender's currency", group: "how much", kind: "amount" },
  {
    path: "receiverCurrency",
    words: "Currency of the receiver",
    group: "how much",
    kind: "choice",
    choices: ["TZS"],
    standard: "TZS",
  },
  { path: "exchangeRate", words: "Exchange rate", group: "how much", kind: "amount" },
  { path: "receiverAmount", words: "Amount in TZS", group: "how much", kind: "amount" },
  { path: "receiverChannel", words: "Channel", group: "through what", kind: "choice", choices: ["MOBILE", "BANK"] },
  { path: "institutionCode", words: "Institution", group: "through what", kind: "text" },
  { path: "receiverAccount", words: "Account or mobile number to be credited", group: "through what", kind: "text" },
  { path: "sender.fullName", words: "Sender's legal name", group: "who sends", kind: "text" },
  { path: "sender.nationality", words: "Sender's nationality", group: "who sends", kind: "country" },
  { path: "sender.countryCode", words: "Sender's country of residence", group: "who sends", kind: "country" },
  {
    path: "sender.idType",
    words: "Kind of the sender's id",
    group: "who sends",
    kind: "choice",
    choices: ["PASSPORT", "NATIONAL_ID", "DRIVING_LICENSE"],
  },
  { path: "sender.idNumber", words: "Number of the sender's id", group: "who sends", kind: "text", personal: true },
  { path: "sender.idExpiryDate", words: "Expiry of the sender's id", group: "who sends", kind: "day", optional: true },
  { path: "sender.dateOfBirth", words: "Sender's date of birth", group: "who sends", kind: "day" },
  { path: "sender.phoneNumber", words: "Sender's phone number", group: "who sends", kind: "text" },
  { path: "sender.email", words: "Sender's e-mail", group: "who sends", kind: "text", optional: true },
  { path: "sender.address", words: "Sender's address", group: "who sends", kind: "text" },
  { path: "sender.sourceOfFundsDeclaration", words: "Source of the funds", group: "who sends", kind: "text" },
  { path: "sender.purposeOfTransaction", words: "Purpose", group: "who sends", kind: "text" },
  { path: "sender.occupation", words: "Sender's occupation", group: "who sends", kind: "text", optional: true },
  { path: "sender.employer", words: "Sender's employer", group: "who sends", kind: "text", optional: true },
  { path: "receiver.fullName", words: "Receiver's legal name", group: "who receives", kind: "text" },
  { path: "receiver.phoneNumber", words: "Receiver's phone number", group: "who receives", kind: "phone" },
  { path: "receiver.email", words: "Receiver's e-mail", group: "who receives", kind: "text", optional: true },
  {
    path: "receiver.countryCode",
    words: "Receiver's country",
    group: "who receives",
    kind: "choice",
    choices: ["TZ"],
    standard: "TZ",
  },
];

/** `sender.fullName` is the flag `--sender-full-name`, under the key `senderFullName`. */
export function flagKey(path: string): string {
  return path.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}
