import { headingOf } from "../../../report/columns.ts";
import type { Row } from "../../../report/report.ts";
import { shownText } from "../../../report/table/table-cell.ts";
import type { Decimal } from "../../../values/money/decimal.ts";
import type { Field } from "../../../values/field.ts";
import { formatMoney } from "../../../values/money/money.ts";
import { describePeriod } from "../../../values/time/period.ts";
import { markupText } from "../../formats/text/markup.ts";
import { pageOpening, shown, termList } from "../../formats/page.ts";
import { feesInWords } from "../fees-in-words.ts";
import type { Reconciliation } from "../reconciliation.ts";
import { balanceLines } from "./balance-in-words.ts";
import { resultFields } from "./result-row.ts";
import { sumsInWords } from "../sums-in-words.ts";

/**
 * A reconciliation as one self-contained page, to read, to print and to file: its policy forbids all scripts, images,
 * fonts and connections. Everything from the service and the book is escaped text.
 */
export async function* encodeResultPage(
  reconciliation: Reconciliation,
  currency: string | undefined,
): AsyncGenerator<string> {
  const money = (amount: Decimal | null) => (amount === null ? "not known" : formatMoney(amount, currency));
  yield pageHead(reconciliation, currency, money);
  yield classTable(reconciliation, money);
  const columns = resultFields.map((field) => headCell(headingOf(field), field));
  yield `<table>\n<thead>\n<tr>${columns.join("")}</tr>\n</thead>\n<tbody>\n`;
  for await (const rows of reconciliation.rows()) yield rows.map((row) => rowOf(row, currency)).join("");
  yield `</tbody>\n</table>\n${sourcesOf(reconciliation)}</body>\n</html>\n`;
}

type Money = (amount: Decimal | null) => string;

function pageHead(reconciliation: Reconciliation, currency: string | undefined, money: Money): string {
  const { accountNo, period, sums } = reconciliation;
  const { opening, credits, debits, fees, closing } = sums;
  const title = `Reconciliation of ${accountNo}, ${describePeriod(period)}`;
  return `${pageOpening({ title, kind: "Reconciliation", heading: accountNo })}
${termList("facts", [
  ["Period", describePeriod(period)],
  ...(currency === undefined ? [] : [["Currency", currency]]),
  ["Statement", sumsInWords(sums)],
])}
</header>
${termList("totals", [
  ["Opening", money(opening)],
  ["+ Credits", money(credits)],
  ["− Debits", money(debits)],
  ["− Fees", money(fees)],
  ["= Closing", money(closing)],
])}
${termList(
  "totals",
  balanceLines(reconciliation).map(([what, amount]) => [what, money(amount)]),
)}
`;
}

function classTable({ totals, joinedFees, sums }: Reconciliation, money: Money): string {
  const heads = ["class", "rows", "statement", "book", "difference"].map(
    (name, at) => `<th scope="col"${at === 0 ? "" : ' class="amount"'}>${name}</th>`,
  );
  const rows = totals.map(({ class: name, count, statement, book }) => {
    const cells = [String(count), money(statement), money(book), money(statement.subtract(book))];
    return `<tr><th scope="row">${name}</th>${cells.map((text) => `<td class="amount">${shown(text)}</td>`).join("")}</tr>\n`;
  });
  return `<table>
<thead>
<tr>${heads.join("")}</tr>
</thead>
<tbody>
${rows.join("")}</tbody>
</table>
<p>Fees: ${feesInWords(sums.feeRows, joinedFees)}.</p>
`;
}

function rowOf(row: Row, currency: string | undefined): string {
  const cells = resultFields.map((field) => {
    const text = markupText(shownText(row[field.name], field, currency));
    return `<td${classOf(field)}>${field.kind === "amount" ? text : `<bdi>${text}</bdi>`}</td>`;
  });
  return `<tr>${cells.join("")}</tr>\n`;
}

function headCell(name: string, field: Field): string {
  return `<th scope="col"${field.kind === "amount" ? classOf(field) : ""}>${shown(name)}</th>`;
}

function classOf({ name, kind }: Field): string {
  const names: Readonly<Record<string, string>> = {
    reference: "reference",
    date: "date",
    note: "narration",
    narration: "narration",
  };
  const style = kind === "amount" ? "amount" : names[name];
  return style === undefined ? "" : ` class="${style}"`;
}

function sourcesOf({ sources }: Reconciliation): string {
  const lines = sources.map(({ source, name, rows, sha256 }) => [source, `${name}: ${rows} rows, SHA-256 ${sha256}`]);
  return `<footer>\n${termList("facts", lines)}\n</footer>\n`;
}
