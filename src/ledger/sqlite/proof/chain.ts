import type { Database } from "../../../storage/sqlite/database.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { gapOf, ledToBalance } from "../../gap.ts";
import type { AcceptedGap, Break, Chain, LedgerAccount } from "../../ledger.ts";
import type { Followed } from "./followed.ts";
import { placesLeft } from "./followed.ts";
import { placesOf } from "../../places.ts";
import type { RowFacts } from "../../row-facts.ts";
import { factsOf } from "../../row-facts.ts";
import { acceptedGap, Columns } from "../../records.ts";
import { balanceAt, formerAt, formerJoin, visibleAt } from "../visible.ts";

interface Since {
  readonly asOf?: number | undefined;
  /** The number of the first row to check; default: all rows. */
  readonly place?: number | undefined;
  /** Rows whose balances the sync has already followed while it stored them. */
  readonly followed?: readonly Followed[] | undefined;
}

const before = (column: string) => `(SELECT p.${column} FROM entries AS p
  WHERE p.number >= :start AND p.number < e.number AND p.gone_at IS NULL ORDER BY p.number DESC LIMIT 1)`;
/** Looking up the row before takes a third of the time of a window over all rows. */
const breaksNow = `SELECT number, previous FROM (
    SELECT e.number, ${before("number")} AS previous FROM entries AS e
    WHERE e.number >= :from AND e.number <= :to AND ${visibleAt(undefined)} AND (
      e.balance_minor IS NULL OR e.change_minor IS NULL
      OR e.balance_minor - e.change_minor IS NOT ${before("balance_minor")})
  )`;
const balanceThen = balanceAt(0);
const breaksThen = (from: string) => `SELECT number, previous FROM (
    SELECT e.number, ${balanceThen} - e.change_minor AS opening, lag(${balanceThen}) OVER w AS left_open,
      lag(e.number) OVER w AS previous
    FROM ${from} WINDOW w AS (ORDER BY e.number)
  ) WHERE opening IS NULL OR left_open IS NULL OR opening <> left_open`;

/**
 * An accepted difference at the end no longer counts once a sync has reached the balance without it, or a break after
 * that row was accepted: it may be in the rows by then.
 */
function acceptedEnd(asOf: number | undefined): string {
  const known = `SELECT * FROM acceptances WHERE entry >= :start AND entry <= :end
    ${asOf === undefined ? "" : "AND accepted_at <= :asOf"}`;
  return `WITH known AS (${known}), newest AS (SELECT * FROM known WHERE side = 'after' ORDER BY number DESC LIMIT 1)
    SELECT * FROM newest WHERE (lapsed_at IS NULL ${asOf === undefined ? "" : "OR lapsed_at > :asOf"}) AND NOT EXISTS (
      SELECT 1 FROM known WHERE known.side = 'before' AND known.entry > newest.entry)`;
}

/** Checks an account's balances. The database compares whole smallest units; amounts without them are compared here. */
export function chainOf(database: Database, account: LedgerAccount, { asOf, place, followed = [] }: Since = {}): Chain {
  const { first: start, last: end } = placesOf(account);
  const from = `entries AS e ${asOf === undefined ? "" : formerJoin}
    WHERE e.number >= :start AND e.number <= :end AND ${visibleAt(asOf)}`;
  const given = { start: place ?? start, end, ...(asOf === undefined ? {} : { asOf }) };
  const known = followed.filter((stretch) => stretch.first >= given.start && stretch.last <= end);
  const left = placesLeft({ start: given.start, end }, known);
  const steps =
    asOf === undefined
      ? left.flatMap((part) => database.all(breaksNow, { start: given.start, from: part.start, to: part.end }))
      : database.all(breaksThen(from), given);
  const counted = left.map((part) => database.get(`SELECT count(*) AS rows FROM ${from}`, { ...given, ...part }));
  const [first, last] = ["", "DESC"].map((order) =>
    database.get(`SELECT e.number FROM ${from} ORDER BY e.number ${order} LIMIT 1`, given),
  );
  const accepted = database.get(acceptedEnd(asOf), { ...given, start });
  const rows = new KnownRows(database, account, asOf);
  return database.attempt(() => {
    const [one, other] = [first, last].map((record) => (record === undefined ? undefined : rows.at(record)));
    const closing = other?.facts.balance ?? null;
    const isNeeded = place !== undefined || !ledToBalance(account, closing);
    return {
      rows: sumOf([
        ...counted.map((record) => new Columns(record).number("rows")),
        ...known.map(({ rows }) => rows - 1),
      ]),
      opening: one === undefined ? null : openingOf(one.facts),
      closing,
      last: other === undefined ? null : { number: other.number, reference: other.facts.reference },
      acceptedEnd: accepted === undefined || !isNeeded ? null : rows.acceptedBy(accepted),
      breaks: steps.flatMap((step) => rows.breakAt(step, place === undefined) ?? []),
    };
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Rows as they were known then. */
class KnownRows {
  readonly #database: Database;
  readonly #account: LedgerAccount;
  readonly #asOf: number | undefined;

  constructor(database: Database, account: LedgerAccount, asOf: number | undefined) {
    this.#database = database;
    this.#account = account;
    this.#asOf = asOf;
  }

  at(record: unknown, column = "number"): { readonly number: number; readonly facts: RowFacts } {
    const number = new Columns(record).number(column);
    const asOf = this.#asOf;
    const found = this.#database.get(
      `SELECT e.raw, ${formerAt(asOf)} AS balances FROM entries AS e ${asOf === undefined ? "" : formerJoin}
       WHERE e.number = :number`,
      { number, ...(asOf === undefined ? {} : { asOf }) },
    );
    const columns = new Columns(found);
    const row = { ...columns.row("raw"), ...columns.rowOrNull("balances") };
    return { number, facts: factsOf(row, this.#account.kind) };
  }

  /**
   * @param isWhole true where no row is before the first one
   * @returns undefined where the exact amounts do follow
   */
  breakAt(step: unknown, isWhole: boolean): Break | undefined {
    const { number, facts } = this.at(step);
    const isFirst = new Columns(step).numberOrNull("previous") === null;
    const before = isFirst ? undefined : this.at(step, "previous");
    const [left, found] = [before?.facts.balance ?? null, openingOf(facts)];
    const isRead = facts.change !== undefined;
    if (isRead && (isFirst || (left !== null && found?.equals(left) === true))) return undefined;
    if (isFirst && !isWhole) return undefined;
    const accepted = this.#acceptedBefore(number);
    return {
      number,
      reference: facts.reference,
      day: this.#dayOf(number, facts),
      sinceDay: before === undefined ? this.#dayOf(number, facts) : this.#dayOf(before.number, before.facts),
      left,
      found,
      accepted: accepted?.gap.equals(gapOf({ left, found })) === true ? accepted : null,
    };
  }

  /** The day that a row counts for: its own, that of the row before, or else the account's first day. */
  #dayOf(number: number, { day }: RowFacts): string {
    if (day !== "") return day;
    const [asOf, { first }] = [this.#asOf, placesOf(this.#account)];
    const record = this.#database.get(
      `SELECT e.day FROM entries AS e WHERE e.number >= :first AND e.number < :number AND e.day <> ''
         AND ${visibleAt(asOf)} ORDER BY e.number DESC LIMIT 1`,
      { first, number, ...(asOf === undefined ? {} : { asOf }) },
    );
    return record === undefined ? (this.#account.firstDay ?? "") : new Columns(record).text("day");
  }

  /** @param record a record of `acceptances` */
  acceptedBy(record: unknown): AcceptedGap {
    const columns = new Columns(record);
    const { number, facts } = this.at(record, "entry");
    return acceptedGap(columns, { reference: facts.reference, day: this.#dayOf(number, facts) });
  }

  #acceptedBefore(number: number): AcceptedGap | null {
    const asOf = this.#asOf;
    const record = this.#database.get(
      `SELECT * FROM acceptances WHERE entry = :number AND side = 'before'
       ${asOf === undefined ? "" : "AND accepted_at <= :asOf"} ORDER BY acceptances.number DESC LIMIT 1`,
      { number, ...(asOf === undefined ? {} : { asOf }) },
    );
    return record === undefined ? null : this.acceptedBy(record);
  }
}

/**
 * The balance before a row; null where the service does not give the one after it. An amount that is not a number counts
 * as none.
 */
function openingOf({ balance, change = Decimal.zero }: RowFacts): Decimal | null {
  return balance === undefined ? null : balance.subtract(change);
}
