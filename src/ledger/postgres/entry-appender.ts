import type { Statement } from "../../host/databases/postgres.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { PlaceRange } from "../places.ts";
import type { Appender } from "../writer.ts";
import type { PlacedRow } from "./entry-batch.ts";
import { entryBatch } from "./entry-batch.ts";

/** Rows that are committed in one go. */
const groupRows = 5_000;

/** Commits statements, all or none. */
type Keep = (statements: readonly Statement[]) => Promise<void>;

/** Adds consecutive rows, and commits them in groups. */
export class PostgresEntryAppender implements Appender {
  readonly #keep: Keep;
  readonly #account: LedgerAccount;
  readonly #step: number;
  readonly #seenAt: number;
  #place: number;
  #rows: PlacedRow[] = [];

  constructor(
    keep: Keep,
    of: { readonly account: LedgerAccount; readonly place: PlaceRange; readonly seenAt: number },
  ) {
    this.#keep = keep;
    this.#account = of.account;
    this.#place = of.place.after;
    this.#step = of.place.step;
    this.#seenAt = of.seenAt;
  }

  async add(rows: readonly JsonObject[]): Promise<void> {
    for (const row of rows) {
      this.#rows.push({ row, place: (this.#place += this.#step) });
      if (this.#rows.length >= groupRows) await this.end();
    }
  }

  async end(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 0) await this.#keep([entryBatch(this.#account, rows, this.#seenAt)]);
  }

  drop(): void {
    this.#rows = [];
  }
}
