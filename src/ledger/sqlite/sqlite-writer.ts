import type { JsonObject } from "../../values/json.ts";
import type { AccountKey, LedgerAccount } from "../ledger.ts";
import type { PlaceRange } from "../places.ts";
import { placesOf } from "../places.ts";
import { balancesIn, digitsOf, factsOf, minorUnits } from "../row-facts.ts";
import type {
  Acceptance,
  AccountSaid,
  Appender,
  ClosureWord,
  Edits,
  LedgerWriter,
  ReadThrough,
  StoredPiece,
  SyncEnd,
} from "../writer.ts";
import { encodeRow } from "../stored-row.ts";
import { SqliteEntryAppender } from "./entries/entry-appender.ts";
import type { EntryBulk } from "./entries/entry-bulk.ts";
import { LocalBulk } from "./entries/entry-bulk.ts";
import { entryOf } from "./entries/entry.ts";
import { EntryInserter } from "./entries/entry-inserter.ts";
import { recountMinorUnits } from "./recount.ts";
import { moveRows, spreadRows } from "./moved-rows.ts";
import { accountOf, Columns } from "../records.ts";
import { eachPersonal, redactAccount } from "./redaction.ts";
import { forgetTerms, indexRows } from "./terms/row-index.ts";
import { accountsWithClosures } from "./visible.ts";
import { SqliteHeldRows } from "./sqlite-held-rows.ts";

/** What a sync needs besides its database. */
export interface SyncTools {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Where a long history is written; undefined where there is only the caller's thread. */
  readonly longBulk: (of: { readonly account: number; readonly seenAt: number }) => Promise<EntryBulk | undefined>;
}

/** The ledger as a sync writes it. */
export class SqliteLedgerWriter extends SqliteHeldRows implements LedgerWriter {
  readonly #tools: SyncTools;

  constructor(database: ConstructorParameters<typeof SqliteHeldRows>[0], tools: SyncTools) {
    super(database);
    this.#tools = tools;
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
      const sql = `SELECT * FROM ${accountsWithClosures(undefined)}
        WHERE scope = :scope AND kind = :kind AND account = :accountNo`;
      const record = this.database.get(sql, key);
      const account = accountOf(record);
      const digits = digitsOf(account.currency);
      if (new Columns(record).number("digits") !== digits) recountMinorUnits(this.database, account, digits);
      return account;
    });
  }

  index(account: LedgerAccount): Promise<void> {
    return indexRows(this.database, account);
  }

  setOrder(account: LedgerAccount, isNewestFirst: boolean): Promise<LedgerAccount> {
    return this.#note(account, "newest_first = :order", { order: isNewestFirst ? 1 : 0 });
  }

  async spread(account: LedgerAccount, step: number): Promise<void> {
    this.forgetFollowed(account);
    await this.database.commit(() => {
      spreadRows(this.database, account, step);
      forgetTerms(this.database, account);
    });
    await indexRows(this.database, account);
  }

  async apply(account: LedgerAccount, edits: Edits, seenAt: number): Promise<void> {
    this.forgetFollowed(account);
    await this.database.commit(() => {
      for (const number of edits.gone)
        this.database.run("UPDATE entries SET gone_at = :seenAt WHERE number = :number", { number, seenAt });
      // Edits name rows by their old places, so shifts come before moves.
      for (const { number, old, row } of edits.shifts) this.#shift(account, number, { old, row, seenAt });
      moveRows(this.database, account, edits.moves);
      this.#insert(account, edits.insertions, seenAt);
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

  appender(account: LedgerAccount, place: PlaceRange, seenAt: number): Appender {
    const of = { account: account.number, seenAt };
    return new SqliteEntryAppender({
      account,
      place,
      bulk: new LocalBulk(this.database, of),
      longBulk: () => this.#tools.longBulk(of),
      onFollowed: (stretches) => this.noteFollowed(account, stretches),
    });
  }

  async takeBack(account: LedgerAccount, { period, after, before }: StoredPiece, seenAt: number): Promise<void> {
    this.forgetFollowed(account);
    const end = before ?? placesOf(account).last + 1;
    const days = { startDay: period.startDate.toString(), endDay: period.endDate.toString() };
    await this.database.commit(() => {
      this.database.run(
        `DELETE FROM entries WHERE number > :after AND number < :end AND seen_at = :seenAt
           AND (day = '' OR (day >= :startDay AND day <= :endDay))`,
        { after, end, seenAt, ...days },
      );
      this.database.run("DELETE FROM day_ranges WHERE account = :account AND day >= :startDay AND day <= :endDay", {
        account: account.number,
        ...days,
      });
    });
  }

  begin(account: LedgerAccount, firstDay: string): Promise<LedgerAccount> {
    return this.#note(
      account,
      `first_day = coalesce(first_day, :firstDay),
       unsettled_day = iif(unsettled_day < :firstDay, unsettled_day, :firstDay)`,
      { firstDay },
    );
  }

  readThrough(account: LedgerAccount, { firstDay, lastDay }: ReadThrough): Promise<LedgerAccount> {
    return this.#note(
      account,
      "first_day = iif(first_day < :firstDay, first_day, :firstDay), last_day = iif(last_day > :lastDay, last_day, :lastDay)",
      { firstDay, lastDay },
    );
  }

  async endSync(account: LedgerAccount, end: SyncEnd): Promise<LedgerAccount> {
    const { live, isReached, isReachedByRows, openDay, seenAt } = end;
    if (isReachedByRows) await this.#lapse(account, seenAt);
    const ended = await this.#note(
      account,
      "live = :live, is_reached = :isReached, open_day = :openDay, unsettled_day = NULL, synced_at = :seenAt",
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
        `INSERT INTO acceptances (entry, side, gap, evidence, accepted_by, accepted_at)
         VALUES (:number, :side, :gap, :evidence, :by, :now)`,
        { number, side, gap: gap.toString(), evidence, by, now: this.#tools.now() },
      ),
    );
  }

  async acceptClosure({ number }: LedgerAccount, { evidence, by }: ClosureWord): Promise<void> {
    await this.database.commit(() =>
      this.database.run(
        `INSERT INTO closures (account, evidence, accepted_by, accepted_at) VALUES (:number, :evidence, :by, :now)`,
        { number, evidence, by, now: this.#tools.now() },
      ),
    );
  }

  async lapseClosure({ number }: LedgerAccount, seenAt: number): Promise<void> {
    await this.database.commit(() =>
      this.database.run("UPDATE closures SET lapsed_at = :seenAt WHERE account = :number AND lapsed_at IS NULL", {
        number,
        seenAt,
      }),
    );
  }

  /** Ends accepted differences after the last row: the rows explain the balance without them. */
  async #lapse(account: LedgerAccount, seenAt: number): Promise<void> {
    await this.database.commit(() =>
      this.database.run(
        `UPDATE acceptances SET lapsed_at = :seenAt WHERE entry >= :first AND entry <= :last AND side = 'after'
           AND lapsed_at IS NULL`,
        { ...placesOf(account), seenAt },
      ),
    );
  }

  async redactedBefore(): Promise<string | null> {
    const record = this.database.get("SELECT redacted_before FROM ledger");
    return this.database.attempt(() => new Columns(record).textOrNull("redacted_before"));
  }

  async countPersonal(day: string): Promise<number> {
    let count = 0;
    for (const account of await this.accounts())
      count += this.database.attempt(() => eachPersonal(this.database, account, day, () => undefined));
    return count;
  }

  async redact(day: string): Promise<number> {
    const accounts = await this.accounts();
    // Old texts are overwritten on the disk, not only marked as free.
    this.database.execute("PRAGMA secure_delete = ON");
    const count = await this.database.commit(() => {
      this.database.run(
        "UPDATE ledger SET redacted_before = :day WHERE redacted_before IS NULL OR redacted_before < :day",
        { day },
      );
      return accounts.reduce((sum, account) => {
        const redacted = redactAccount(this.database, account, day);
        if (redacted > 0) forgetTerms(this.database, account);
        return sum + redacted;
      }, 0);
    });
    for (const account of accounts) await indexRows(this.database, account);
    await this.database.settled();
    this.database.execute("VACUUM");
    this.database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return count;
  }

  /** Keeps the row's old balances, valid until `seenAt`. */
  #shift(
    account: LedgerAccount,
    number: number,
    { old, row, seenAt }: { readonly old: JsonObject; readonly row: JsonObject; readonly seenAt: number },
  ): void {
    const digits = digitsOf(account.currency);
    const [was, is] = [old, row].map((each) => minorUnits(factsOf(each, account.kind).balance, digits));
    this.database.run(
      `INSERT INTO former (entry, until, balances, balance_minor) VALUES (:number, :seenAt, :balances, :minor)
       ON CONFLICT (entry, until) DO NOTHING`,
      { number, seenAt, balances: encodeRow(balancesIn(old, account.kind)), minor: was ?? null },
    );
    this.database.run("UPDATE entries SET raw = :raw, balance_minor = :minor WHERE number = :number", {
      number,
      raw: encodeRow(row),
      minor: is ?? null,
    });
  }

  #insert(account: LedgerAccount, insertions: Edits["insertions"], seenAt: number): void {
    const entries = new EntryInserter(this.database, { account: account.number, seenAt });
    for (const { row, place } of insertions) entries.insert(entryOf(row, account), place);
    entries.finish();
  }

  #note(
    { number }: LedgerAccount,
    set: string,
    values: Readonly<Record<string, string | number | null>>,
  ): Promise<LedgerAccount> {
    return this.database.commit(() => {
      this.database.run(`UPDATE accounts SET ${set} WHERE number = :number`, { ...values, number });
      return accountOf(
        this.database.get(`SELECT * FROM ${accountsWithClosures(undefined)} WHERE number = :number`, { number }),
      );
    });
  }
}
