import { minorDigits } from "../../values/money/currency.ts";
import type { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { markupText } from "./markup.ts";
import { cutText, plainText } from "./plain-text.ts";
import { shortId } from "./short-id.ts";
import { UniqueIds } from "./unique-ids.ts";

/** Programs know an account by bank and number: this name may never change. */
const bankId = "PARTNER";
/** The lengths of OFX 1.0.2. */
const accountMaxChars = 22;
const idMaxChars = 255;
const nameMaxChars = 32;
const memoMaxChars = 255;

/** OFX 1.0.2 and not 2: the readers of the newer XML form crash on letters beyond ASCII. */
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
 * A bank statement as OFX 1.0.2. Days stand without a time: just after midnight, a time with its zone lands a day early
 * in programs elsewhere.
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
  const name = cutText(plainText(line.sender) || narration || idOf(line, change), nameMaxChars);
  return `<STMTTRN>
<TRNTYPE>${typeOf(line, change)}
<DTPOSTED>${line.day.replaceAll("-", "")}
<TRNAMT>${change.padded(digits)}
<FITID>${markupText(ids.next(shortId(idOf(line, change), idMaxChars)))}
${element("NAME", name)}${element("MEMO", cutText(narration, memoMaxChars))}</STMTTRN>
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

/** The reference as it came, a fee's suffix included. A row without one is known by what it did. */
function idOf({ reference, day, balance }: StatementLine, change: Decimal): string {
  return plainText(reference) || [day, change.toString(), balance?.toString() ?? ""].join("/");
}

/** Nothing for an empty text: OFX knows no empty elements. */
function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${markupText(text)}\n`;
}

function dateOf(day: Day): string {
  return day.toString().replaceAll("-", "");
}
