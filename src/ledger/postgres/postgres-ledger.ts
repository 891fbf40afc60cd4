import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { Decimal } from "../../values/money/decimal.ts";
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
  SharedCloses,
} from "../ledger.ts";
import { accountOf, changeKindOf, Columns } from "../records.ts";
import type { Sought } from "../terms/term.ts";
import type { DaylessRow } from "../counted-day.ts";
import { withCountedDays } from "../counted-day.ts";
import { alteredRow } from "./altered.ts";
import { chainOf } from "./chain.ts";
import { daylessRows } from "./dayless.ts";
import { storable } from "./entry-batch.ts";
import { numbersWith } from "./terms.ts";
import { accountsWithClosures, balanceThen, formerJoin, rowThen, visibleAt } from "./visible.ts";

/** Rows that are read in one go. */
const pageRows = 2_000;
const lastDay = "9999-12-31";
const firstPlace = 0;
const lastPlace = Number.MAX_SAFE_INTEGER;

const entries = (asOf: string) => `FROM partner.ledger_entries AS e ${formerJoin(asOf)} WHERE ${visibleAt(asOf)}`;
/** The day that a row counts for. `numbers` are the rows without a value date, `days` the days that they count for. */
const countedDay = (numbers: string, days: string) =>
  `CASE WHEN e.day <> '' THEN e.day ELSE (${days}::text[])[array_position(${numbers}::bigint[], e.number)] END`;
const inDays = (start: string, end: string, numbers: string) => `AND (e.day >= ${start} AND e.day <= ${end}
  AND e.day <> '' OR e.number = ANY (${numbers}::bigint[]))`;
const page = (isBackwards: boolean) => `SELECT e.number, e.seen_at, ${rowThen} AS raw,
    ${countedDay("$7", "$8")} AS day ${entries("$2::bigint")}
  AND e.account = $1 ${inDays("$3", "$4", "$7")} AND e.number >= $5 AND e.number <= $6
  ORDER BY e.number ${isBackwards ? "DESC" : ""} LIMIT ${pageRows}`;
const named = `SELECT number, seen_at, raw FROM partner.ledger_entries
  WHERE number = ANY ($1::bigint[]) AND gone_at IS NULL ORDER BY number`;
const daySums = `SELECT ${countedDay("$5", "$6")} COLLATE "C" AS day, count(*) AS rows,
    (array_agg((${balanceThen}) - coalesce(e.change, 0) ORDER BY e.number))[1]::text AS opening,
    coalesce(sum(e.change) FILTER (WHERE e.change >= 0), 0)::text AS credits,
    coalesce(-sum(e.change) FILTER (WHERE e.change < 0), 0)::text AS debits,
    coalesce(-sum(e.change) FILTER (WHERE e.is_fee), 0)::text AS fees,
    (array_agg(${balanceThen} ORDER BY e.number DESC))[1]::text AS closing
  ${entries("$2::bigint")} AND e.account = $1 ${inDays("$3", "$4", "$5")} GROUP BY 1 ORDER BY 1`;

/** A ledger in a PostgreSQL database that several hosts share. */
export class PostgresLedger implements Ledger {
  protected readonly database: SharedDatabase;

  constructor(database: SharedDatabase) {
    this.database = database;
  }

  get closes(): SharedCloses {
    const { database } = this;
    return {
      read: async () => {
        const records = await database.read("SELECT content FROM partner.ledger_closes ORDER BY number");
        return this.explained(() => records.map((record) => new Columns(record).text("content")));
      },
      keep: (content) =>
        database.write(async (transaction) => {
          const text = "INSERT INTO partner.ledger_closes (content) VALUES ($1)";
          await transaction.run({ text, values: [storable(content)] });
        }),
    };
  }

  async accounts(scope?: string, asOf?: number): Promise<readonly LedgerAccount[]> {
    const records = await this.database.read(
      `SELECT * FROM (${accountsWithClosures("$2::bigint")}) AS known WHERE $1::text IS NULL OR scope = $1 ORDER BY number`,
      [scope ?? null, asOf ?? null],
    );
    return this.explained(() => records.map((record) => accountOf(record)));
  }

  async *rows(account: LedgerAccount, wanted: RowsWanted = {}): AsyncGenerator<readonly LedgerRow[]> {
    const { asOf, startDay = "", endDay = lastDay, asServed = false } = wanted;
    const isBackwards = asServed && account.isNewestFirst;
    const sql = page(isBackwards);
    const dayless = await daylessRows(this.database, account, wanted);
    let [first, last]: [number, number] = [firstPlace, lastPlace];
    for (;;) {
      const given = [account.number, asOf ?? null, startDay, endDay, first, last, dayless.numbers, dayless.days];
      const records = await this.database.read(sql, given);
      const batch = this.explained(() => records.map((record) => rowOf(new Columns(record))));
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
    const stretches = await numbersWith(this.database, account, sought);
    if (stretches === undefined) {
      for await (const batch of this.rows(account)) yield batch.filter(({ number }) => !isKnown(number));
      return;
    }
    for await (const stretch of stretches) {
      const numbers = stretch.filter((number) => !isKnown(number)).map(String);
      for (let start = 0; start < numbers.length; start += pageRows) {
        const records = await this.database.read(named, [numbers.slice(start, start + pageRows)]);
        yield this.explained(() => records.map((record) => foundRow(new Columns(record))));
      }
    }
  }

  async days(account: LedgerAccount, wanted: Omit<RowsWanted, "asServed"> = {}): Promise<readonly LedgerDay[]> {
    const { asOf, startDay = "", endDay = lastDay } = wanted;
    const { numbers, days } = await daylessRows(this.database, account, wanted);
    const given = [account.number, asOf ?? null, startDay, endDay, numbers, days];
    const records = await this.database.read(daySums, given);
    return this.explained(() => records.map((record) => dayOf(new Columns(record))));
  }

  async changes({ scope, asOf }: Parameters<Ledger["changes"]>[0]): Promise<readonly LedgerChange[]> {
    const accounts = new Map((await this.accounts(scope)).map((account) => [account.number, account]));
    const records = await this.database.read(
      "SELECT * FROM partner.ledger_changes WHERE $1::bigint IS NULL OR seen_at <= $1 ORDER BY number",
      [asOf ?? null],
    );
    const changes = this.explained(() =>
      records.flatMap((record) => {
        const columns = new Columns(record);
        const account = accounts.get(columns.number("account"));
        return account === undefined ? [] : changeOf(columns, account);
      }),
    );
    return withCountedDays(changes, (account) => this.#dayless(account, asOf));
  }

  async chain(account: LedgerAccount, asOf?: number): Promise<Chain> {
    return chainOf(this.database, account, { asOf });
  }

  async altered(account: LedgerAccount): Promise<AlteredRow | undefined> {
    try {
      return await alteredRow(this.database, account);
    } catch (error) {
      throw this.database.explain(error);
    }
  }

  async #dayless(account: LedgerAccount, asOf: number | undefined): Promise<readonly DaylessRow[]> {
    const { numbers, days } = await daylessRows(this.database, account, { asOf });
    const dayOfNumber = new Map(numbers.map((number, index) => [Number(number), days[index] ?? ""]));
    const records = await this.database.read(named, [numbers]);
    const rows = this.explained(() => records.map((record) => foundRow(new Columns(record))));
    return rows.map((row) => ({ ...row, day: dayOfNumber.get(row.number) ?? "" }));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Turns damaged columns into a `Failure`. */
  protected explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.database.explain(error);
    }
  }
}

function rowOf(columns: Columns): LedgerRow {
  return { ...foundRow(columns), day: columns.text("day") };
}

function foundRow(columns: Columns): FoundRow {
  return { number: columns.number("number"), row: columns.row("raw"), seenAt: columns.number("seen_at") };
}

function dayOf(columns: Columns): LedgerDay {
  const sum = (name: string) => columns.amountOrNull(name) ?? Decimal.zero;
  return {
    day: columns.text("day"),
    rows: columns.number("rows"),
    opening: columns.amountOrNull("opening"),
    credits: sum("credits"),
    debits: sum("debits"),
    fees: sum("fees"),
    closing: columns.amountOrNull("closing"),
  };
}

function changeOf(columns: Columns, account: LedgerAccount) {
  return {
    account,
    kind: changeKindOf(columns.text("kind")),
    reference: columns.text("reference"),
    day: columns.text("day"),
    seenAt: columns.number("seen_at"),
    old: columns.rowOrNull("old"),
    new: columns.rowOrNull("new"),
  };
}
