import type { MovementKind } from "../../journal/movement.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import type { Field } from "../../values/field.ts";

/** What a column holds: how its cells are read, and which damage a spreadsheet does to them. */
export type CellKind = "reference" | "account" | "phone" | "amount" | "whole" | "rate" | "day" | "code" | "text";

export interface BatchColumn {
  readonly name: string;
  readonly kind: CellKind;
  readonly optional?: boolean | undefined;
  /** The request's field, where its name differs. */
  readonly sentAs?: string | undefined;
  readonly example: string;
  /** True for a column that files may have, but templates leave out. */
  readonly notInTemplates?: boolean | undefined;
}

/** The column that says what each row is, where the file has several kinds in it. */
export const kindColumn = "kind";

const cellKinds: Readonly<Record<string, CellKind>> = { amount: "amount", day: "day", phone: "phone", text: "text" };

/** Example values of a remittance's columns, for `batch template --example`. All names are fictitious. */
export const remittanceExamples: Readonly<Record<string, string>> = {
  paymentDate: "2026-10-31T08:00:00+03:00",
  callbackUrl: "https://hooks.example/partner",
  description: "School fees",
  senderCurrency: "USD",
  senderAmount: "100.00",
  receiverCurrency: "TZS",
  receiverAmount: "250000",
  exchangeRate: "2500",
  receiverChannel: "MOBILE",
  institutionCode: "TZ-TIGO-B2C",
  receiverAccount: "255712345678",
  "sender.fullName": "Amina Example",
  "sender.nationality": "KE",
  "sender.countryCode": "KE",
  "sender.idType": "PASSPORT",
  "sender.idNumber": "A0000000",
  "sender.idExpiryDate": "2030-12-31",
  "sender.dateOfBirth": "1990-01-31",
  "sender.phoneNumber": "254700000000",
  "sender.email": "amina@example.com",
  "sender.address": "1 Example Street, Nairobi",
  "sender.sourceOfFundsDeclaration": "Salary",
  "sender.purposeOfTransaction": "Family support",
  "sender.occupation": "Teacher",
  "sender.employer": "Example School",
  "receiver.fullName": "Juma Example",
  "receiver.phoneNumber": "255712345678",
  "receiver.email": "juma@example.com",
  "receiver.countryCode": "TZ",
};

/** The columns of a batch by the kind of its rows. Each can also be given once, by a flag, for all rows. */
export const batchColumns: Readonly<Record<MovementKind, readonly BatchColumn[]>> = {
  transfer: [
    { name: "reference", kind: "reference", example: "SAL-2026-40-001" },
    { name: "from", kind: "account", example: "9000112233" },
    { name: "to", kind: "account", example: "9000112244" },
    { name: "amount", kind: "whole", example: "250000" },
    { name: "description", kind: "text", example: "Salary, week 40" },
  ],
  withdraw: [
    { name: "reference", kind: "reference", sentAs: "externalRef", example: "PAYOUT-2026-10-01" },
    { name: "account", kind: "account", sentAs: "accountNo", example: "9000112233" },
    { name: "amount", kind: "amount", example: "1500000.50" },
    { name: "narration", kind: "text", example: "October payout" },
    { name: "date", kind: "day", sentAs: "transactionDate", optional: true, example: "2026-10-31" },
  ],
  collect: [
    { name: "reference", kind: "reference", sentAs: "transactionRef", example: "INV-2026-0042" },
    { name: "msisdn", kind: "phone", example: "255712345678" },
    { name: "channel", kind: "code", example: "TZ-TIGO-C2B" },
    { name: "amount", kind: "whole", example: "15000" },
    { name: "narration", kind: "text", example: "Invoice 42" },
    { name: "callbackUrl", kind: "code", optional: true, example: "https://hooks.example/partner" },
  ],
  remit: [
    { name: "reference", kind: "reference", sentAs: "partnerReference", example: "INV-2026-0042" },
    ...remittanceFields
      .filter(({ path }) => path !== "partnerReference")
      .map(({ path, kind, optional, standard, isRate }) => ({
        name: path,
        kind: isRate === true ? "rate" : (cellKinds[kind] ?? "code"),
        optional: optional === true || standard !== undefined || path === "paymentDate" || path === "callbackUrl",
        example: remittanceExamples[path] ?? "",
      })),
  ],
  payout: [
    { name: "reference", kind: "reference", sentAs: "transactionRef", example: "SAL-2026-03" },
    { name: "from", kind: "account", sentAs: "accountNo", example: "9000112233" },
    { name: "to", kind: "phone", sentAs: "msisdn", example: "255712345678" },
    { name: "amount", kind: "whole", example: "250000" },
    { name: "narration", kind: "text", example: "Salary March" },
    { name: "channel", kind: "code", sentAs: "serviceCode", optional: true, example: "TZ-TIGO-B2C" },
    { name: "bank", kind: "code", optional: true, example: "" },
    { name: "name", kind: "text", sentAs: "recipientNames", example: "Asha Juma" },
    { name: "callbackUrl", kind: "code", optional: true, notInTemplates: true, example: "" },
  ],
};

/** The columns that rows of a kind may have; those of every kind where each row says what it is. */
export function columnsOf(kind: MovementKind | undefined): readonly BatchColumn[] {
  return kind === undefined ? Object.values(batchColumns).flat() : batchColumns[kind];
}

/** A column of the file as one of a result. */
export function fieldOf(name: string): Field {
  const kind = columnsOf(undefined).find((column) => column.name === name)?.kind;
  if (kind === "amount" || kind === "whole" || kind === "rate") return { name, kind: "amount" };
  if (kind === "day") return { name, kind: "time" };
  return { name, kind: kind === "text" ? "text" : "id" };
}
