import type { Database } from "../../storage/sqlite/database.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { LedgerAccount, LedgerDay, RowsWanted } from "../ledger.ts";
import { digitsOf, factsOf } from "../row-facts.ts";
import { Columns } from "../records.ts";
import { daylessRows } from "./dayless.ts";
import { balanceAt, formerAt, formerJoin, inDays, rangeOfDays, visibleAt, widened } from "./visible.ts";

const pageRows = 10_000;

interface Sums {
  rows: number;
  opening: Decimal | null;
  credits: Decimal;
  debits: Decimal;
  fees: Decimal;
  closing: Decimal | null;
}

/** What a row adds to its day. */
interface Step {
  readonly change: Decimal;
  readonly balance: Decimal | null;
  readonly isFee: boolean;
}

/** Sums up an account's rows by day, in exact decimals, whatever digits the service writes. */
export function daysOf(
  database: Database,
  account: LedgerAccount,
  wanted: Omit<RowsWanted, "asServed">,
): readonly LedgerDay[] {
  const { startDay = "", endDay = "9999-12-31", asOf } = wanted;
  const dayless = daylessRows(database, account, wanted);
  const range = widened(rangeOfDays(database, account, wanted), dayless);
  if (range === undefined) return [];
  const days = new Map<string, Sums>();
  const [change, balance] = [safely("e.change_minor"), safely(balanceAt(asOf))];
  // The row's text is read only where its smallest units are missing or inexact.
  const sql = `SELECT e.number, e.day, e.is_fee, ${change} AS change_minor, ${balance} AS balance_minor,
      iif(${change} IS NULL OR ${balance} IS NULL, e.raw, NULL) AS raw, ${formerAt(asOf)} AS balances
    FROM entries AS e ${asOf === undefined ? "" : formerJoin}
    WHERE e.number >= :first AND e.number <= :last AND ${visibleAt(asOf)} ${inDays}
    ORDER BY e.number LIMIT ${pageRows}`;
  const numbers = JSON.stringify([...dayless.keys()]);
  const given = { startDay, endDay, dayless: numbers, ...(asOf === undefined ? {} : { asOf }) };
  let { first } = range;
  for (let count = pageRows; count === pageRows;) {
    const records = database.all(sql, { ...given, first, last: range.last });
    count = records.length;
    database.attempt(() => {
      for (const record of records) {
        const columns = new Columns(record);
        const number = columns.number("number");
        first = number + 1;
        addTo(days, dayless.get(number) ?? columns.text("day"), stepOf(columns, account));
      }
    });
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, sums]) => ({ day, ...sums }));
}

/** The value if a double holds it exactly; otherwise null. */
function safely(column: string): string {
  return `iif(abs(${column}) <= ${Number.MAX_SAFE_INTEGER}, ${column}, NULL)`;
}

function stepOf(columns: Columns, account: LedgerAccount): Step {
  const isFee = columns.number("is_fee") === 1;
  const raw = columns.rowOrNull("raw");
  if (raw === null) {
    const digits = digitsOf(account.currency);
    const units = (name: string) => new Decimal(columns.number(name), digits);
    return { change: units("change_minor"), balance: units("balance_minor"), isFee };
  }
  const { change, balance } = factsOf({ ...raw, ...columns.rowOrNull("balances") }, account.kind);
  return { change: change ?? Decimal.zero, balance: balance ?? null, isFee };
}

function addTo(days: Map<string, Sums>, day: string, { change, balance, isFee }: Step): void {
  let sums = days.get(day);
  if (sums === undefined) {
    const zero = Decimal.zero;
    const opening = balance === null ? null : balance.subtract(change);
    sums = { rows: 0, opening, credits: zero, debits: zero, fees: zero, closing: balance };
    days.set(day, sums);
  }
  sums.rows += 1;
  sums.closing = balance;
  if (change.sign < 0) sums.debits = sums.debits.subtract(change);
  else sums.credits = sums.credits.add(change);
  if (isFee) sums.fees = sums.fees.subtract(change);
}
