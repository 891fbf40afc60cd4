import type { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import { describePeriod } from "../../values/time/period.ts";
import { BalanceCurve } from "../chart/balance-curve.ts";
import { svgChart, svgSlices } from "../chart/svg-chart.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { pageOpening, shown, termList } from "./page.ts";

const dayChars = 10;
const timeChars = 5;

/**
 * A statement as one self-contained page, to read and to print: its policy forbids all scripts, images, fonts and
 * connections, and allows only the embedded style. Everything from the service is escaped text.
 */
export async function* encodeHtml(statement: StatementData): AsyncGenerator<string> {
  yield pageHead(statement);
  yield await chartOf(statement);
  yield tableHead(statement);
  for await (const lines of statement.lines()) yield lines.map((line) => rowOf(line, statement.currency)).join("");
  yield tableFoot(statement);
}

function pageHead(statement: StatementData): string {
  const { accountNo, accountName, currency, period, opening, credits, debits, closing } = statement;
  const facts = [
    ["Account", accountNo],
    ["Period", describePeriod(period)],
    ...(currency === "" ? [] : [["Currency", currency]]),
    ["Rows", statement.rows.toLocaleString("en")],
  ];
  const money = (amount: Decimal | undefined) => (amount === undefined ? "not known" : formatMoney(amount, currency));
  const title = `Statement of ${accountNo}, ${describePeriod(period)}`;
  return `${pageOpening({ title, kind: kindOf(statement), heading: accountName ?? accountNo })}
${termList("facts", facts)}
<p class="verdict${statement.addsUp ? "" : " wrong"}">${shown(`This statement ${statement.verdict}.`)}</p>
</header>
${termList("totals", [
  ["Opening balance", money(opening)],
  ["Credits", money(credits)],
  ["Debits", money(debits)],
  ["Closing balance", money(closing)],
])}
`;
}

async function chartOf(statement: StatementData): Promise<string> {
  const { period, opening, rows } = statement;
  const curve = new BalanceCurve(period, svgSlices);
  for await (const lines of statement.lines())
    for (const { timestamp, balance } of lines) if (balance) curve.look(timestamp, balance);
  const slices = curve.slices(opening, false);
  if (rows === 0 || slices.length === 0) return "";
  const { svg, begins } = svgChart(slices, period, shown(`Balance, ${describePeriod(period)}`));
  return `<figure>\n${svg}\n<figcaption>${shown(`The axis begins at ${begins}.`)}</figcaption>\n</figure>\n`;
}

function tableHead(statement: StatementData): string {
  const { accountNo, accountName, currency, period } = statement;
  const name = [kindOf(statement), accountNo, accountName, describePeriod(period), currency].filter(Boolean);
  return `<table>
<thead>
<tr class="running" aria-hidden="true"><td colspan="6">${shown(name.join(" · "))}</td></tr>
<tr><th scope="col">Date</th><th scope="col">Reference</th><th scope="col">Narration</th>\
<th scope="col" class="amount">Debit</th><th scope="col" class="amount">Credit</th>\
<th scope="col" class="amount">Balance</th></tr>
</thead>
<tbody>
`;
}

function rowOf(line: StatementLine, currency: string): string {
  const time = line.timestamp.slice(dayChars + 1, dayChars + 1 + timeChars);
  const senders = [line.sender, line.senderAccount, line.senderBank].filter((text) => text !== "");
  const sender = senders.map((text) => `<small>${shown(text)}</small>`).join("");
  const payment = line.paymentReference === "" ? "" : `<small>${shown(line.paymentReference)}</small>`;
  const money = (amount: Decimal | undefined) => (amount === undefined ? "" : shown(formatMoney(amount, currency)));
  const sides = [line.debit, line.credit].map((amount) => (amount.isZero ? "" : money(amount)));
  return (
    `<tr${line.isFee ? ' class="fee"' : ""}><td class="date">${shown(line.day)}<small>${shown(time)}</small></td>` +
    `<td class="reference"><bdi>${shown(line.reference)}</bdi>${payment}</td><td class="narration"><bdi>${shown(line.narration)}</bdi>${sender}</td>` +
    [...sides, money(line.balance)].map((text) => `<td class="amount">${text}</td>`).join("") +
    "</tr>\n"
  );
}

function tableFoot({ rows, currency, debits, credits, closing }: StatementData): string {
  const cells = [debits, credits, closing].map(
    (amount) => `<td class="amount">${amount === undefined ? "" : shown(formatMoney(amount, currency))}</td>`,
  );
  const total =
    rows === 0
      ? '<tr><td colspan="6" class="empty">Nothing moved in this period.</td></tr>'
      : `<tr class="sum"><th scope="row" colspan="3">Total</th>${cells.join("")}</tr>`;
  return `</tbody>\n<tbody>\n${total}\n</tbody>\n</table>\n</body>\n</html>\n`;
}

function kindOf({ accountKind }: StatementData): string {
  return accountKind === "wallet" ? "Wallet statement" : "Account statement";
}
