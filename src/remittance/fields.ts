/** One field of a remittance's body, with its name on the wire and for people. Spec 2.1. */
export interface RemittanceField {
  /** Dotted, such as `sender.fullName`. */
  readonly path: string;
  readonly words: string;
  readonly kind: "text" | "amount" | "choice" | "day" | "time" | "phone" | "country" | "currency";
  readonly choices?: readonly string[] | undefined;
  readonly optional?: boolean | undefined;
  /** The default value. */
  readonly standard?: string | undefined;
  /** A number that is not money, and may have any decimals. */
  readonly isRate?: boolean | undefined;
  /** Personal data: never part of a command line that we print. */
  readonly personal?: boolean | undefined;
}

/** Replaces personal data in a command line that we print, and is refused as a value when that line is run. */
export const leftOut = "…";

const idTypes = ["PASSPORT", "NATIONAL_ID", "DRIVING_LICENSE"];

/** Spec 2.1, in the order of the specification, which is the order of a body. */
export const remittanceFields: readonly RemittanceField[] = [
  { path: "paymentDate", words: "Time of the payment (default: now)", kind: "time" },
  { path: "partnerReference", words: "Your own reference", kind: "text" },
  { path: "callbackUrl", words: "URL to which the service reports updates", kind: "text" },
  { path: "description", words: "Description for the receiver", kind: "text" },
  { path: "senderCurrency", words: "Currency of the sender", kind: "currency" },
  { path: "senderAmount", words: "Amount in the sender's currency", kind: "amount" },
  {
    path: "receiverCurrency",
    words: "Currency of the receiver",
    kind: "choice",
    choices: ["TZS"],
    standard: "TZS",
  },
  { path: "receiverAmount", words: "Whole shillings for the receiver", kind: "amount" },
  { path: "exchangeRate", words: "Shillings for one unit of the sender's currency", kind: "amount", isRate: true },
  { path: "receiverChannel", words: "Channel", kind: "choice", choices: ["MOBILE", "BANK"] },
  { path: "institutionCode", words: "Mobile operator or bank", kind: "text" },
  { path: "receiverAccount", words: "Mobile number or account to be credited", kind: "text", personal: true },
  { path: "sender.fullName", words: "Sender's legal name", kind: "text", personal: true },
  { path: "sender.nationality", words: "Sender's nationality", kind: "country" },
  { path: "sender.countryCode", words: "Sender's country of residence", kind: "country" },
  { path: "sender.idType", words: "Kind of the sender's id", kind: "choice", choices: idTypes },
  { path: "sender.idNumber", words: "Number of the sender's id", kind: "text", personal: true },
  { path: "sender.idExpiryDate", words: "Last day of the sender's id", kind: "day", optional: true, personal: true },
  { path: "sender.dateOfBirth", words: "Sender's date of birth", kind: "day", personal: true },
  { path: "sender.phoneNumber", words: "Sender's phone number", kind: "text", personal: true },
  { path: "sender.email", words: "Sender's e-mail", kind: "text", optional: true, personal: true },
  { path: "sender.address", words: "Sender's address", kind: "text", personal: true },
  { path: "sender.sourceOfFundsDeclaration", words: "Source of the funds (such as a salary)", kind: "text" },
  { path: "sender.purposeOfTransaction", words: "Purpose (such as family support)", kind: "text" },
  { path: "sender.occupation", words: "Sender's occupation", kind: "text", optional: true },
  { path: "sender.employer", words: "Sender's employer", kind: "text", optional: true },
  { path: "receiver.fullName", words: "Receiver's legal name", kind: "text", personal: true },
  { path: "receiver.phoneNumber", words: "Receiver's phone number", kind: "phone", personal: true },
  { path: "receiver.email", words: "Receiver's e-mail", kind: "text", optional: true, personal: true },
  { path: "receiver.countryCode", words: "Receiver's country", kind: "choice", choices: ["TZ"], standard: "TZ" },
];

/** The parts of a body that are objects of their own. */
export const remittanceParts = ["sender", "receiver"] as const;

/** Undefined where a body has no such field. */
export function fieldAt(path: string): RemittanceField | undefined {
  return remittanceFields.find((field) => field.path === path);
}
