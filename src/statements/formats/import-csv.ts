import { csvRenderer } from "../../report/csv.ts";
import type { Row } from "../../report/report.ts";
import { minorDigits } from "../../values/money/currency.ts";
import type { Field } from "../../values/field.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { plainText } from "./text/plain-text.ts";

/** Texts are unguarded: these programs are not spreadsheets, and would show the guard. */
const form = { delimiter: ",", excel: false, header: true, raw: true, terminal: false } as const;

/** The columns of Xero's import; `*` marks required ones. */
const xeroFields: readonly Field[] = [
  { name: "*Date", kind: "time" },
  { name: "*Amount", kind: "amount" },
  { name: "Payee", kind: "text" },
  { name: "Description", kind: "text" },
  { name: "Reference", kind: "id" },
  { name: "Check Number", kind: "text" },
];

/** QuickBooks' form with one column for amounts. */
const quickbooksFields: readonly Field[] = [
  { name: "Date", kind: "time" },
  { name: "Description", kind: "text" },
  { name: "Amount", kind: "amount" },
];

/** A statement for Xero's import of bank statements. */
export function encodeXero(statement: StatementData): AsyncGenerator<string> {
  return table(statement, xeroFields, (line, amount) => ({
    "*Date": dayFirst(line.day),
    "*Amount": amount,
    Payee: plainText(line.sender),
    Description: joined(line.narration, line.senderAccount, line.senderBank),
    Reference: joined(line.reference, line.paymentReference),
  }));
}

/**
 * A statement for QuickBooks' import. It has no columns for references and the payer, so these follow the narration.
 */
export function encodeQuickbooks(statement: StatementData): AsyncGenerator<string> {
  return table(statement, quickbooksFields, (line, amount) => ({
    Date: dayFirst(line.day),
    Description: joined(line.narration, line.reference, line.paymentReference, line.sender, line.senderAccount),
    Amount: amount,
  }));
}

function joined(...texts: readonly string[]): string {
  return texts
    .map(plainText)
    .filter((text) => text !== "")
    .join(" ");
}

async function* table(
  statement: StatementData,
  fields: readonly Field[],
  rowOf: (line: StatementLine, amount: string) => Row,
): AsyncGenerator<string> {
  const csv = csvRenderer(fields, form);
  const digits = minorDigits(statement.currency);
  yield await csv.head();
  for await (const lines of statement.lines())
    yield await csv.body(lines.map((line) => rowOf(line, changeOf(line).padded(digits))));
}

/** `31/10/2026`, the form in which both read days outside the US. */
function dayFirst(day: string): string {
  return day.split("-").toReversed().join("/");
}
