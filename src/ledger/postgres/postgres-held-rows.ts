import type { PostgresValue } from "../../host/databases/postgres.ts";
import type { Chain, LedgerAccount } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { middleOf } from "../places.ts";
import { Columns } from "../records.ts";
import type { HeldDays, HeldRow, Stretch, Unfinished } from "../writer.ts";
import { chainOf } from "./chain.ts";
import { PostgresLedger } from "./postgres-ledger.ts";

const own = "FROM partner.ledger_entries WHERE account = $1";
const dated = `${own} AND gone_at IS NULL AND day <> ''`;

/** Rows that are read in one go. */
const pageRows = 5_000;

/** Rows can be newer than every ended sync only in accounts whose sync was interrupted. */
const lastSeen = `SELECT max(at) AS value FROM (SELECT max(synced_at) AS at FROM partner.ledger_syncs
    UNION ALL SELECT max(seen_at) FROM partner.ledger_changes
    UNION ALL SELECT max(greatest(e.seen_at, e.gone_at)) FROM partner.ledger_accounts AS a
      JOIN partner.ledger_entries AS e ON e.account = a.number WHERE a.unsettled_day IS NOT NULL) AS seen`;

/** The reads by which a sync compares the ledger with the service. */
export class PostgresHeldRows extends PostgresLedger {
  async unfinished({ number }: LedgerAccount): Promise<Unfinished> {
    const [record] = await this.database.read(
      "SELECT open_day, unsettled_day FROM partner.ledger_accounts WHERE number = $1",
      [number],
    );
    return this.explained(() => {
      const columns = new Columns(record);
      return { openDay: columns.textOrNull("open_day"), unsettledDay: columns.textOrNull("unsettled_day") };
    });
  }

  async lastSeen(): Promise<number | null> {
    return this.#numberOrNull(lastSeen, []);
  }

  async lastRowDay({ number }: LedgerAccount): Promise<string | null> {
    const [record] = await this.database.read(`SELECT max(day) AS day ${own} AND gone_at IS NULL AND day <> ''`, [
      number,
    ]);
    return this.explained(() => new Columns(record).textOrNull("day"));
  }

  async countHeld({ number }: LedgerAccount, startDay: string, endDay: string): Promise<number> {
    const sql = `SELECT count(*) AS value ${own} AND day >= $2 AND day <= $3`;
    return (await this.#numberOrNull(sql, [number, startDay, endDay])) ?? 0;
  }

  async held(account: LedgerAccount, startDay: string, endDay: string): Promise<readonly HeldRow[]> {
    const held: HeldRow[] = [];
    for await (const page of this.heldPages(account, { startDay, endDay, isBackwards: false })) held.push(...page);
    return held;
  }

  async *heldPages(
    { number: account }: LedgerAccount,
    { startDay, endDay, isBackwards }: HeldDays,
  ): AsyncGenerator<readonly HeldRow[]> {
    const sql = `SELECT number, day, raw ${own} AND gone_at IS NULL AND (day = '' OR (day >= $2 AND day <= $3))
      AND number >= $4 AND number <= $5 ORDER BY number ${isBackwards ? "DESC" : ""} LIMIT ${pageRows}`;
    let [first, last]: [number, number] = [0, Number.MAX_SAFE_INTEGER];
    for (;;) {
      const records = await this.database.read(sql, [account, startDay, endDay, first, last]);
      const page = this.explained(() => records.map((record) => heldRow(new Columns(record))));
      const end = page.at(-1);
      if (end === undefined) return;
      yield page;
      if (page.length < pageRows) return;
      if (isBackwards) last = end.number - 1;
      else first = end.number + 1;
    }
  }

  async around(account: LedgerAccount, { startDay, first, last }: Stretch): Promise<Bounds> {
    const { number } = account;
    const before =
      first === undefined
        ? await this.#lastBefore(account, startDay)
        : await this.#numberOrNull(`SELECT max(number) AS value ${dated} AND number < $2`, [number, first]);
    const from = last ?? before ?? 0;
    const after = await this.#numberOrNull(`SELECT min(number) AS value ${dated} AND number > $2`, [number, from]);
    return { before: before ?? undefined, after: after ?? undefined, origin: middleOf(account) };
  }

  async rowAt(place: number): Promise<HeldRow> {
    const sql = "SELECT number, day, raw FROM partner.ledger_entries WHERE number = $1";
    const [record] = await this.database.read(sql, [place]);
    return this.explained(() => heldRow(new Columns(record)));
  }

  async takenBetween({ number }: LedgerAccount, { before, after }: Bounds): Promise<ReadonlySet<number>> {
    const records = await this.database.read(`SELECT number ${own} AND number > $2 AND number < $3`, [
      number,
      before ?? 0,
      after ?? Number.MAX_SAFE_INTEGER,
    ]);
    return this.explained(() => new Set(records.map((record) => new Columns(record).number("number"))));
  }

  async breaksSince(account: LedgerAccount, day: string): Promise<Chain> {
    return chainOf(this.database, account, { place: (await this.#lastBefore(account, day)) ?? undefined });
  }

  /** The place of the last row of the days before this one. */
  #lastBefore({ number }: LedgerAccount, day: string): Promise<number | null> {
    return this.#numberOrNull(`SELECT max(number) AS value ${dated} AND day < $2`, [number, day]);
  }

  async #numberOrNull(sql: string, given: readonly PostgresValue[]): Promise<number | null> {
    const [record] = await this.database.read(sql, given);
    return this.explained(() => new Columns(record).numberOrNull("value"));
  }
}

function heldRow(columns: Columns): HeldRow {
  return { number: columns.number("number"), day: columns.text("day"), raw: columns.text("raw") };
}
