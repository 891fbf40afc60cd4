import { parentReference } from "../../contract/fee-row.ts";
import { minorDigits } from "../../values/money/currency.ts";
import type { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { markupText } from "./text/markup.ts";
import { cutText, plainText } from "./text/plain-text.ts";
import { shortId } from "./text/short-id.ts";

const schema = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08";
/** The schema's length limits. */
const accountMaxChars = 34;
const idMaxChars = 35;
const accountNameMaxChars = 70;
const nameMaxChars = 140;
const remittanceMaxChars = 140;
const additionMaxChars = 500;
const amountMaxDigits = 18;
const amountMaxDecimals = 5;
/** Who keeps the account: the same name as in every other file. It must never change. */
const servicer = "PARTNER";
/** What the standard prescribes for a payment without a reference. */
const noReference = "NOTPROVIDED";

/**
 * A bank-to-customer statement, CAMT.053.001.08. Its creation time is the end of its last day, in the service's own
 * zone; rows have days without a time.
 * @throws {Failure} mismatch where an amount has more digits than the standard allows
 */
export async function* encodeCamt053(statement: StatementData): AsyncGenerator<string> {
  const amountOf = amountsIn(statement.currency);
  yield head(statement, amountOf);
  for await (const lines of statement.lines()) yield lines.map((line) => entry(line, amountOf)).join("");
  const said = cutText(`This statement ${plainText(statement.verdict)}.`, additionMaxChars);
  yield `${element("      ", "AddtlStmtInf", said)}    </Stmt>\n  </BkToCstmrStmt>\n</Document>\n`;
}

type AmountOf = (amount: Decimal) => string;

function head(statement: StatementData, amountOf: AmountOf): string {
  const { accountNo, accountName, currency, period, opening, closing } = statement;
  const account = plainText(accountNo);
  const days = `${compact(period.startDate)}-${compact(period.endDate)}`;
  const id = markupText(shortId(`${account}-${days}`, idMaxChars));
  const [from, to] = [`${period.startDate.toString()}T00:00:00+03:00`, `${period.endDate.toString()}T23:59:59+03:00`];
  const name = cutText(plainText(accountName ?? ""), accountNameMaxChars);
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${schema}">
  <BkToCstmrStmt>
    <GrpHdr>
      <MsgId>${id}</MsgId>
      <CreDtTm>${to}</CreDtTm>
    </GrpHdr>
    <Stmt>
      <Id>${id}</Id>
      <StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>
      <CreDtTm>${to}</CreDtTm>
      <FrToDt>
        <FrDtTm>${from}</FrDtTm>
        <ToDtTm>${to}</ToDtTm>
      </FrToDt>
      <Acct>
        <Id><Othr><Id>${markupText(shortId(account, accountMaxChars))}</Id></Othr></Id>
        <Ccy>${currency}</Ccy>
${element("        ", "Nm", name)}        <Svcr>${institution(servicer)}</Svcr>
      </Acct>
${balance("OPBD", opening, period.startDate, amountOf)}${balance("CLBD", closing, period.endDate, amountOf)}${totals(statement)}`;
}

function totals({ rows, entries, currency }: StatementData): string {
  const { credits, debits } = entries;
  const text = (amount: Decimal) => fitting(amount.abs().padded(minorDigits(currency)));
  const net = credits.sum.subtract(debits.sum);
  const one = (name: string, { count, sum }: { readonly count: number; readonly sum: Decimal }) =>
    `        <${name}><NbOfNtries>${count}</NbOfNtries><Sum>${text(sum)}</Sum></${name}>\n`;
  return `      <TxsSummry>
        <TtlNtries>
          <NbOfNtries>${rows}</NbOfNtries>
          <Sum>${text(credits.sum.add(debits.sum))}</Sum>
          <TtlNetNtry><Amt>${text(net)}</Amt><CdtDbtInd>${sideOf(net)}</CdtDbtInd></TtlNetNtry>
        </TtlNtries>
${one("TtlCdtNtries", credits)}${one("TtlDbtNtries", debits)}      </TxsSummry>
`;
}

function institution(id: string): string {
  return `<FinInstnId><Othr><Id>${markupText(shortId(id, idMaxChars))}</Id></Othr></FinInstnId>`;
}

function balance(kind: "OPBD" | "CLBD", amount: Decimal | undefined, day: Day, amountOf: AmountOf): string {
  if (amount === undefined) return "";
  return `      <Bal>
        <Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>
        ${amountOf(amount)}
        <Dt><Dt>${day.toString()}</Dt></Dt>
      </Bal>
`;
}

function entry(line: StatementLine, amountOf: AmountOf): string {
  const reference = plainText(line.reference);
  const change = changeOf(line);
  const amount = amountOf(change);
  const family = change.sign < 0 ? "ICDT" : "RCDT";
  return `      <Ntry>
${element("        ", "NtryRef", shortId(reference, idMaxChars))}        ${amount}
        <Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>${line.day}</Dt></BookgDt>
        <ValDt><Dt>${line.day}</Dt></ValDt>
${element("        ", "AcctSvcrRef", shortId(reference, idMaxChars))}        <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${line.isFee ? "CHRG" : "OTHR"}</SubFmlyCd></Fmly></Domn></BkTxCd>
        <NtryDtls>
          <TxDtls>
            <Refs><EndToEndId>${markupText(shortId(parentReference(reference), idMaxChars) || noReference)}</EndToEndId></Refs>
            ${amount}
${sender(line)}${remittance(line, reference)}          </TxDtls>
        </NtryDtls>
      </Ntry>
`;
}

/** Who paid, from which account of which bank. */
function sender(line: StatementLine): string {
  const name = cutText(plainText(line.sender), nameMaxChars);
  const account = shortId(plainText(line.senderAccount), accountMaxChars);
  const bank = plainText(line.senderBank);
  const party = name === "" ? "" : `<Dbtr><Pty><Nm>${markupText(name)}</Nm></Pty></Dbtr>`;
  const from = account === "" ? "" : `<DbtrAcct><Id><Othr><Id>${markupText(account)}</Id></Othr></Id></DbtrAcct>`;
  const parties = party + from === "" ? "" : `            <RltdPties>${party}${from}</RltdPties>\n`;
  const agent = bank === "" ? "" : `            <RltdAgts><DbtrAgt>${institution(bank)}</DbtrAgt></RltdAgts>\n`;
  return parties + agent;
}

/** The narration, in as many pieces as needed; a reference that was shortened elsewhere follows in full. */
function remittance(line: StatementLine, reference: string): string {
  const whole = reference.length > idMaxChars ? ` REF:${reference}` : "";
  const characters = Array.from(`${plainText(line.narration)}${whole}`.trim());
  let pieces = "";
  for (let start = 0; start < characters.length; start += remittanceMaxChars) {
    const piece = characters.slice(start, start + remittanceMaxChars).join("");
    pieces += `<Ustrd>${markupText(piece)}</Ustrd>`;
  }
  const payment = shortId(plainText(line.paymentReference), idMaxChars);
  const structured = payment === "" ? "" : `<Strd><CdtrRefInf><Ref>${markupText(payment)}</Ref></CdtrRefInf></Strd>`;
  return pieces + structured === "" ? "" : `            <RmtInf>${pieces}${structured}</RmtInf>\n`;
}

/** Writes an amount without its sign, and its side. */
function amountsIn(currency: string): AmountOf {
  const digits = minorDigits(currency);
  return (amount) => {
    const text = fitting(amount.abs().padded(digits));
    return `<Amt Ccy="${currency}">${text}</Amt><CdtDbtInd>${sideOf(amount)}</CdtDbtInd>`;
  };
}

function sideOf(amount: Decimal): "CRDT" | "DBIT" {
  return amount.sign < 0 ? "DBIT" : "CRDT";
}

/**
 * An amount within the standard's number of digits: zeros at the end of its decimals are dropped where it has too many.
 */
function fitting(amount: string): string {
  const isTooLong = (text: string) =>
    text.replace(/^0|\./g, "").length > amountMaxDigits || (text.split(".")[1] ?? "").length > amountMaxDecimals;
  const text = isTooLong(amount) && amount.includes(".") ? withoutEnding(withoutEnding(amount, "0"), ".") : amount;
  if (!isTooLong(text)) return text;
  throw new Failure("mismatch", `${amount} has more digits than camt053 allows.`, {
    hint: `It takes ${amountMaxDigits} digits, ${amountMaxDecimals} of them after the point. Use --output csv, ofx or hledger.`,
  });
}

function element(indent: string, name: string, text: string): string {
  return text === "" ? "" : `${indent}<${name}>${markupText(text)}</${name}>\n`;
}

function compact(day: Day): string {
  return day.toString().replaceAll("-", "");
}
