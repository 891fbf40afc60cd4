import type { JsonObject } from "../../../values/json.ts";
import type { LedgerAccount } from "../../ledger.ts";
import type { PlaceRange } from "../../places.ts";
import type { Appender } from "../../writer.ts";
import { entryOf } from "./entry.ts";
import type { EntryBulk } from "./entry-bulk.ts";
import type { Followed } from "../proof/followed.ts";
import { Following } from "../proof/followed.ts";

/** Rows that are committed in one go: a kill loses a second of work. */
const groupRows = 200_000;
/** A long history, for which starting a thread is worth it. */
const longRows = 3_000;

export interface Appending {
  readonly account: LedgerAccount;
  readonly place: PlaceRange;
  /** Where rows are written; and where a long history is, if elsewhere. */
  readonly bulk: EntryBulk;
  readonly longBulk: () => Promise<EntryBulk | undefined>;
  /** Called with committed rows whose balances follow each other. */
  readonly onFollowed: (stretches: readonly Followed[]) => void;
}

/** Adds consecutive rows, and commits them in groups. */
export class SqliteEntryAppender implements Appender {
  readonly #of: Appending;
  readonly #following = new Following();
  #bulk: EntryBulk;
  #isLong = false;
  #place: number;
  /** How many are not committed yet. */
  #rows = 0;
  /** Resolves when the group before those is committed. */
  #committed: Promise<void> | undefined;

  constructor(of: Appending) {
    this.#of = of;
    this.#bulk = of.bulk;
    this.#place = of.place.after;
  }

  async add(rows: readonly JsonObject[]): Promise<void> {
    const { account, place } = this.#of;
    for (const row of rows) {
      const entry = entryOf(row, account);
      this.#place += place.step;
      this.#following.look(entry, this.#place);
      this.#bulk.add(entry, this.#place);
    }
    this.#rows += rows.length;
    if (this.#rows >= groupRows) await this.#beginCommit();
    else if (this.#rows >= longRows && !this.#isLong) await this.#switchToLongBulk();
    else await this.#bulk.hasRoom();
  }

  async end(): Promise<void> {
    await this.#commit();
    await this.#bulk.close();
  }

  async drop(): Promise<void> {
    await this.#bulk.close();
  }

  async #commit(): Promise<void> {
    await this.#beginCommit();
    await this.#committed;
  }

  /** Further rows are read while a thread commits those before them. */
  async #beginCommit(): Promise<void> {
    await this.#committed;
    const stretches = this.#following.take();
    this.#rows = 0;
    this.#committed = this.#end(stretches);
    // Whoever awaits it next gets the error; until then it must not count as unhandled.
    this.#committed.catch(() => undefined);
  }

  async #end(stretches: readonly Followed[]): Promise<void> {
    await this.#bulk.commit();
    this.#of.onFollowed(stretches);
  }

  async #switchToLongBulk(): Promise<void> {
    this.#isLong = true;
    const bulk = await this.#of.longBulk();
    if (bulk === undefined) return;
    await this.#commit();
    await this.#bulk.close();
    this.#bulk = bulk;
  }
}
