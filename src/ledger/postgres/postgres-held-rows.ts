import type { PostgresValue } from "../../host/databases/postgres.ts";
import type { Chain, LedgerAccount } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { middleOf } from "../places.ts";
import { Columns } from "../records.ts";
import type { HeldDays, HeldRow, Unfinished } from "../writer.ts";
import { chainOf } from "./chain.ts";
import { PostgresLedger } from "./postgres-ledger.ts";

const own = "FROM partner.ledger_entries WHERE account = $1";

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

  async around(account: LedgerAccount, first: number, last: number): Promise<Bounds> {
    const before = `SELECT max(number) AS value ${own} AND gone_at IS NULL AND number < $2`;
    const after = `SELECT min(number) AS value ${own} AND gone_at IS NULL AND day <> '' AND number > $2`;
    return {
      before: (await this.#numberOrNull(before, [account.number, first])) ?? undefined,
      after: (await this.#numberOrNull(after, [account.number, last])) ?? undefined,
      origin: middleOf(account),
    };
  }

  async datedBefore(account: LedgerAccount, place: number): Promise<number | undefined> {
    const sql = `SELECT max(number) AS value ${own} AND gone_at IS NULL AND day <> '' AND number < $2`;
    return (await this.#numberOrNull(sql, [account.number, place])) ?? undefined;
  }

  async gapAt(account: LedgerAccount, startDay: string): Promise<Bounds> {
    const sql = `SELECT max(number) AS value ${own} AND gone_at IS NULL AND day < $2 AND day <> ''`;
    const dated = await this.#numberOrNull(sql, [account.number, startDay]);
    const { after, origin } = await this.around(account, 0, dated ?? 0);
    if (dated === null && after !== undefined) {
      const first = await this.#numberOrNull(`SELECT min(number) AS value ${own} AND gone_at IS NULL`, [
        account.number,
      ]);
      return { before: undefined, after: first ?? after, origin };
    }
    const end = after ?? Number.MAX_SAFE_INTEGER;
    const { before } = await this.around(account, end, end);
    return { before, after, origin };
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
    const { before } = await this.gapAt(account, day);
    return chainOf(this.database, account, { place: before });
  }

  async #numberOrNull(sql: string, given: readonly PostgresValue[]): Promise<number | null> {
    const [record] = await this.database.read(sql, given);
    return this.explained(() => new Columns(record).numberOrNull("value"));
  }
}

function heldRow(columns: Columns): HeldRow {
  return { number: columns.number("number"), day: columns.text("day"), raw: columns.text("raw") };
}
