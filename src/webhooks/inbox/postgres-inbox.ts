import type { Host } from "../../host/host.ts";
import type { PostgresRecord, PostgresValue, Statement } from "../../host/databases/postgres.ts";
import type { ProcessFate } from "../../host/process/process-mark.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { forgedMaxBytes, forgedMaxCount } from "./rejected.ts";
import type { Arrival, Inbox, InboxSize, Kept, KeptFilter, RejectedWebhook, DeliveryOutcome, Watch } from "./inbox.ts";
import type { NewRow } from "./inbox-row.ts";
import { arrivalRow, eventColumns, forgedColumns, numberIn, quarantinedRow } from "./inbox-row.ts";
import { numbersHolding } from "../../storage/postgres/text-hints.ts";
import type { TextHints } from "../../values/text/text-hints.ts";
import { keptRows } from "./postgres-kept.ts";
import { SharedWatch } from "./postgres-watch.ts";
import { nameOf, storable, storableOrNull } from "./stored-text.ts";

/** Reader or courier of an event without one: the next receiver takes it over. */
const noWatch = 0;
/** Few enough for the memory, even if each is as large as a body may be. */
const pageMaxRows = 50;
const pruneStep = 2_000;
/** All texts that an event can be found by, byte by byte. A body with a zero byte isn't JSON, and adds none. */
const textsSql = String.raw`concat_ws(' ', id, request_id,
  CASE WHEN position('\x00'::bytea IN body) > 0 THEN '' ELSE convert_from(body, 'LATIN1') END)`;
/** Arrivals during a commit share the next one, up to this number. */
const groupMaxCount = 200;
/** A receiver that waits longer than this answers with an error, and the sender tries again. */
const storePatienceMs = 2_000;

const insert = `INSERT INTO partner.inbox_events
  (id, state, received_at, request_id, timestamp, body, attempts, due_at, wanted_at, tries, problem, reader, courier)
  SELECT $1::text, $2::text, $3::bigint, $4::text, $5::text, $6::bytea, 0, $7::bigint, $7::bigint, 0, $8::text,
    $9::bigint, $9::bigint
  WHERE NOT EXISTS (SELECT FROM partner.inbox_pruned WHERE hash = sha256(convert_to($1::text, 'UTF8')))
  ON CONFLICT (id) DO NOTHING RETURNING number`;
const old = `SELECT number FROM partner.inbox_events WHERE received_at < $1 AND due_at IS NULL
  ORDER BY number LIMIT ${pruneStep}`;
const pruneEvents = `WITH gone AS (DELETE FROM partner.inbox_events WHERE number IN (${old}) RETURNING id),
  known AS (INSERT INTO partner.inbox_pruned SELECT sha256(convert_to(id, 'UTF8')) FROM gone ON CONFLICT DO NOTHING)
  SELECT count(*)::bigint FROM gone`;
/** A released event is shown by the newest running receiver, or by the next one. */
const release = `UPDATE partner.inbox_events SET number = DEFAULT, state = 'new', due_at = $2::bigint,
  wanted_at = $2::bigint, tries = 0, problem = NULL, courier = ${noWatch}, reader = coalesce(
    (SELECT max(number) FROM partner.inbox_watches WHERE mark <> '' AND alive_until > clock_timestamp()), ${noWatch})
  WHERE number = $1 AND state = 'quarantined'`;
const insertForged = `INSERT INTO partner.inbox_forged (id, received_at, request_id, body, problem)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`;
/** Keeps the newest ones within the limit. */
const trimForged = `DELETE FROM partner.inbox_forged WHERE number IN (
  SELECT number FROM (
    SELECT number, sum(octet_length(body)) OVER newest AS bytes, row_number() OVER newest AS place
    FROM partner.inbox_forged WINDOW newest AS (ORDER BY number DESC)
  ) AS kept WHERE bytes > ${forgedMaxBytes} OR place > ${forgedMaxCount})`;

interface Job {
  readonly statement: Statement;
  /** True where the limits have to be enforced afterwards, once for all statements of a commit. */
  readonly trims: boolean;
  readonly done: (rows: readonly PostgresRecord[]) => void;
  readonly failed: (error: unknown) => void;
}

/** An inbox in a PostgreSQL database, which several hosts share. */
export class SharedInbox implements Inbox {
  readonly #host: Pick<Host, "clock">;
  readonly #database: SharedDatabase;
  #jobs: Job[] = [];
  #flushing: Promise<void> | undefined;
  #watch: SharedWatch | undefined;

  constructor(host: Pick<Host, "clock">, database: SharedDatabase) {
    this.#host = host;
    this.#database = database;
  }

  store(arrival: Arrival): Promise<number | undefined> {
    return this.#insert(arrivalRow(arrival));
  }

  quarantine(rejected: RejectedWebhook): Promise<number | undefined> {
    return this.#insert(quarantinedRow(rejected));
  }

  async keepForged({ body, receivedAt, requestId, problem }: RejectedWebhook): Promise<void> {
    const values = [nameOf("forged", body), receivedAt, storableOrNull(requestId), body, problem];
    await this.#commit({ text: insertForged, values }, true);
  }

  async find(id: string): Promise<Kept | undefined> {
    const values = [storable(id)];
    const [event] = await this.#read(`SELECT ${eventColumns} FROM partner.inbox_events WHERE id = $1`, values);
    if (event !== undefined) return event;
    const [forged] = await this.#read(`SELECT ${forgedColumns} FROM partner.inbox_forged WHERE id = $1`, values);
    return forged;
  }

  async *list({ states, holding }: KeptFilter = {}): AsyncGenerator<Kept> {
    const wanted = states?.filter((state) => state !== "forged");
    // The states are the program's own words, never typed by a person.
    const condition = wanted === undefined ? "" : `AND state IN (${wanted.map((state) => `'${state}'`).join(", ")})`;
    const select = `SELECT ${eventColumns} FROM partner.inbox_events WHERE number > $1 ${condition}`;
    if (holding !== undefined) yield* this.#holding(condition, holding);
    else if (wanted === undefined || wanted.length > 0) yield* this.#pages(select);
    if (states?.includes("forged") !== false)
      yield* this.#pages(`SELECT ${forgedColumns} FROM partner.inbox_forged WHERE number > $1`);
  }

  trail(): undefined {
    return undefined;
  }

  async size(): Promise<InboxSize> {
    const [bytes] = await this.#database.read(
      "SELECT pg_total_relation_size('partner.inbox_events') + pg_total_relation_size('partner.inbox_forged')",
    );
    const [oldest] = await this.#database.read("SELECT received_at FROM partner.inbox_events ORDER BY number LIMIT 1");
    return { bytes: numberIn(bytes) ?? 0, oldestAt: numberIn(oldest) };
  }

  async prune(before: number): Promise<number> {
    let count = await this.#pruneForged(before);
    for (;;) {
      // In steps, so that none takes too long.
      const removed = numberIn((await this.#commit({ text: pruneEvents, values: [before] }))[0]) ?? 0;
      count += removed;
      if (removed < pruneStep) return count;
    }
  }

  async settle(number: number, { state, dueAt, problem }: DeliveryOutcome): Promise<void> {
    const text = `UPDATE partner.inbox_events SET
      state = CASE WHEN state = 'delivered' THEN state ELSE $2 END,
      due_at = CASE WHEN state = 'delivered' THEN NULL ELSE $3::bigint END, problem = $4,
      attempts = attempts + 1, tries = tries + 1 WHERE number = $1`;
    await this.#commit({ text, values: [number, state, dueAt, problem] });
  }

  async requeue(number: number, dueAt: number): Promise<void> {
    const text = `UPDATE partner.inbox_events SET state = 'new', due_at = $2::bigint, wanted_at = $2::bigint, tries = 0,
      courier = ${noWatch} WHERE number = $1`;
    await this.#commit({ text, values: [number, dueAt] });
  }

  async release(number: number, dueAt: number): Promise<void> {
    await this.#commit({ text: release, values: [number, dueAt] });
  }

  async watch(mark: string, fateOf: (mark: string) => ProcessFate): Promise<Watch> {
    return (this.#watch ??= await SharedWatch.begin(this.#host, this.#database, { mark, fateOf }));
  }

  async close(): Promise<void> {
    await this.#flushing;
    try {
      // A failed write is ignored: then events are shown again.
      await this.#watch?.end().catch(() => undefined);
    } finally {
      await this.#database.close();
    }
  }

  async #insert(row: NewRow): Promise<number | undefined> {
    const [record] = await this.#commit({ text: insert, values: [...row, this.#watch?.number ?? noWatch] });
    return numberIn(record);
  }

  async #pruneForged(before: number): Promise<number> {
    const text = "DELETE FROM partner.inbox_forged WHERE received_at < $1 RETURNING number";
    return (await this.#commit({ text, values: [before] })).length;
  }

  /**
   * Commits a statement, with all others that wait.
   * @returns its rows
   */
  #commit(statement: Statement, trims = false): Promise<readonly PostgresRecord[]> {
    return new Promise((done, failed) => {
      this.#jobs.push({ statement, trims, done, failed });
      this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    });
  }

  async #flush(): Promise<void> {
    while (this.#jobs.length > 0) {
      // Waits for everything else in this turn of the event loop.
      await Promise.resolve();
      const jobs = this.#jobs.splice(0, groupMaxCount);
      try {
        const trims = jobs.some((job) => job.trims) ? [{ text: trimForged, values: [] }] : [];
        const answers = await this.#database.write(
          (transaction) => transaction.run(...jobs.map(({ statement }) => statement), ...trims),
          storePatienceMs,
        );
        for (const [at, { done }] of jobs.entries()) done(answers[at] ?? []);
      } catch (error) {
        for (const { failed } of jobs) failed(error);
      }
    }
  }

  async *#holding(condition: string, holding: TextHints): AsyncGenerator<Kept> {
    const read = (text: string, values: readonly PostgresValue[]) => this.#database.read(text, values);
    const held = { table: "partner.inbox_events", text: textsSql, where: `true ${condition}`, values: [] };
    const select = `SELECT ${eventColumns} FROM partner.inbox_events WHERE number = ANY ($1::bigint[]) ORDER BY number`;
    for await (const numbers of numbersHolding(read, held, holding))
      for (let at = 0; at < numbers.length; at += pageMaxRows)
        yield* await this.#read(select, [numbers.slice(at, at + pageMaxRows).map(String)]);
  }

  async *#pages(select: string): AsyncGenerator<Kept> {
    for (let after = 0; ;) {
      const page = await this.#read(`${select} ORDER BY number LIMIT ${pageMaxRows}`, [after]);
      yield* page;
      if (page.length < pageMaxRows) return;
      after = page.at(-1)?.number ?? after;
    }
  }

  async #read(text: string, values: readonly PostgresValue[]): Promise<readonly Kept[]> {
    return keptRows(this.#database, await this.#database.read(text, values));
  }
}
