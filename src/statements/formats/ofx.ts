import { createHash } from "node:crypto";
import { minorDigits } from "../../values/money/currency.ts";
import type { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { markupText } from "./text/markup.ts";
import { cutText, plainText } from "./text/plain-text.ts";
import { shortId } from "./text/short-id.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import { RowSet } from "../row-set.ts";

/** Programs identify an account by bank and number: this name must never change. */
const bankId = "PARTNER";
/** The length limits of OFX 1.0.2. */
const accountMaxChars = 22;
const nameMaxChars = 32;
const memoMaxChars = 255;
const referenceMaxChars = 32;
/**
 * The limit of what follows the narration in a memo. It is kept first, so that a long narration never pushes it out.
 */
const detailMaxChars = 160;
/** Hexadecimal digits: enough that two rows of an account never share an id by chance. */
const rowIdChars = 32;

/** OFX 1.0.2, not 2: readers of the newer XML form crash on letters beyond ASCII. */
const head = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:UTF-8
CHARSET:NONE
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`;

/**
 * A bank statement as OFX 1.0.2. Days have no time: a time just after midnight with its zone would be a day early in
 * programs of other zones.
 */
export async function* encodeOfx(statement: StatementData): AsyncGenerator<string> {
  const digits = minorDigits(statement.currency);
  const ids = new UniqueIds();
  yield opening(statement);
  for await (const lines of statement.lines()) yield lines.map((line) => entry(line, digits, ids)).join("");
  yield closing(statement, digits);
}

function opening({ accountNo, currency, period }: StatementData): string {
  const status = "<STATUS>\n<CODE>0\n<SEVERITY>INFO\n</STATUS>\n";
  return `${head}<OFX>
<SIGNONMSGSRSV1>
<SONRS>
${status}<DTSERVER>${dateOf(period.endDate)}
<LANGUAGE>ENG
</SONRS>
</SIGNONMSGSRSV1>
<BANKMSGSRSV1>
<STMTTRNRS>
<TRNUID>0
${status}<STMTRS>
<CURDEF>${currency}
<BANKACCTFROM>
<BANKID>${bankId}
<ACCTID>${markupText(shortId(plainText(accountNo), accountMaxChars))}
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>${dateOf(period.startDate)}
<DTEND>${dateOf(period.endDate)}
`;
}

function entry(line: StatementLine, digits: number, ids: UniqueIds): string {
  const change = changeOf(line);
  const narration = plainText(line.narration);
  // Some programs refuse a row without a name.
  const reference = plainText(line.reference);
  const name = cutText(plainText(line.sender) || narration || reference || "Row without words", nameMaxChars);
  return `<STMTTRN>
<TRNTYPE>${typeOf(line, change)}
<DTPOSTED>${line.day.replaceAll("-", "")}
<TRNAMT>${change.padded(digits)}
<FITID>${ids.next(rowId(line, change))}
${element("REFNUM", shortId(reference, referenceMaxChars))}${element("NAME", name)}${element("MEMO", memo(line, narration))}</STMTTRN>
`;
}

function closing({ closing: balance, period }: StatementData, digits: number): string {
  const ledger =
    balance === undefined
      ? ""
      : `<LEDGERBAL>\n<BALAMT>${balance.padded(digits)}\n<DTASOF>${dateOf(period.endDate)}\n</LEDGERBAL>\n`;
  return `</BANKTRANLIST>\n${ledger}</STMTRS>\n</STMTTRNRS>\n</BANKMSGSRSV1>\n</OFX>\n`;
}

function typeOf({ isFee }: StatementLine, change: Decimal): string {
  if (isFee) return "SRVCHG";
  return change.sign < 0 ? "DEBIT" : "CREDIT";
}

/**
 * An id that is equal for the same row in any file: made of its reference, value date, amount and balance, ignoring
 * trailing zeros. The rule must never change, since programs recognize imported rows by it.
 */
function rowId({ reference, timestamp, balance }: StatementLine, change: Decimal): string {
  const row = [reference, timestamp, shortest(change), balance === undefined ? "" : shortest(balance)];
  return createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, rowIdChars);
}

function shortest(amount: Decimal): string {
  const text = amount.toString();
  return text.includes(".") ? withoutEnding(withoutEnding(text, "0"), ".") : text;
}

/** The narration, followed by the references, the payer and the payer's account and bank. */
function memo(
  { reference, paymentReference, sender, senderAccount, senderBank }: StatementLine,
  words: string,
): string {
  const details = [reference, paymentReference, sender, senderAccount, senderBank].map(plainText);
  const known = [...new Set(details)].filter((text) => text !== "" && text !== words);
  const suffix = cutText(known.join(" | "), detailMaxChars);
  const room = memoMaxChars - (suffix === "" ? 0 : suffix.length + separator.length);
  return [cutText(words, room), suffix].filter((text) => text !== "").join(separator);
}

const separator = " | ";

/** Nothing for an empty text: OFX has no empty elements. */
function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${markupText(text)}\n`;
}

function dateOf(day: Day): string {
  return day.toString().replaceAll("-", "");
}

/**
 * Makes the ids of a file's rows unique: the first row keeps its id, a repeat gets `#2`, `#3` in the order of the file.
 * This rule must never change, since programs recognize imported rows by their ids.
 */
class UniqueIds {
  readonly #seen = new RowSet();
  readonly #counts = new Map<string, number>();

  next(id: string): string {
    if (!this.#seen.add(id)) return id;
    for (let count = (this.#counts.get(id) ?? 1) + 1; ; count += 1) {
      this.#counts.set(id, count);
      const numbered = `${id}#${count}`;
      if (!this.#seen.add(numbered)) return numbered;
    }
  }
}
