import type { Database } from "../../storage/sqlite/database.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { LedgerAccount, LedgerDay, RowsWanted } from "../ledger.ts";
import { Columns } from "./records.ts";
import { balanceAt, formerJoin, visibleAt } from "./visible.ts";

const pageRows = 10_000;

interface Sums {
  rows: number;
  opening: Decimal | null;
  credits: Decimal;
  debits: Decimal;
  fees: Decimal;
  closing: Decimal | null;
}

/** The days of an account, from its rows: sums are exact decimals, whatever digits the service writes. */
export function daysOf(
  database: Database,
  account: LedgerAccount,
  { startDay = "", endDay = "9999-12-31", asOf }: Omit<RowsWanted, "asServed">,
): readonly LedgerDay[] {
  const days = new Map<string, Sums>();
  const sql = `SELECT e.place, e.number, e.day, e.side, e.amount, e.is_fee, ${balanceAt(asOf, "balance")} AS balance
    FROM entries AS e ${asOf === undefined ? "" : formerJoin}
    WHERE e.account = :account AND ${visibleAt(asOf)} AND e.day >= :startDay AND e.day <= :endDay
      AND (e.place, e.number) > (:place, :number)
    ORDER BY e.place, e.number LIMIT ${pageRows}`;
  const given = { account: account.number, startDay, endDay, ...(asOf === undefined ? {} : { asOf }) };
  let [place, number] = [Number.MIN_SAFE_INTEGER, 0];
  for (let count = pageRows; count === pageRows;) {
    const records = database.all(sql, { ...given, place, number });
    count = records.length;
    database.attempt(() => {
      for (const record of records) {
        const columns = new Columns(record);
        [place, number] = [columns.number("place"), columns.number("number")];
        addTo(days, columns);
      }
    });
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, sums]) => ({ day, ...sums }));
}

function addTo(days: Map<string, Sums>, columns: Columns): void {
  const day = columns.text("day");
  const [amount, balance, side] = [
    columns.amountOrNull("amount") ?? Decimal.zero,
    columns.amountOrNull("balance"),
    columns.number("side"),
  ];
  let sums = days.get(day);
  if (sums === undefined) {
    const opening = balance === null ? null : side < 0 ? balance.add(amount) : balance.subtract(amount);
    sums = { rows: 0, opening, credits: zero, debits: zero, fees: zero, closing: balance };
    days.set(day, sums);
  }
  sums.rows += 1;
  sums.closing = balance;
  if (side < 0) sums.debits = sums.debits.add(amount);
  else sums.credits = sums.credits.add(amount);
  if (columns.number("is_fee") === 1) sums.fees = side < 0 ? sums.fees.add(amount) : sums.fees.subtract(amount);
}

const zero = Decimal.zero;
