import type { Chain, LedgerAccount } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { accountSpan, middleOf, placesOf } from "../places.ts";
import type { HeldDays, HeldRow, Stretch, Unfinished } from "../writer.ts";
import { chainOf } from "./proof/chain.ts";
import type { Followed } from "./proof/followed.ts";
import { Columns } from "../records.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import { rangeOfDays } from "./visible.ts";

/** Rows that are read in one go. */
const pageRows = 2_000;

/** Rows can be newer than every ended sync only in accounts whose sync was interrupted. */
const lastSeen = `SELECT max(at) AS value FROM (SELECT max(synced_at) AS at FROM syncs
    UNION ALL SELECT max(seen_at) FROM changes
    UNION ALL SELECT max(max(e.seen_at, coalesce(e.gone_at, 0))) FROM accounts AS a
      JOIN entries AS e ON e.number >= a.number * ${accountSpan} AND e.number < (a.number + 1) * ${accountSpan}
      WHERE a.unsettled_day IS NOT NULL)`;

/** The reads by which a sync compares the ledger with the service. */
export class SqliteHeldRows extends SqliteLedger {
  readonly #followed = new Map<number, readonly Followed[]>();

  async unfinished({ number }: LedgerAccount): Promise<Unfinished> {
    const record = this.database.get("SELECT open_day, unsettled_day FROM accounts WHERE number = :number", { number });
    return this.database.attempt(() => {
      const columns = new Columns(record);
      return { openDay: columns.textOrNull("open_day"), unsettledDay: columns.textOrNull("unsettled_day") };
    });
  }

  async lastSeen(): Promise<number | null> {
    return this.#numberOrNull(lastSeen, {});
  }

  async lastRowDay(account: LedgerAccount): Promise<string | null> {
    const days = this.database.all(
      "SELECT day, first, last FROM day_ranges WHERE account = :account AND day <> '' ORDER BY day DESC",
      { account: account.number },
    );
    for (const record of days) {
      const [day, first, last] = this.database.attempt(() => {
        const columns = new Columns(record);
        return [columns.text("day"), columns.number("first"), columns.number("last")] as const;
      });
      const found = this.database.get(
        "SELECT 1 FROM entries WHERE number >= :first AND number <= :last AND day = :day AND gone_at IS NULL LIMIT 1",
        { first, last, day },
      );
      if (found !== undefined) return day;
    }
    return null;
  }

  async countHeld(account: LedgerAccount, startDay: string, endDay: string): Promise<number> {
    return (
      this.#numberOrNull(
        `SELECT sum(rows) AS value FROM day_ranges
         WHERE account = :account AND day >= :startDay AND day <= :endDay`,
        { account: account.number, startDay, endDay },
      ) ?? 0
    );
  }

  async held(account: LedgerAccount, startDay: string, endDay: string): Promise<readonly HeldRow[]> {
    const held: HeldRow[] = [];
    for await (const page of this.heldPages(account, { startDay, endDay, isBackwards: false })) held.push(...page);
    return held;
  }

  async *heldPages(
    account: LedgerAccount,
    { startDay, endDay, isBackwards }: HeldDays,
  ): AsyncGenerator<readonly HeldRow[]> {
    const range = rangeOfDays(this.database, account, { startDay, endDay });
    const dayless = rangeOfDays(this.database, account, { startDay: "", endDay: "" });
    let [first, last] = [
      Math.min(range?.first ?? Infinity, dayless?.first ?? Infinity),
      Math.max(range?.last ?? -Infinity, dayless?.last ?? -Infinity),
    ];
    const sql = `SELECT number, day, raw FROM entries WHERE number >= :first AND number <= :last AND gone_at IS NULL
       AND (day = '' OR (day >= :startDay AND day <= :endDay))
       ORDER BY number ${isBackwards ? "DESC" : ""} LIMIT ${pageRows}`;
    while (first <= last) {
      const records = this.database.all(sql, { first, last, startDay, endDay });
      const page = this.database.attempt(() => records.map((record) => heldRow(new Columns(record))));
      const end = page.at(-1);
      if (end === undefined) return;
      yield page;
      if (page.length < pageRows) return;
      if (isBackwards) last = end.number - 1;
      else first = end.number + 1;
    }
  }

  async around(account: LedgerAccount, { startDay, first, last }: Stretch): Promise<Bounds> {
    const { first: start, last: end } = placesOf(account);
    const dated = "FROM entries WHERE gone_at IS NULL AND day <> '' AND number >= :from AND number <= :to";
    const before =
      first === undefined
        ? this.#lastBefore(account, startDay)
        : this.#numberOrNull(`SELECT max(number) AS value ${dated}`, { from: start, to: first - 1 });
    const from = (last ?? before ?? start - 1) + 1;
    const after = this.#numberOrNull(`SELECT min(number) AS value ${dated}`, { from, to: end });
    return { before: before ?? undefined, after: after ?? undefined, origin: middleOf(account) };
  }

  async rowAt(place: number): Promise<HeldRow> {
    const record = this.database.get("SELECT number, day, raw FROM entries WHERE number = :place", { place });
    return this.database.attempt(() => heldRow(new Columns(record)));
  }

  async takenBetween(account: LedgerAccount, { before, after }: Bounds): Promise<ReadonlySet<number>> {
    const { first, last } = placesOf(account);
    const records = this.database.all("SELECT number FROM entries WHERE number > :first AND number < :last", {
      first: before ?? first,
      last: after ?? last,
    });
    return this.database.attempt(() => new Set(records.map((record) => new Columns(record).number("number"))));
  }

  async breaksSince(account: LedgerAccount, day: string): Promise<Chain> {
    const place = this.#lastBefore(account, day) ?? undefined;
    return chainOf(this.database, account, { place, followed: this.#followed.get(account.number) });
  }

  /** Records stretches of rows that continue each other's balances, until a row of the account changes. */
  protected noteFollowed({ number }: LedgerAccount, stretches: readonly Followed[]): void {
    this.#followed.set(number, [...(this.#followed.get(number) ?? []), ...stretches]);
  }

  protected forgetFollowed({ number }: LedgerAccount): void {
    this.#followed.delete(number);
  }

  /** The place of the last row of the days before this one. */
  #lastBefore(account: LedgerAccount, day: string): number | null {
    const last = this.#numberOrNull(
      "SELECT max(last) AS value FROM day_ranges WHERE account = :account AND day < :day AND day <> ''",
      { account: account.number, day },
    );
    if (last === null) return null;
    const sql = `SELECT max(number) AS value FROM entries
      WHERE number >= :first AND number <= :last AND gone_at IS NULL AND day < :day AND day <> ''`;
    return this.#numberOrNull(sql, { first: placesOf(account).first, last, day });
  }

  #numberOrNull(sql: string, given: Readonly<Record<string, string | number>>): number | null {
    const record = this.database.get(sql, given);
    return this.database.attempt(() => new Columns(record).numberOrNull("value"));
  }
}

function heldRow(columns: Columns): HeldRow {
  return { number: columns.number("number"), day: columns.text("day"), raw: columns.text("raw") };
}
