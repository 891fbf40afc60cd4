import type { Database } from "../../storage/sqlite/database.ts";
import type { Kept, Watch } from "./inbox.ts";
import { eventColumns, keptOf, numberIn, watchOf } from "./inbox-row.ts";
import type { WatchRow } from "./inbox-row.ts";

/** The mark of a receiver that ended normally. */
const ended = "";

const unshown = `SELECT ${eventColumns} FROM events
  WHERE number > :after AND reader = :watch AND state <> 'quarantined' ORDER BY number LIMIT :maxCount`;
/** Events that were released while no receiver ran. */
const unreadByAll = "reader = 0 AND state <> 'quarantined'";
const due = `SELECT ${eventColumns} FROM events
  WHERE courier = :watch AND due_at <= :now ORDER BY due_at, number LIMIT :maxCount`;

/** One receiver's part of an inbox in a SQLite database. */
export class SqliteWatch implements Watch {
  readonly number: number;
  readonly isFirst: boolean;
  readonly #database: Database;
  readonly #isGone: (mark: string) => boolean;
  #shown: number;
  #written: number;

  private constructor(
    database: Database,
    { number, shown, isFirst }: Omit<WatchRow, "mark"> & Pick<Watch, "isFirst">,
    isGone: (mark: string) => boolean,
  ) {
    this.#database = database;
    this.number = number;
    this.isFirst = isFirst;
    this.#shown = shown;
    this.#written = shown;
    this.#isGone = isGone;
  }

  static async begin(database: Database, mark: string, isGone: (mark: string) => boolean): Promise<SqliteWatch> {
    const isOver = (other: string) => other === ended || isGone(other);
    return database.commit(() => {
      const gone = database.all("SELECT number, mark, shown FROM watches").map((record) => watchOf(record));
      const inherited = gone.filter((watch) => isOver(watch.mark));
      const last = numberIn(database.get("SELECT max(number) FROM events")) ?? 0;
      // New events have higher numbers than all existing ones; inherited ones start where the others stopped.
      const unread = numberIn(database.get(`SELECT min(number) FROM events WHERE ${unreadByAll}`)) ?? Infinity;
      const shown = Math.min(last, unread - 1, ...inherited.map((watch) => watch.shown));
      const sql = "INSERT INTO watches (mark, shown) VALUES (:mark, :shown) RETURNING number";
      const number = numberIn(database.get(sql, { mark, shown })) ?? 0;
      for (const watch of inherited) inherit(database, watch, number);
      database.run(`UPDATE events SET reader = :number WHERE ${unreadByAll}`, { number });
      return new SqliteWatch(database, { number, shown, isFirst: last === 0 && gone.length === 0 }, isOver);
    });
  }

  unshown(after: number, maxCount: number): Promise<readonly Kept[]> {
    return this.#rows(unshown, { after: Math.max(after, this.#shown), maxCount });
  }

  noteShown(number: number): void {
    this.#shown = Math.max(this.#shown, number);
  }

  /** Writes the progress with the next commit of this turn of the event loop, where it costs no extra sync. */
  writeShownSoon(): void {
    if (this.#written === this.#shown) return;
    // A failure only means that events are shown again after a crash.
    this.flush().catch(() => undefined);
  }

  async flush(): Promise<void> {
    if (this.#written === this.#shown) return;
    this.#written = this.#shown;
    await this.#database.commitStatement("UPDATE watches SET shown = ?1 WHERE number = ?2", [this.#shown, this.number]);
  }

  due(now: number, maxCount: number): Promise<readonly Kept[]> {
    return this.#rows(due, { now, maxCount });
  }

  async nextDueAt(now: number): Promise<number | undefined> {
    const sql = "SELECT min(due_at) FROM events WHERE courier = :watch AND due_at > :now";
    return numberIn(this.#database.get(sql, { watch: this.number, now }));
  }

  async adopt(now: number, latest: number): Promise<void> {
    const sql = "SELECT DISTINCT courier FROM events WHERE due_at IS NOT NULL AND courier <> :own";
    const couriers = this.#database.all(sql, { own: this.number }).flatMap((record) => numberIn(record) ?? []);
    if (couriers.length > 0)
      await this.#database.commit(() => {
        for (const courier of couriers) if (this.#isLost(courier)) this.#take(courier);
      });
    if ((await this.nextDueAt(latest)) === undefined) return;
    const hasten = "UPDATE events SET due_at = :now WHERE courier = :own AND due_at > :latest";
    await this.#database.commit(() => this.#database.run(hasten, { own: this.number, now, latest }));
  }

  /** Leaves what it did not show or deliver to other receivers. */
  async end(): Promise<void> {
    await this.#database.commit(() => {
      const parameters = { number: this.number, shown: this.#shown, ended };
      this.#database.run("UPDATE watches SET mark = :ended, shown = :shown WHERE number = :number", parameters);
    });
  }

  /** Only committed events are read: these are shown and delivered. */
  async #rows(sql: string, parameters: Readonly<Record<string, number>>): Promise<readonly Kept[]> {
    await this.#database.settled();
    const records = this.#database.all(sql, { ...parameters, watch: this.number });
    return this.#database.attempt(() => records.map((record) => keptOf(record)));
  }

  #isLost(courier: number): boolean {
    const record = this.#database.get("SELECT number, mark, shown FROM watches WHERE number = :courier", { courier });
    return record === undefined || this.#isGone(watchOf(record).mark);
  }

  #take(courier: number): void {
    const sql = "UPDATE events SET courier = :own WHERE courier = :courier AND due_at IS NOT NULL";
    this.#database.run(sql, { own: this.number, courier });
  }
}

/** Takes over what another receiver did not show, and removes that receiver. `adopt` takes over its deliveries. */
function inherit(database: Database, { number: gone, shown }: WatchRow, own: number): void {
  const sql = "UPDATE events SET reader = :own WHERE number > :shown AND reader = :gone";
  database.run(sql, { gone, shown, own });
  database.run("DELETE FROM watches WHERE number = :gone", { gone });
}
