import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { DamageError } from "../../storage/failures.ts";
import type { AccountKey, Chain, LedgerAccount } from "../ledger.ts";
import { balancesIn, digitsOf, factsOf, minorUnits } from "../row-facts.ts";
import type {
  Acceptance,
  AccountSaid,
  Edits,
  HeldRow,
  LedgerWriter,
  PlaceRange,
  ReadThrough,
  SyncEnd,
} from "../writer.ts";
import { encodeRow } from "../stored-row.ts";
import { placeStep } from "../writer.ts";
import { chainOf } from "./chain.ts";
import { entryColumns, insertEntry } from "./entry-columns.ts";
import { accountOf, Columns } from "./records.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";

/** The same, for a sync. */
export class SqliteLedgerWriter extends SqliteLedger implements LedgerWriter {
  readonly #now: () => number;

  constructor(database: ConstructorParameters<typeof SqliteLedger>[0], now: () => number) {
    super(database);
    this.#now = now;
  }

  enroll({ scope, kind, accountNo }: AccountKey, { profile, name, currency }: AccountSaid): Promise<LedgerAccount> {
    return this.database.commit(() => {
      const key = { scope, kind, accountNo };
      this.database.run(
        `INSERT INTO accounts (scope, kind, account, profile, name, currency, digits, newest_first, is_reached)
         VALUES (:scope, :kind, :accountNo, :profile, :name, :currency, :digits, 0, 0)
         ON CONFLICT (scope, kind, account) DO UPDATE SET profile = :profile,
           name = iif(:name = '', name, :name), currency = iif(currency = '', :currency, currency)`,
        { ...key, profile, name, currency, digits: digitsOf(currency) },
      );
      return accountOf(
        this.database.get("SELECT * FROM accounts WHERE scope = :scope AND kind = :kind AND account = :accountNo", key),
      );
    });
  }

  setOrder(account: LedgerAccount, isNewestFirst: boolean): Promise<LedgerAccount> {
    return this.#note(account, "newest_first = :order", { order: isNewestFirst ? 1 : 0 });
  }

  async openDay({ number }: LedgerAccount): Promise<string | null> {
    return this.#textOf("SELECT open_day AS value FROM accounts WHERE number = :number", { number });
  }

  async lastRowDay({ number }: LedgerAccount): Promise<string | null> {
    return this.#textOf(
      "SELECT max(day) AS value FROM entries WHERE account = :number AND gone_at IS NULL AND day <> ''",
      { number },
    );
  }

  async countHeld({ number }: LedgerAccount, startDay: string, endDay: string): Promise<number> {
    return this.#number(
      "SELECT count(*) AS value FROM entries WHERE account = :number AND day >= :startDay AND day <= :endDay",
      { number, startDay, endDay },
    );
  }

  async held({ number }: LedgerAccount, startDay: string, endDay: string): Promise<readonly HeldRow[]> {
    const records = this.database.all(
      `SELECT number, place, day, raw FROM entries
       WHERE account = :number AND gone_at IS NULL AND (day = '' OR (day >= :startDay AND day <= :endDay))
       ORDER BY place`,
      { number, startDay, endDay },
    );
    return this.database.attempt(() =>
      records.map((record) => {
        const columns = new Columns(record);
        return {
          number: columns.number("number"),
          place: columns.number("place"),
          day: columns.text("day"),
          raw: columns.text("raw"),
        };
      }),
    );
  }

  async nextTo({ number }: LedgerAccount, place: number) {
    const own = "FROM entries WHERE account = :number AND gone_at IS NULL";
    const given = { number, place };
    return {
      before: this.#numberOrNull(`SELECT max(place) AS value ${own} AND place < :place`, given) ?? undefined,
      after: this.#numberOrNull(`SELECT min(place) AS value ${own} AND place > :place`, given) ?? undefined,
    };
  }

  async gapAt(account: LedgerAccount, startDay: string) {
    const before = this.#numberOrNull(
      "SELECT max(place) AS value FROM entries WHERE account = :number AND day < :startDay AND gone_at IS NULL",
      { number: account.number, startDay },
    );
    const { after } = await this.nextTo(account, before ?? Number.MIN_SAFE_INTEGER);
    return { before: before ?? undefined, after };
  }

  async spread({ number }: LedgerAccount): Promise<void> {
    await this.database.commit(() =>
      this.database.run(
        `UPDATE entries SET place = ranked.nth * ${placeStep} FROM (
           SELECT number, row_number() OVER (ORDER BY place, number) AS nth FROM entries WHERE account = :number
         ) AS ranked WHERE ranked.number = entries.number`,
        { number },
      ),
    );
  }

  async apply(account: LedgerAccount, edits: Edits, seenAt: number): Promise<void> {
    await this.database.commit(() => {
      for (const number of edits.gone)
        this.database.run("UPDATE entries SET gone_at = :seenAt WHERE number = :number", { number, seenAt });
      for (const move of edits.moves)
        this.database.run("UPDATE entries SET place = :place WHERE number = :number", { ...move });
      for (const { number, old, row } of edits.shifts) this.#shift(account, number, { old, row, seenAt });
      const insert = this.database.inserter(insertEntry);
      for (const { row, place } of edits.insertions) insert(entryColumns(account, row, place, seenAt));
      for (const { kind, reference, day, old, new: row } of edits.changes)
        this.database.run(
          `INSERT INTO changes (account, kind, reference, day, seen_at, old, new)
           VALUES (:account, :kind, :reference, :day, :seenAt, :old, :row)`,
          {
            account: account.number,
            kind,
            reference,
            day,
            seenAt,
            old: old === null ? null : encodeRow(old),
            row: row === null ? null : encodeRow(row),
          },
        );
    });
  }

  append(
    account: LedgerAccount,
    rows: readonly JsonObject[],
    { after, step }: PlaceRange,
    seenAt: number,
  ): Promise<number> {
    return this.database.commit(() => {
      const insert = this.database.inserter(insertEntry);
      let place = after;
      for (const row of rows) insert(entryColumns(account, row, (place += step), seenAt));
      return place;
    });
  }

  async lastNumber(): Promise<number> {
    return this.#number("SELECT coalesce(max(number), 0) AS value FROM entries", {});
  }

  async takeBack({ number }: LedgerAccount, afterNumber: number): Promise<void> {
    await this.database.commit(() =>
      this.database.run("DELETE FROM entries WHERE account = :number AND number > :afterNumber", {
        number,
        afterNumber,
      }),
    );
  }

  begin(account: LedgerAccount, firstDay: string): Promise<LedgerAccount> {
    return this.#note(account, "first_day = coalesce(first_day, :firstDay)", { firstDay });
  }

  readThrough(account: LedgerAccount, { firstDay, lastDay }: ReadThrough): Promise<LedgerAccount> {
    return this.#note(
      account,
      "first_day = iif(first_day < :firstDay, first_day, :firstDay), last_day = iif(last_day > :lastDay, last_day, :lastDay)",
      { firstDay, lastDay },
    );
  }

  async breaksSince(account: LedgerAccount, day: string): Promise<Chain> {
    const { before } = await this.gapAt(account, day);
    return chainOf(this.database, account, { place: before });
  }

  async endSync(account: LedgerAccount, { live, isReached, openDay, seenAt }: SyncEnd): Promise<LedgerAccount> {
    const ended = await this.#note(
      account,
      "live = :live, is_reached = :isReached, open_day = :openDay, synced_at = :seenAt",
      { live: live?.toString() ?? null, isReached: isReached ? 1 : 0, openDay, seenAt },
    );
    await this.database.commit(() =>
      this.database.run(
        `INSERT INTO syncs SELECT number, synced_at, first_day, last_day, live, is_reached FROM accounts
         WHERE number = :number ON CONFLICT (account, synced_at) DO UPDATE SET first_day = excluded.first_day,
           last_day = excluded.last_day, live = excluded.live, is_reached = excluded.is_reached`,
        { number: account.number },
      ),
    );
    return ended;
  }

  async accept({ number, side, gap, evidence, by }: Acceptance): Promise<void> {
    await this.database.commit(() =>
      this.database.run(
        `INSERT INTO accepted (entry, side, gap, evidence, accepted_by, accepted_at)
         VALUES (:number, :side, :gap, :evidence, :by, :now) ON CONFLICT (entry, side) DO UPDATE
         SET gap = :gap, evidence = :evidence, accepted_by = :by, accepted_at = :now`,
        { number, side, gap: gap.toString(), evidence, by, now: this.#now() },
      ),
    );
  }

  /** What the row said of balances is kept, up to now. */
  #shift(
    account: LedgerAccount,
    number: number,
    { old, row, seenAt }: { readonly old: JsonObject; readonly row: JsonObject; readonly seenAt: number },
  ): void {
    const digits = digitsOf(account.currency);
    const [was, is] = [old, row].map((each) => factsOf(each, account.kind).balance);
    const minor = (amount: Decimal | undefined) => minorUnits(amount, digits) ?? null;
    this.database.run(
      `INSERT INTO former (entry, until, balances, balance, balance_minor)
       VALUES (:number, :seenAt, :balances, :balance, :minor) ON CONFLICT (entry, until) DO NOTHING`,
      {
        number,
        seenAt,
        balances: encodeRow(balancesIn(old, account.kind)),
        balance: was?.toString() ?? null,
        minor: minor(was),
      },
    );
    this.database.run(
      "UPDATE entries SET raw = :raw, balance = :balance, balance_minor = :minor WHERE number = :number",
      { number, raw: encodeRow(row), balance: is?.toString() ?? null, minor: minor(is) },
    );
  }

  #note(
    { number }: LedgerAccount,
    set: string,
    values: Readonly<Record<string, string | number | null>>,
  ): Promise<LedgerAccount> {
    return this.database.commit(() => {
      this.database.run(`UPDATE accounts SET ${set} WHERE number = :number`, { ...values, number });
      return accountOf(this.database.get("SELECT * FROM accounts WHERE number = :number", { number }));
    });
  }

  #textOf(sql: string, given: Readonly<Record<string, string | number>>): string | null {
    const record = this.database.get(sql, given);
    return this.database.attempt(() => new Columns(record).textOrNull("value"));
  }

  #numberOrNull(sql: string, given: Readonly<Record<string, string | number>>): number | null {
    const record = this.database.get(sql, given);
    return this.database.attempt(() => new Columns(record).numberOrNull("value"));
  }

  #number(sql: string, given: Readonly<Record<string, string | number>>): number {
    const value = this.#numberOrNull(sql, given);
    if (value === null) throw new DamageError("a count is missing");
    return value;
  }
}
