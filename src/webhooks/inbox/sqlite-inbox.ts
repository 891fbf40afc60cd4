import { hash } from "node:crypto";
import type { ProcessFate } from "../../host/process/process-mark.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import { RejectedWebhooks } from "./rejected.ts";
import type {
  Arrival,
  DeliveryOutcome,
  EventState,
  Inbox,
  InboxSize,
  Kept,
  KeptFilter,
  RejectedWebhook,
  Watch,
} from "./inbox.ts";
import type { NewRow } from "./inbox-row.ts";
import { arrivalRow, eventColumns, idIn, keptOf, numberIn, eventPage, quarantinedRow } from "./inbox-row.ts";
import { SqliteEventTrail } from "./sqlite-trail.ts";
import { SqliteWatch } from "./sqlite-watch.ts";
import { nameOf, storable, storableOrNull } from "./stored-text.ts";

/** Few enough for the memory, even if each is as large as a body may be. */
const pageMaxRows = 50;
/** A page is searched in at most this many rows, since writers wait meanwhile. */
const windowRows = 5_000;
const rareStates: ReadonlySet<EventState> = new Set(["failed", "quarantined"]);

/** Reader or courier of an event without one: the next receiver takes it over. */
const noWatch = 0;
const pruneStep = 2_000;

const insert = `INSERT INTO events
  (id, state, received_at, request_id, timestamp, body, attempts, due_at, wanted_at, tries, problem, reader, courier)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?7, 0, ?8, ?9, ?9
  WHERE NOT EXISTS (SELECT 1 FROM pruned WHERE hash = ?10)
  ON CONFLICT (id) DO NOTHING`;
const old = "number > :from AND number <= :to AND received_at < :before AND due_at IS NULL";
/** A released event is shown by the newest running receiver, or by the next one. */
const release = `UPDATE events SET
  number = 1 + max((SELECT max(number) FROM events), (SELECT seq FROM sqlite_sequence WHERE name = 'events')),
  state = 'new', due_at = :dueAt, wanted_at = :dueAt, tries = 0, problem = NULL, courier = ${noWatch},
  reader = coalesce((SELECT max(number) FROM watches WHERE mark <> ''), ${noWatch})
  WHERE number = :number AND state = 'quarantined'`;

/** The hash that is kept of a pruned event's id. */
function hashOf(id: string): Uint8Array {
  return hash("sha256", id, "buffer");
}

/** An inbox in a SQLite database on this machine's own disk. */
export class SqliteInbox implements Inbox {
  readonly #database: Database;
  readonly #forged: RejectedWebhooks;
  #watch: SqliteWatch | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#forged = new RejectedWebhooks(database);
  }

  store(arrival: Arrival): Promise<number | undefined> {
    return this.#insert(arrivalRow(arrival));
  }

  quarantine(rejected: RejectedWebhook): Promise<number | undefined> {
    return this.#insert(quarantinedRow(rejected));
  }

  keepForged(rejected: RejectedWebhook): Promise<void> {
    const requestId = storableOrNull(rejected.requestId);
    return this.#database.commit(() => this.#forged.keep(nameOf("forged", rejected.body), { ...rejected, requestId }));
  }

  async find(id: string): Promise<Kept | undefined> {
    const record = this.#database.get(`SELECT ${eventColumns} FROM events WHERE id = :id`, { id: storable(id) });
    return record === undefined ? this.#forged.find(id) : this.#database.attempt(() => keptOf(record));
  }

  async *list({ states }: KeptFilter = {}): AsyncGenerator<Kept> {
    const wanted = states?.filter((state) => state !== "forged");
    if (wanted === undefined || wanted.length > 0) yield* readEvents(this.#database, wanted);
    if (states?.includes("forged") !== false) yield* this.#forged.all();
  }

  trail(): SqliteEventTrail {
    return new SqliteEventTrail(this.#database);
  }

  async size(): Promise<InboxSize> {
    const [pages, pageBytes] = [this.#database.value("PRAGMA page_count"), this.#database.value("PRAGMA page_size")];
    const oldest = this.#database.get("SELECT received_at FROM events ORDER BY number LIMIT 1");
    return { bytes: Number(pages) * Number(pageBytes), oldestAt: numberIn(oldest) };
  }

  async prune(before: number): Promise<number> {
    const last = numberIn(this.#database.get("SELECT max(number) FROM events")) ?? 0;
    let count = await this.#database.commit(() => this.#forged.prune(before));
    // In steps, so that others can write in between.
    for (let from = 0; from < last; from += pruneStep)
      count += await this.#database.commit(() => this.#pruneStep({ from, to: from + pruneStep, before }));
    return count;
  }

  #pruneStep(which: Readonly<Record<"from" | "to" | "before", number>>): number {
    for (const row of this.#database.all(`SELECT id FROM events WHERE ${old}`, which))
      this.#database.run("INSERT INTO pruned VALUES (:hash) ON CONFLICT DO NOTHING", { hash: hashOf(idIn(row)) });
    return this.#database.run(`DELETE FROM events WHERE ${old}`, which);
  }

  settle(number: number, { state, dueAt, problem }: DeliveryOutcome): Promise<void> {
    const sql = `UPDATE events SET state = iif(state = 'delivered', state, :state),
      due_at = iif(state = 'delivered', NULL, :dueAt), problem = :problem, attempts = attempts + 1, tries = tries + 1
      WHERE number = :number`;
    return this.#change(sql, { number, state, dueAt, problem });
  }

  requeue(number: number, dueAt: number): Promise<void> {
    const sql = `UPDATE events SET state = 'new', due_at = :dueAt, wanted_at = :dueAt, tries = 0, courier = ${noWatch} WHERE number = :number`;
    return this.#change(sql, { number, dueAt });
  }

  release(number: number, dueAt: number): Promise<void> {
    return this.#change(release, { number, dueAt });
  }

  async watch(mark: string, fateOf: (mark: string) => ProcessFate): Promise<Watch> {
    // On a single machine, an unknown process can't be one of ours.
    const isGone = (other: string) => fateOf(other) !== "running";
    return (this.#watch ??= await SqliteWatch.begin(this.#database, mark, isGone));
  }

  async close(): Promise<void> {
    try {
      // A failed write is ignored: then events are shown again.
      await this.#watch?.end().catch(() => undefined);
      await this.#database.settled();
    } finally {
      this.#database.close();
    }
  }

  #insert(row: NewRow): Promise<number | undefined> {
    this.#watch?.writeShownSoon();
    return this.#database.commitStatement(insert, [...row, this.#watch?.number ?? noWatch, hashOf(row[0])]);
  }

  async #change(sql: string, parameters: Readonly<Record<string, string | number | null>>): Promise<void> {
    await this.#database.commit(() => this.#database.run(sql, parameters));
  }
}

/** The events in those states, in order of arrival. */
function* readEvents(database: Database, states: readonly EventState[] | undefined): Generator<Kept> {
  const isRare = states?.every((state) => rareStates.has(state)) === true;
  const last = numberIn(database.get("SELECT max(number) FROM events")) ?? 0;
  // The states are the program's own words, never typed by a person.
  const condition = states === undefined ? "" : `AND state IN (${states.map((state) => `'${state}'`).join(", ")})`;
  const window = isRare ? "" : "AND number <= :after + :window";
  const sql = `SELECT ${eventColumns} FROM events WHERE number > :after ${window} ${condition} ORDER BY number LIMIT ${pageMaxRows}`;
  for (let after = 0; after < last;) {
    const records = database.all(sql, isRare ? { after } : { after, window: windowRows });
    const page = database.attempt(() => eventPage(records, after));
    yield* page;
    const isFull = page.length === pageMaxRows;
    after = isFull ? (page.at(-1)?.number ?? last) : isRare ? last : after + windowRows;
  }
}
