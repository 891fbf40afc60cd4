import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../../storage/sqlite/database.ts";
import type { Sought } from "../terms/term.ts";
import type {
  AlteredRow,
  Chain,
  FoundRow,
  Ledger,
  LedgerAccount,
  LedgerChange,
  LedgerDay,
  LedgerRow,
  RowsWanted,
} from "../ledger.ts";
import type { DaylessRow } from "../counted-day.ts";
import { withCountedDays } from "../counted-day.ts";
import { alteredRow } from "./proof/altered.ts";
import { chainOf } from "./proof/chain.ts";
import { daysOf } from "./days.ts";
import { accountOf, changeKindOf, Columns } from "../records.ts";
import { numbersWith } from "./terms/term-reader.ts";
import { daylessRows } from "./dayless.ts";
import { accountsWithClosures, formerJoin, inDays, rangeOfDays, visibleAt, widened } from "./visible.ts";

/** Rows that are read in one go. */
const pageRows = 1_000;

/** A ledger in a SQLite database on this machine's own disk. */
export class SqliteLedger implements Ledger {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async accounts(scope?: string, asOf?: number): Promise<readonly LedgerAccount[]> {
    const where = scope === undefined ? "" : "WHERE scope = :scope";
    const records = this.database.all(`SELECT * FROM ${accountsWithClosures(asOf)} ${where} ORDER BY number`, {
      ...(scope === undefined ? {} : { scope }),
      ...(asOf === undefined ? {} : { asOf }),
    });
    return this.database.attempt(() => records.map((record) => accountOf(record)));
  }

  async *rows(account: LedgerAccount, wanted: RowsWanted = {}): AsyncGenerator<readonly LedgerRow[]> {
    const { asOf, startDay = "", endDay = "9999-12-31", asServed = false } = wanted;
    const isBackwards = asServed && account.isNewestFirst;
    const dayless = daylessRows(this.database, account, wanted);
    const range = widened(rangeOfDays(this.database, account, wanted), dayless);
    if (range === undefined) return;
    const sql = `SELECT e.number, e.day, e.seen_at, e.raw${asOf === undefined ? "" : ", f.balances"}
      FROM entries AS e ${asOf === undefined ? "" : formerJoin}
      WHERE e.number >= :first AND e.number <= :last AND ${visibleAt(asOf)}
        ${inDays}
      ORDER BY e.number ${isBackwards ? "DESC" : ""} LIMIT ${pageRows}`;
    const fixed: Record<string, SQLInputValue> = {
      startDay,
      endDay,
      dayless: JSON.stringify([...dayless.keys()]),
      ...(asOf === undefined ? {} : { asOf }),
    };
    let { first, last } = range;
    for (;;) {
      const records = this.database.all(sql, { ...fixed, first, last });
      const batch = this.database.attempt(() => records.map((record) => dayOf(new Columns(record), dayless, asOf)));
      if (batch.length > 0) yield batch;
      const end = batch.at(-1);
      if (end === undefined || batch.length < pageRows) return;
      if (isBackwards) last = end.number - 1;
      else first = end.number + 1;
    }
  }

  async *rowsWith(
    account: LedgerAccount,
    sought: Sought,
    isKnown: (number: number) => boolean,
  ): AsyncGenerator<readonly FoundRow[]> {
    // A concurrent sync can merge two pieces of the index: one transaction reads all of it as it is now.
    this.database.execute("BEGIN");
    try {
      for (const stretch of numbersWith(this.database, account, sought))
        yield* this.#rowsAt(stretch.filter((number) => !isKnown(number)));
    } finally {
      this.database.execute("COMMIT");
    }
  }

  async days(account: LedgerAccount, wanted: Omit<RowsWanted, "asServed"> = {}): Promise<readonly LedgerDay[]> {
    return daysOf(this.database, account, wanted);
  }

  async changes({ scope, asOf }: Parameters<Ledger["changes"]>[0]): Promise<readonly LedgerChange[]> {
    const accounts = new Map((await this.accounts(scope)).map((account) => [account.number, account]));
    const records = this.database.all(
      `SELECT * FROM changes ${asOf === undefined ? "" : "WHERE seen_at <= :asOf"} ORDER BY number`,
      asOf === undefined ? {} : { asOf },
    );
    const changes = this.database.attempt(() =>
      records.flatMap((record) => {
        const columns = new Columns(record);
        const account = accounts.get(columns.number("account"));
        if (account === undefined) return [];
        return {
          account,
          kind: changeKindOf(columns.text("kind")),
          reference: columns.text("reference"),
          day: columns.text("day"),
          seenAt: columns.number("seen_at"),
          old: columns.rowOrNull("old"),
          new: columns.rowOrNull("new"),
        };
      }),
    );
    return withCountedDays(changes, (account) => this.#dayless(account, asOf));
  }

  async chain(account: LedgerAccount, asOf?: number): Promise<Chain> {
    return chainOf(this.database, account, { asOf });
  }

  async altered(account: LedgerAccount): Promise<AlteredRow | undefined> {
    return alteredRow(this.database, account);
  }

  async #dayless(account: LedgerAccount, asOf: number | undefined): Promise<readonly DaylessRow[]> {
    const days = daylessRows(this.database, account, { asOf });
    const rows = [...this.#rowsAt([...days.keys()])].flat();
    return rows.map((row) => ({ ...row, day: days.get(row.number) ?? "" }));
  }

  *#rowsAt(numbers: readonly number[]): Generator<readonly FoundRow[]> {
    for (let at = 0; at < numbers.length; at += pageRows) {
      const records = this.database.all(
        `SELECT number, seen_at, raw FROM entries WHERE gone_at IS NULL
           AND number IN (SELECT value FROM json_each(:numbers)) ORDER BY number`,
        { numbers: JSON.stringify(numbers.slice(at, at + pageRows)) },
      );
      yield this.database.attempt(() => records.map((record) => rowOf(new Columns(record))));
    }
  }

  async close(): Promise<void> {
    try {
      await this.database.settled();
    } finally {
      this.database.close();
    }
  }
}

function dayOf(columns: Columns, dayless: ReadonlyMap<number, string>, asOf: number | undefined): LedgerRow {
  const row = rowOf(columns, asOf);
  return { ...row, day: dayless.get(row.number) ?? columns.text("day") };
}

function rowOf(columns: Columns, asOf?: number): FoundRow {
  const former = asOf === undefined ? null : columns.rowOrNull("balances");
  const [number, row] = [columns.number("number"), columns.row("raw")];
  return {
    number,
    row: former === null ? row : { ...row, ...former },
    seenAt: columns.number("seen_at"),
  };
}
