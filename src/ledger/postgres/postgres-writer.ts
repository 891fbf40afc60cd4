import type { Host } from "../../host/host.ts";
import type { PostgresValue, Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { Failure } from "../../values/failure.ts";
import type { AccountKey, LedgerAccount } from "../ledger.ts";
import type { PlaceRange } from "../places.ts";
import { middleOf } from "../places.ts";
import { accountOf, Columns } from "../records.ts";
import { personalChanges, personalRows } from "./redaction.ts";
import { digitsOf, factsOf } from "../row-facts.ts";
import { encodeRow } from "../stored-row.ts";
import type {
  Acceptance,
  AccountSaid,
  Appender,
  ClosureWord,
  Edits,
  LedgerWriter,
  ReadThrough,
  Shift,
  StoredPiece,
  SyncEnd,
} from "../writer.ts";
import { insertAcceptance, insertClosure, lapseClosure, lapseEnd } from "./acceptances.ts";
import { PostgresEntryAppender } from "./entry-appender.ts";
import { entryBatch, storable } from "./entry-batch.ts";
import { PostgresHeldRows } from "./postgres-held-rows.ts";
import { accountsWithClosures } from "./visible.ts";
import { lackingTerms } from "./terms.ts";

/** Rows that are changed by one statement each, and sent together. */
const pieceStatements = 1_000;
const holderSql = "SELECT holder, last_write FROM partner.ledger_holder FOR UPDATE";
const accountsNow = accountsWithClosures("NULL::bigint");
const noteWrite = "UPDATE partner.ledger_holder SET last_write = $1";

/** The shared ledger as a sync writes it. Its writes are refused once another sync has begun. */
export class PostgresLedgerWriter extends PostgresHeldRows implements LedgerWriter {
  readonly #host: Pick<Host, "clock" | "ids">;
  readonly #holder: string;
  readonly #release: () => Promise<void>;

  /** @param release ends the turn of this sync */
  constructor(
    database: SharedDatabase,
    of: {
      readonly host: Pick<Host, "clock" | "ids">;
      readonly holder: string;
      readonly release: () => Promise<void>;
    },
  ) {
    super(database);
    this.#host = of.host;
    this.#holder = of.holder;
    this.#release = of.release;
  }

  async enroll(key: AccountKey, { profile, name, currency }: AccountSaid): Promise<LedgerAccount> {
    const { scope, kind, accountNo } = key;
    const same = "scope = $1 AND kind = $2 AND account = $3";
    const own = [scope, kind, accountNo];
    await this.#keep([
      {
        text: `INSERT INTO partner.ledger_accounts
            (number, scope, kind, account, profile, name, currency, digits, newest_first, is_reached)
          SELECT (SELECT coalesce(max(number), 0) + 1 FROM partner.ledger_accounts), $1, $2, $3, $4, $5, $6, $7::integer, 0, 0
          WHERE NOT EXISTS (SELECT FROM partner.ledger_accounts WHERE ${same})`,
        values: [...own, profile, name, currency, digitsOf(currency)],
      },
      {
        text: `UPDATE partner.ledger_accounts SET profile = $4, name = CASE WHEN $5 = '' THEN name ELSE $5 END,
            currency = CASE WHEN currency = '' THEN $6 ELSE currency END,
            digits = CASE WHEN currency = '' THEN $7::integer ELSE digits END WHERE ${same}`,
        values: [...own, profile, name, currency, digitsOf(currency)],
      },
    ]);
    const [record] = await this.database.read(`SELECT * FROM (${accountsNow}) AS known WHERE ${same}`, own);
    return this.explained(() => accountOf(record));
  }

  async redactedBefore(): Promise<string | null> {
    const [record] = await this.database.read("SELECT max(before_day) AS before_day FROM partner.ledger_redaction");
    return this.explained(() => new Columns(record).textOrNull("before_day"));
  }

  async countPersonal(day: string): Promise<number> {
    let count = 0;
    for await (const _ of personalRows(this.database, await this.accounts(), day)) count += 1;
    return count;
  }

  async redact(day: string): Promise<number> {
    const statements: Statement[] = [
      { text: "INSERT INTO partner.ledger_redaction (before_day) VALUES ($1) ON CONFLICT DO NOTHING", values: [day] },
    ];
    const before = statements.length;
    for await (const statement of personalRows(this.database, await this.accounts(), day)) statements.push(statement);
    const count = statements.length - before;
    for await (const statement of personalChanges(this.database, await this.accounts(), day))
      statements.push(statement);
    await this.#keep(statements);
    return count;
  }

  async index(account: LedgerAccount): Promise<void> {
    for (;;) {
      const statement = await lackingTerms(this.database, account);
      if (statement === undefined) return;
      await this.#keep([statement]);
    }
  }

  setOrder(account: LedgerAccount, isNewestFirst: boolean): Promise<LedgerAccount> {
    return this.#note(account, "newest_first = $2::integer", [isNewestFirst ? 1 : 0]);
  }

  async spread(account: LedgerAccount, step: number): Promise<void> {
    const own = "WHERE account = $1";
    await this.#keep([
      { text: `UPDATE partner.ledger_entries SET number = -number ${own}`, values: [account.number] },
      {
        text: `UPDATE partner.ledger_entries AS e SET number = spread.place FROM (
            SELECT number, $2::bigint + $3::bigint * (row_number() OVER (ORDER BY -number)
              - (SELECT count(*) / 2 FROM partner.ledger_entries ${own})) AS place
            FROM partner.ledger_entries ${own}) AS spread WHERE e.number = spread.number`,
        values: [account.number, middleOf(account), step],
      },
    ]);
  }

  async apply(account: LedgerAccount, edits: Edits, seenAt: number): Promise<void> {
    const { gone, moves, shifts, insertions, changes } = edits;
    const moved = texts(moves.map(({ number }) => number));
    await this.#keep([
      {
        text: "UPDATE partner.ledger_entries SET gone_at = $1::bigint WHERE number = ANY ($2::bigint[])",
        values: [seenAt, texts(gone)],
      },
      ...shifts.flatMap((shift) => shiftOf(account, shift, seenAt)),
      // A row may move to a place that another one leaves, so all of them first move to unused negative numbers.
      {
        text: "UPDATE partner.ledger_entries SET number = -number WHERE number = ANY ($1::bigint[])",
        values: [moved],
      },
      {
        text: `UPDATE partner.ledger_entries AS e SET number = move.place
          FROM unnest($1::bigint[], $2::bigint[]) AS move (number, place) WHERE e.number = -move.number`,
        values: [moved, texts(moves.map(({ place }) => place))],
      },
      entryBatch(account, insertions, seenAt),
      ...changes.map(({ kind, reference, day, old, new: row }): Statement => ({
        text: `INSERT INTO partner.ledger_changes (account, kind, reference, day, seen_at, old, new)
          VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        values: [
          account.number,
          kind,
          storable(reference),
          day,
          seenAt,
          old === null ? null : encodeRow(old),
          row === null ? null : encodeRow(row),
        ],
      })),
    ]);
  }

  appender(account: LedgerAccount, place: PlaceRange, seenAt: number): Appender {
    return new PostgresEntryAppender((statements) => this.#keep(statements), { account, place, seenAt });
  }

  async takeBack({ number }: LedgerAccount, { period, after, before }: StoredPiece, seenAt: number): Promise<void> {
    await this.#keep([
      {
        text: `DELETE FROM partner.ledger_entries WHERE account = $1 AND seen_at = $2
          AND (day = '' OR (day >= $3 AND day <= $4)) AND number > $5 AND number < $6`,
        values: [
          number,
          seenAt,
          period.startDate.toString(),
          period.endDate.toString(),
          after,
          before ?? Number.MAX_SAFE_INTEGER,
        ],
      },
    ]);
  }

  begin(account: LedgerAccount, firstDay: string): Promise<LedgerAccount> {
    return this.#note(
      account,
      'first_day = coalesce(first_day, $2), unsettled_day = least(unsettled_day COLLATE "C", $2)',
      [firstDay],
    );
  }

  readThrough(account: LedgerAccount, { firstDay, lastDay }: ReadThrough): Promise<LedgerAccount> {
    return this.#note(
      account,
      'first_day = least(first_day COLLATE "C", $2), last_day = greatest(last_day COLLATE "C", $3)',
      [firstDay, lastDay],
    );
  }

  async endSync(account: LedgerAccount, end: SyncEnd): Promise<LedgerAccount> {
    const { live, isReached, isReachedByRows, openDay, seenAt } = end;
    if (isReachedByRows) await this.#keep([lapseEnd(account, seenAt)]);
    const ended = await this.#note(
      account,
      "live = $2, is_reached = $3::integer, open_day = $4, unsettled_day = NULL, synced_at = $5::bigint",
      [live?.toString() ?? null, isReached ? 1 : 0, openDay, seenAt],
    );
    await this.#keep([
      {
        text: `INSERT INTO partner.ledger_syncs (account, synced_at, first_day, last_day, live, is_reached)
          SELECT number, synced_at, first_day, last_day, live, is_reached FROM partner.ledger_accounts WHERE number = $1
          ON CONFLICT (account, synced_at) DO UPDATE SET first_day = excluded.first_day,
            last_day = excluded.last_day, live = excluded.live, is_reached = excluded.is_reached`,
        values: [account.number],
      },
    ]);
    return ended;
  }

  async accept(acceptance: Acceptance): Promise<void> {
    await this.#keep([insertAcceptance(acceptance, this.#host.clock.now())]);
  }

  async acceptClosure(account: LedgerAccount, word: ClosureWord): Promise<void> {
    await this.#keep([insertClosure(account, word, this.#host.clock.now())]);
  }

  async lapseClosure(account: LedgerAccount, seenAt: number): Promise<void> {
    await this.#keep([lapseClosure(account, seenAt)]);
  }

  override async close(): Promise<void> {
    try {
      await this.#release();
    } finally {
      await super.close();
    }
  }

  /**
   * Commits statements. A commit whose answer was lost is recognized by its id; a sync that lost its turn writes
   * nothing more.
   */
  async #keep(statements: readonly Statement[]): Promise<void> {
    const write = this.#host.ids.uuid();
    await this.database.write(async (transaction) => {
      const [[row] = []] = await transaction.run({ text: holderSql });
      if (row?.["last_write"] === write) return;
      if (row?.["holder"] !== this.#holder) throw lostTurn();
      for (let done = 0; done < statements.length; done += pieceStatements)
        await transaction.run(...statements.slice(done, done + pieceStatements));
      transaction.finish({ text: noteWrite, values: [write] });
    });
  }

  async #note({ number }: LedgerAccount, set: string, values: readonly PostgresValue[]): Promise<LedgerAccount> {
    await this.#keep([
      { text: `UPDATE partner.ledger_accounts SET ${set} WHERE number = $1`, values: [number, ...values] },
    ]);
    const [record] = await this.database.read(`SELECT * FROM (${accountsNow}) AS known WHERE number = $1`, [number]);
    return this.explained(() => accountOf(record));
  }
}

function texts(numbers: readonly number[]): readonly string[] {
  return numbers.map(String);
}

/** Keeps the old row, valid until `seenAt`. */
function shiftOf({ kind }: LedgerAccount, { number, old, row }: Shift, seenAt: number): readonly Statement[] {
  const balance = (each: Shift["row"]) => factsOf(each, kind).balance?.toString() ?? null;
  return [
    {
      text: `INSERT INTO partner.ledger_former (entry, until, raw, balance) VALUES ($1, $2, $3, $4::numeric)
        ON CONFLICT (entry, until) DO NOTHING`,
      values: [number, seenAt, encodeRow(old), balance(old)],
    },
    {
      text: "UPDATE partner.ledger_entries SET raw = $2, balance = $3::numeric WHERE number = $1",
      values: [number, encodeRow(row), balance(row)],
    },
  ];
}

function lostTurn(): Failure {
  return new Failure(
    "unavailable",
    "Another sync of the shared ledger has begun meanwhile; this one keeps nothing more.",
    {
      hint: "Run it again when the other one has ended: partner ledger sync",
    },
  );
}
