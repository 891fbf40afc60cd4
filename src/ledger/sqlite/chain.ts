import type { Database } from "../../storage/sqlite/database.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Break, Chain, LedgerAccount } from "../ledger.ts";
import { Columns } from "./records.ts";
import { balanceAt, formerJoin, visibleAt } from "./visible.ts";

interface Since {
  readonly asOf?: number | undefined;
  /** The place of the first row that is looked at; of all where left out. */
  readonly place?: number | undefined;
}

/**
 * Follows the balances of an account. Whole smallest units are compared by the database; where an amount has none, its
 * digits are compared here.
 */
export function chainOf(database: Database, account: LedgerAccount, since: Since = {}): Chain {
  const { asOf, place } = since;
  const from = `entries AS e ${asOf === undefined ? "" : formerJoin} WHERE e.account = :account AND ${visibleAt(asOf)}
    ${place === undefined ? "" : "AND e.place >= :place"}`;
  const given = {
    account: account.number,
    ...(asOf === undefined ? {} : { asOf }),
    ...(place === undefined ? {} : { place }),
  };
  const minor = balanceAt(asOf, "balance_minor");
  const records = database.all(
    `SELECT * FROM (
       SELECT e.number, e.reference, e.day, e.place, e.side, e.amount, ${balanceAt(asOf, "balance")} AS balance,
         ${minor} - e.change_minor AS opening_minor,
         lag(${minor}) OVER w AS left_minor, lag(${balanceAt(asOf, "balance")}) OVER w AS left_balance,
         row_number() OVER w AS nth
       FROM ${from} WINDOW w AS (ORDER BY e.place, e.number)
     ) AS chained LEFT JOIN accepted AS a ON a.entry = chained.number
     WHERE nth > 1 AND (opening_minor IS NULL OR left_minor IS NULL OR opening_minor <> left_minor)`,
    given,
  );
  const [counted, first, last] = [
    database.get(`SELECT count(*) AS rows FROM ${from}`, given),
    ...["", "DESC"].map((order) =>
      database.get(
        `SELECT e.side, e.amount, ${balanceAt(asOf, "balance")} AS balance FROM ${from}
         ORDER BY e.place ${order}, e.number ${order} LIMIT 1`,
        given,
      ),
    ),
  ];
  return database.attempt(() => ({
    rows: new Columns(counted).number("rows"),
    opening: first === undefined ? null : openingOf(new Columns(first)),
    closing: last === undefined ? null : new Columns(last).amountOrNull("balance"),
    breaks: records.flatMap((record) => breakOf(new Columns(record)) ?? []),
  }));
}

function breakOf(columns: Columns): Break | undefined {
  const [left, found] = [columns.amountOrNull("left_balance"), openingOf(columns)];
  if (left !== null && found?.equals(left) === true) return undefined;
  const gap = columns.amountOrNull("gap");
  return {
    number: columns.number("number"),
    reference: columns.text("reference"),
    day: columns.text("day"),
    left,
    found,
    isAccepted: gap !== null && gap.equals(gapOf(left, found)),
  };
}

/** By how much the balance jumps; nothing where the service does not say. */
export function gapOf(left: Decimal | null, found: Decimal | null): Decimal {
  return left === null || found === null ? Decimal.zero : found.subtract(left);
}

/** The balance before a row; null where the service does not say enough. */
function openingOf(columns: Columns): Decimal | null {
  const [balance, amount] = [columns.amountOrNull("balance"), columns.amountOrNull("amount")];
  if (balance === null || amount === null) return null;
  return columns.number("side") < 0 ? balance.add(amount) : balance.subtract(amount);
}
