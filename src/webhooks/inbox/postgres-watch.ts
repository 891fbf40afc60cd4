import type { Host } from "../../host/host.ts";
import type { ProcessFate } from "../../host/process/process-mark.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { Kept, Watch } from "./inbox.ts";
import { eventColumns, numberIn, watchOf } from "./inbox-row.ts";
import { keptRows } from "./postgres-kept.ts";

/** The mark of a receiver that ended normally. */
const ended = "";
/** How long a receiver on another host counts as alive after it renewed its lease. */
const leaseSeconds = 60;
const renewAfterMs = 15_000;

const unshown = `SELECT ${eventColumns} FROM partner.inbox_events
  WHERE number > $1 AND reader = $2 AND state <> 'quarantined' ORDER BY number LIMIT $3`;
/** Events that were released while no receiver ran. */
const unreadByAll = "reader = 0 AND state <> 'quarantined'";
const due = `SELECT ${eventColumns} FROM partner.inbox_events
  WHERE courier = $2 AND due_at <= $1 ORDER BY due_at, number LIMIT $3`;
const others = `SELECT number, mark, shown, alive_until < clock_timestamp() AS is_over FROM partner.inbox_watches`;
/** Only one receiver at a time takes over from others. */
const inheritLock = "LOCK TABLE partner.inbox_watches IN SHARE ROW EXCLUSIVE MODE";
/** Inserts the watch again where another receiver believed it had ended. */
const renew = `INSERT INTO partner.inbox_watches (number, mark, shown, alive_until)
  VALUES ($1, $2, $3, clock_timestamp() + interval '${leaseSeconds} seconds')
  ON CONFLICT (number) DO UPDATE SET shown = excluded.shown, alive_until = excluded.alive_until`;

export interface WatchParts {
  readonly mark: string;
  readonly fateOf: (mark: string) => ProcessFate;
}

/** One receiver's part of an inbox that several hosts share. */
export class SharedWatch implements Watch {
  readonly number: number;
  readonly isFirst: boolean;
  readonly #database: SharedDatabase;
  readonly #parts: WatchParts;
  readonly #ending = new AbortController();
  #shown: number;
  #written: number;

  private constructor(
    database: SharedDatabase,
    { number, shown, isFirst }: Pick<Watch, "isFirst"> & { readonly number: number; readonly shown: number },
    parts: WatchParts,
  ) {
    this.#database = database;
    this.number = number;
    this.isFirst = isFirst;
    this.#shown = shown;
    this.#written = shown;
    this.#parts = parts;
  }

  static async begin(host: Pick<Host, "clock">, database: SharedDatabase, parts: WatchParts): Promise<SharedWatch> {
    const watch = await database.write(async (transaction, attempt) => {
      const [, records = [], last, unread] = await transaction.run(
        { text: inheritLock },
        { text: `${others} FOR UPDATE`, values: [] },
        { text: "SELECT coalesce(max(number), 0) FROM partner.inbox_events", values: [] },
        { text: `SELECT min(number) FROM partner.inbox_events WHERE ${unreadByAll}`, values: [] },
      );
      const gone = records
        .filter((record) => isOver(record, parts) || (attempt > 1 && isOwn(record, parts)))
        .map((record) => watchOf(record));
      const lastNumber = numberIn(last?.[0]) ?? 0;
      const firstUnread = numberIn(unread?.[0]) ?? Infinity;
      const shown = Math.min(lastNumber, firstUnread - 1, ...gone.map((each) => each.shown));
      const insert = `INSERT INTO partner.inbox_watches (mark, shown, alive_until)
        VALUES ($1, $2, clock_timestamp() + interval '${leaseSeconds} seconds') RETURNING number`;
      const [[own] = []] = await transaction.run({ text: insert, values: [parts.mark, shown] });
      const number = numberIn(own) ?? 0;
      transaction.finish(
        ...gone.flatMap((each) => [
          {
            text: "UPDATE partner.inbox_events SET reader = $1 WHERE number > $2 AND reader = $3",
            values: [number, each.shown, each.number],
          },
          { text: "DELETE FROM partner.inbox_watches WHERE number = $1", values: [each.number] },
        ]),
        { text: `UPDATE partner.inbox_events SET reader = $1 WHERE ${unreadByAll}`, values: [number] },
      );
      return new SharedWatch(database, { number, shown, isFirst: lastNumber === 0 && records.length === 0 }, parts);
    });
    void watch.#stayAlive(host);
    return watch;
  }

  async unshown(after: number, maxCount: number): Promise<readonly Kept[]> {
    return this.#rows(unshown, Math.max(after, this.#shown), maxCount);
  }

  noteShown(number: number): void {
    this.#shown = Math.max(this.#shown, number);
  }

  async flush(): Promise<void> {
    if (this.#written !== this.#shown) await this.#renew();
  }

  async due(now: number, maxCount: number): Promise<readonly Kept[]> {
    return this.#rows(due, now, maxCount);
  }

  async nextDueAt(now: number): Promise<number | undefined> {
    const sql = "SELECT min(due_at) FROM partner.inbox_events WHERE courier = $1 AND due_at > $2";
    const [record] = await this.#database.read(sql, [this.number, now]);
    return numberIn(record);
  }

  async adopt(now: number, latest: number): Promise<void> {
    await this.#adoptLost();
    if ((await this.nextDueAt(latest)) === undefined) return;
    const text = "UPDATE partner.inbox_events SET due_at = $2 WHERE courier = $1 AND due_at > $3";
    await this.#database.write((transaction) => transaction.run({ text, values: [this.number, now, latest] }));
  }

  async #adoptLost(): Promise<void> {
    const sql = "SELECT DISTINCT courier FROM partner.inbox_events WHERE due_at IS NOT NULL AND courier <> $1";
    const couriers = (await this.#database.read(sql, [this.number])).flatMap((record) => numberIn(record) ?? []);
    if (couriers.length === 0) return;
    await this.#database.write(async (transaction) => {
      const [, records = []] = await transaction.run({ text: inheritLock }, { text: others, values: [] });
      const alive = new Set(
        records.filter((record) => !isOver(record, this.#parts)).map((record) => watchOf(record).number),
      );
      const take = "UPDATE partner.inbox_events SET courier = $1 WHERE courier = $2 AND due_at IS NOT NULL";
      const lost = couriers.filter((courier) => !alive.has(courier));
      transaction.finish(...lost.map((courier) => ({ text: take, values: [this.number, courier] })));
    });
  }

  /** Leaves what it did not show or deliver to other receivers. */
  async end(): Promise<void> {
    this.#ending.abort();
    const text = "UPDATE partner.inbox_watches SET mark = $2, shown = $3 WHERE number = $1";
    await this.#database.write(async (transaction) => {
      await transaction.run({ text, values: [this.number, ended, this.#shown] });
    });
  }

  /** Renews the lease periodically; where the server is unavailable, later. */
  async #stayAlive({ clock }: Pick<Host, "clock">): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await clock.sleep(renewAfterMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#renew().catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const shown = this.#shown;
    const values = [this.number, this.#parts.mark, shown];
    await this.#database.write((transaction) => transaction.run({ text: renew, values }));
    this.#written = shown;
  }

  async #rows(text: string, first: number, maxCount: number): Promise<readonly Kept[]> {
    return keptRows(this.#database, await this.#database.read(text, [first, this.number, maxCount]));
  }
}

/** True for a record of a first attempt whose answer was lost. */
function isOwn(record: Readonly<Record<string, unknown>>, { mark }: WatchParts): boolean {
  return watchOf(record).mark === mark;
}

/**
 * True where the receiver has ended. A process on this machine can be checked; for another host, only the lease counts.
 */
function isOver(record: Readonly<Record<string, unknown>>, { fateOf }: WatchParts): boolean {
  const { mark } = watchOf(record);
  if (mark === ended) return true;
  const fate = fateOf(mark);
  return fate === "ended" || (fate === "unclear" && record["is_over"] === true);
}
