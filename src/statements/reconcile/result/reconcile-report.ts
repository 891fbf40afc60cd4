import type { FileReport, Findings, Row, RowsReport } from "../../../report/report.ts";
import { figureLines } from "../../../report/terminal/fitted-lines.ts";
import { counted } from "../../../values/text/counted.ts";
import type { Decimal } from "../../../values/money/decimal.ts";
import { Failure } from "../../../values/failure.ts";
import type { JsonObject, JsonValue } from "../../../values/json.ts";
import { Numeral } from "../../../values/json.ts";
import { formatMoney } from "../../../values/money/money.ts";
import { describePeriod } from "../../../values/time/period.ts";
import { balanceLines } from "./balance-in-words.ts";
import { feesInWords } from "../fees-in-words.ts";
import type { Reconciliation } from "../reconciliation.ts";
import type { ComparedSource } from "../source.ts";
import { countedClass } from "../rows/verdicts.ts";
import type { ClassTotal } from "./result.ts";
import { resultFields } from "./result-row.ts";
import { sumsInWords } from "../sums-in-words.ts";
import { disagreementsOf, whereToLook } from "./disagreements.ts";

/** The result of a reconciliation: its rows, the members around them in JSON, and the summary under a table. */
export function reconcileReport(reconciliation: Reconciliation, currency: string | undefined): RowsReport {
  return {
    shape: "rows",
    columns: resultFields,
    rows: reconciliation.rows(),
    frame: frameOf(reconciliation),
    whenEmpty: `Neither the statement of ${reconciliation.accountNo} nor the book has a row (${describePeriod(reconciliation.period)}).`,
    currency,
    footer: (width) => footerOf(reconciliation, currency, width),
    findings: () => findingsOf(reconciliation),
  };
}

/** The kinds of files that a reconciliation can be written as. */
export const resultFormats = ["xlsx", "html"] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The same as a file to open, to print and to keep. */
export function reconcileFile(
  format: ResultFormat,
  reconciliation: Reconciliation,
  currency: string | undefined,
): FileReport {
  async function* content(): AsyncGenerator<string | Uint8Array> {
    if (format === "html") yield* (await import("./result-page.ts")).encodeResultPage(reconciliation, currency);
    else yield* (await import("./result-workbook.ts")).encodeResultWorkbook(reconciliation, currency);
  }
  return { shape: "file", content: content(), findings: () => findingsOf(reconciliation) };
}

function findingsOf(reconciliation: Reconciliation): Findings {
  return { notes: notesOf(reconciliation), carried: mismatchOf(reconciliation) };
}

/** Everything but the rows, by the names of the contract. */
function frameOf({ accountNo, period, sums, balance, totals, sources }: Reconciliation): Row {
  const { opening, credits, debits, fees, closing, addsUp } = sums;
  const used = totals.filter(({ count }) => count > 0);
  return {
    account: accountNo,
    period: { startDate: period.startDate.toString(), endDate: period.endDate.toString() },
    opening: numeral(opening),
    credits: numeral(credits),
    debits: numeral(debits),
    fees: numeral(fees),
    closing: numeral(closing),
    addsUp,
    closingPerBook: numeral(balance.closingPerBook),
    inTransit: numeral(balance.inTransit),
    outstanding: numeral(balance.outstanding),
    bankFirst: numeral(balance.bankFirst),
    feesNotInBook: numeral(balance.feesNotInBook),
    onlyInStatement: numeral(balance.onlyInStatement),
    onlyInBook: numeral(balance.onlyInBook),
    differences: numeral(balance.differences),
    ignored: numeral(balance.ignored),
    ignoredBefore: numeral(balance.ignoredBefore),
    unexplained: numeral(balance.unexplained),
    counts: objectOf(totals.map((total) => [total.class, Numeral.of(total.count)])),
    totals: objectOf(
      used.map((total) => [
        total.class,
        {
          statementAmount: numeral(total.statement),
          bookAmount: numeral(total.book),
          difference: numeral(total.statement.subtract(total.book)),
        },
      ]),
    ),
    sources: sources.map(({ source, name, rows, sha256 }) => ({
      source,
      name,
      rows: Numeral.of(rows),
      sha256,
    })),
  };
}

/** Under a table: totals by class, the statement's sums, its fees, and what was compared. */
function footerOf(
  reconciliation: Reconciliation,
  currency: string | undefined,
  width: number | undefined,
): readonly string[] {
  const { totals, sums, joinedFees, sources } = reconciliation;
  const money = (amount: Decimal) => formatMoney(amount, currency);
  const { opening, credits, debits, fees, closing } = sums;
  const named = (amount: Decimal | null) => (amount === null ? "not known" : money(amount));
  const heading = (what: string) => (currency === undefined ? [] : [`${what} in ${currency}:`]);
  return [
    "",
    ...heading("Totals"),
    ...figureLines(
      [
        ["", "rows", "statement", "book", "difference"],
        ...totals
          .filter(({ count }) => count > 0)
          .toSorted(matchedLast)
          .map((total) => totalCells(total, money)),
      ],
      width,
    ),
    "",
    ...heading("Statement"),
    ...figureLines(
      [
        ["opening", named(opening)],
        ["+ credits", money(credits)],
        ["− debits", money(debits)],
        ["− fees", money(fees)],
        ["= closing", named(closing)],
      ],
      width,
    ),
    `The statement ${sumsInWords(sums)}.`,
    "",
    ...heading("From the statement to the book"),
    ...figureLines(
      balanceLines(reconciliation).map(([what, amount]) => [what, named(amount)]),
      width,
    ),
    `Fees: ${feesInWords(sums.feeRows, joinedFees)}.`,
    "",
    ...sources.flatMap((source) => sourceLines(source, width)),
  ];
}

function matchedLast(one: ClassTotal, other: ClassTotal): number {
  return Number(one.class === "matched") - Number(other.class === "matched");
}

function totalCells({ class: name, count, statement, book }: ClassTotal, money: (amount: Decimal) => string): string[] {
  return [name, String(count), money(statement), money(book), money(statement.subtract(book))];
}

function sourceLines({ source, name, rows, sha256 }: ComparedSource, width: number | undefined): string[] {
  const what = `${source} ${name}: ${counted(rows, "row")}`;
  if (width === undefined) return [`${what}, sha256 ${sha256}`];
  const hash = `    sha256 ${sha256}`;
  return [what, hash.length <= width ? hash : `    sha256 ${sha256.slice(0, hashBeginningChars)}…`];
}

/** As much of a file's hash as a narrow terminal has room for; JSON has all of it. */
const hashBeginningChars = 16;

function notesOf(reconciliation: Reconciliation): string[] {
  const { far, totals, sums, sources, misfits } = reconciliation;
  const matched = totals.find((total) => total.class === "matched")?.count ?? 0;
  const used = totals.filter(({ class: name, count }) => name !== "matched" && count > 0);
  const others = used.map((total) => countedClass(total.count, total.class));
  const words = [`${matched} matched`, ...others, sumsInWords(sums)];
  const lie = far === 1 ? "row of the book is" : "rows of the book are";
  const distant = `${far} ${lie} on days far from the period, where only the same reference with the same amount matches.`;
  return [
    words.join(", "),
    ...misfits,
    ...(far === 0 || sources.every(({ source }) => source !== "book") ? [] : [distant]),
  ];
}

/** The failure of a run with open items; the result is shown before it. */
function mismatchOf(reconciliation: Reconciliation): Failure | undefined {
  if (reconciliation.agrees) return undefined;
  const words = disagreementsOf(reconciliation).join(", ");
  return new Failure("mismatch", `Statement and book of ${reconciliation.accountNo} do not agree: ${words}.`, {
    hint: whereToLook(reconciliation),
  });
}

function numeral(amount: Decimal | null): JsonValue {
  return amount === null ? null : new Numeral(amount.toString());
}

function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(entries);
}
