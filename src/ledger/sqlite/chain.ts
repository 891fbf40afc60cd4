import type { Database } from "../../storage/sqlite/database.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { gapOf } from "../gap.ts";
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
    `SELECT chained.*, a.gap FROM (
       SELECT e.number, e.reference, e.day, e.place, e.side, e.amount, ${balanceAt(asOf, "balance")} AS balance,
         ${minor} - e.change_minor AS opening_minor,
         lag(${minor}) OVER w AS left_minor, lag(${balanceAt(asOf, "balance")}) OVER w AS left_balance,
         row_number() OVER w AS nth
       FROM ${from} WINDOW w AS (ORDER BY e.place, e.number)
     ) AS chained LEFT JOIN accepted AS a ON a.entry = chained.number AND a.side = 'before'
       ${asOf === undefined ? "" : "AND a.accepted_at <= :asOf"}
     WHERE nth > 1 AND (opening_minor IS NULL OR left_minor IS NULL OR opening_minor <> left_minor)`,
    given,
  );
  const [counted, first, last] = [
    database.get(`SELECT count(*) AS rows FROM ${from}`, given),
    ...["", "DESC"].map((order) =>
      database.get(
        `SELECT e.number, e.reference, e.side, e.amount, ${balanceAt(asOf, "balance")} AS balance FROM ${from}
         ORDER BY e.place ${order}, e.number ${order} LIMIT 1`,
        given,
      ),
    ),
  ];
  const end = database.get(
    `SELECT a.gap FROM accepted AS a JOIN entries AS e ON e.number = a.entry
     WHERE e.account = :account AND a.side = 'after' ${asOf === undefined ? "" : "AND a.accepted_at <= :asOf"}
     ORDER BY a.accepted_at DESC LIMIT 1`,
    { account: account.number, ...(asOf === undefined ? {} : { asOf }) },
  );
  return database.attempt(() => ({
    last: last === undefined ? null : lastOf(new Columns(last)),
    acceptedEnd: (end === undefined ? null : new Columns(end).amountOrNull("gap")) ?? Decimal.zero,
    rows: new Columns(counted).number("rows"),
    opening: first === undefined ? null : openingOf(new Columns(first)),
    closing: last === undefined ? null : new Columns(last).amountOrNull("balance"),
    breaks: records.flatMap((record) => breakOf(new Columns(record)) ?? []),
  }));
}

function lastOf(columns: Columns): Chain["last"] {
  return { number: columns.number("number"), reference: columns.text("reference") };
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
    isAccepted: gap !== null && gap.equals(gapOf({ left, found })),
  };
}

/** The balance before a row; null where the service does not say enough. */
function openingOf(columns: Columns): Decimal | null {
  const [balance, amount] = [columns.amountOrNull("balance"), columns.amountOrNull("amount")];
  if (balance === null || amount === null) return null;
  return columns.number("side") < 0 ? balance.add(amount) : balance.subtract(amount);
}
