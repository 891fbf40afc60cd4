import { listWallets } from "../../contract/wallets.ts";
import type { Report, Row, RowsReport } from "../../report/report.ts";
import type { RuleEffect, RuledRow, Rules } from "../../rules/rule.ts";
import { entryOf, textIn } from "../../statements/entry.ts";
import { readBookFile } from "../../statements/reconcile/book/book-file.ts";
import type { BookEntry } from "../../statements/reconcile/book/book.ts";
import { noTexts } from "../../statements/reconcile/rows/row-texts.ts";
import { counted } from "../../values/text/counted.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { rowFilter } from "../where.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import { statementsOf } from "../statements/account-statements.ts";
import type { StatementSource } from "../statements/statement-source.ts";
import { merchantSource, walletSource } from "../statements/statement-source.ts";
import { bookForm, refuseIdle } from "./book-form.ts";
import { readRules } from "./inputs.ts";
import type { RulesCheckFlags } from "./rules-check-flags.ts";

const fields = [
  { name: "rule", kind: "count", role: "state" },
  { name: "label", kind: "text", role: "state" },
  { name: "does", kind: "text", role: "state" },
  { name: "account", kind: "id", role: "who" },
  { name: "reference", kind: "id", role: "what" },
  { name: "amount", kind: "amount", role: "money" },
  { name: "date", kind: "time", role: "when" },
  { name: "narration", kind: "text", role: "what" },
  { name: "counterparty", kind: "text", role: "detail" },
  { name: "in", kind: "text", role: "detail" },
  { name: "bookLine", kind: "count", role: "detail" },
] as const satisfies readonly Field[];

/**
 * Shows for each row of statements, and of a book, which rule applies to it.
 * @throws {Failure} usage | setup | refused | unavailable
 */
export async function checkRules(session: Session, flags: RulesCheckFlags): Promise<Report> {
  refuseIdle(flags, "check the statements alone");
  if (flags.book !== undefined && flags.account === undefined)
    throw new Failure("usage", "--book needs --account: a book is that of one account.", {
      hint: "Add --account with the account's number.",
    });
  const rules = await readRules(session, flags.rules);
  if (rules === undefined)
    throw new Failure("usage", "There are no rules: no rules.json beside the profiles, and no --rules.", {
      hint: 'Write one: {"rules":[{"when":{"narration":"bank charges"},"then":{"fee":true}}]}',
    });
  const filter = await rowFilter(flags.where, fields);
  const period = await notedPeriod(flags.month === undefined ? { lastMonth: true } : { month: flags.month }, session);
  const counts = new Map<number, number>();
  const check = { rules, period, counts };
  // Errors of the book can be found without the service.
  const booked = await bookedRows(session, flags, check);
  const report: RowsReport = {
    shape: "rows",
    columns: fields,
    rows: rowsOf(session, flags, check, booked),
    whenEmpty: flags.book === undefined ? "The statements have no rows." : "Statement and book have no rows.",
    findings: () => ({ notes: notesOf(rules, counts) }),
  };
  return filter?.chosen(report) ?? report;
}

interface Check {
  readonly rules: Rules;
  readonly period: Period;
  /** Rows by the number of their rule; 0 for none. */
  readonly counts: Map<number, number>;
}

async function* rowsOf(
  session: Session,
  flags: RulesCheckFlags,
  check: Check,
  booked: readonly Row[],
): AsyncGenerator<readonly Row[]> {
  const source = flags.accountKind === "merchant" ? merchantSource : walletSource;
  const accounts =
    flags.account === undefined
      ? (await session.service.read(listWallets, {})).map((wallet) => textIn(wallet, "accountNo"))
      : [flags.account];
  for (const account of accounts) {
    const rows = await statementsOf(source, session, account).read(check.period);
    for await (const batch of rows) yield batch.map((row) => statementRow(row, account, source, check));
  }
  yield booked;
}

/** The rows of the book within the month. */
async function bookedRows(session: Session, flags: RulesCheckFlags, check: Check): Promise<readonly Row[]> {
  const { book: path, account = "" } = flags;
  if (path === undefined) return [];
  const { startDate, endDate } = check.period;
  const rows: Row[] = [];
  const add = ({ reference, amount, day, line, texts = noTexts }: BookEntry) => {
    if (day < startDate.serial || day > endDate.serial) return;
    const row = { in: "book", account, reference, amount, ...texts } as const;
    rows.push(ruledRow(row, new Day(day).toString(), line, check));
  };
  const { notes } = await readBookFile(session.host, path, await bookForm(session, flags), { add });
  for (const note of notes) await session.note(note);
  return rows;
}

function statementRow(row: JsonObject, account: string, { shape }: StatementSource, check: Check): Row {
  const { reference, credit, debit, valueDate } = entryOf(row, shape);
  const [narration, counterparty] = [textIn(row, "narration"), textIn(row, "senderAccountName")];
  const amount = changeOf(credit, debit);
  const ruled = { in: "statement", account, amount, narration, reference, counterparty } as const;
  return ruledRow(ruled, valueDate.slice(0, "2026-10-01".length), undefined, check);
}

function ruledRow(row: RuledRow, date: string, line: number | undefined, { rules, counts }: Check): Row {
  const { in: side, account, reference, amount, narration, counterparty } = row;
  const rule = rules.ruleFor(row);
  const number = rule?.number ?? 0;
  counts.set(number, (counts.get(number) ?? 0) + 1);
  return {
    rule: rule === undefined ? null : Numeral.of(number),
    label: rule?.says.label ?? null,
    does: rule === undefined ? null : inWords(rule.says),
    account,
    reference,
    amount: amount === undefined ? null : new Numeral(amount.toString()),
    date,
    narration,
    counterparty,
    in: side,
    bookLine: line === undefined ? null : Numeral.of(line),
  };
}

function changeOf(credit: Decimal | null | undefined, debit: Decimal | null | undefined): Decimal | undefined {
  if (debit === undefined || credit === undefined) return undefined;
  if (debit === null || debit.isZero) return credit ?? debit ?? undefined;
  return credit === null ? debit.negate() : credit.subtract(debit);
}

function inWords({ account, fee, ignore, netOfFee }: RuleEffect): string {
  const words = [fee ? "fee" : "", ignore ? "ignore" : "", netOfFee ? "net of fee" : "", account ?? ""];
  return words.filter((word) => word !== "").join(", ");
}

function notesOf(rules: Rules, counts: ReadonlyMap<number, number>): string[] {
  const each = rules.all.map(({ number, says }) => {
    const label = says.label === undefined ? "" : ` (${says.label})`;
    return `Rule ${number}${label}: ${counted(counts.get(number) ?? 0, "row")}.`;
  });
  return [...each, `No rule: ${counted(counts.get(0) ?? 0, "row")}.`];
}
