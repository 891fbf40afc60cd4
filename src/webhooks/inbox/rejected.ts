import type { Database } from "../../storage/sqlite/database.ts";
import type { Kept, RejectedWebhook } from "./inbox.ts";
import { forgedColumns, keptOf, numberIn } from "./inbox-row.ts";

/** Anyone can post bodies: only the newest are kept, up to these limits. */
export const forgedMaxCount = 1_000;
export const forgedMaxBytes = 16 * 1024 * 1024;

const insert = `INSERT INTO forged (id, received_at, request_id, body, problem)
  VALUES (:id, :receivedAt, :requestId, :body, :problem) ON CONFLICT (id) DO NOTHING RETURNING number`;

/**
 * The part of the inbox for bodies that the service did not sign. Its methods write within the caller's transaction.
 */
export class RejectedWebhooks {
  readonly #database: Database;
  /** As far as this process knows; recounted when it seems too much. */
  #bytes: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  keep(id: string, { receivedAt, requestId, body, problem }: RejectedWebhook): void {
    const number = numberIn(this.#database.get(insert, { id, receivedAt, requestId, body, problem }));
    if (number === undefined) return;
    this.#database.run("DELETE FROM forged WHERE number <= :last", { last: number - forgedMaxCount });
    this.#bytes = (this.#bytes ?? this.#count()) + body.length;
    if (this.#bytes > forgedMaxBytes) this.#makeRoom();
  }

  find(id: string): Kept | undefined {
    const record = this.#database.get(`SELECT ${forgedColumns} FROM forged WHERE id = :id`, { id });
    return record === undefined ? undefined : this.#database.attempt(() => keptOf(record));
  }

  *all(): Generator<Kept> {
    let after = 0;
    for (;;) {
      const sql = `SELECT ${forgedColumns} FROM forged WHERE number > :after ORDER BY number LIMIT 1`;
      const record = this.#database.get(sql, { after });
      if (record === undefined) return;
      const kept = this.#database.attempt(() => keptOf(record));
      yield kept;
      after = kept.number;
    }
  }

  /** @returns how many it removed */
  prune(before: number): number {
    this.#bytes = undefined;
    return this.#database.run("DELETE FROM forged WHERE received_at < :before", { before });
  }

  #makeRoom(): void {
    for (let bytes = this.#count(); ; bytes = this.#count()) {
      this.#bytes = bytes;
      if (bytes <= forgedMaxBytes) return;
      // A tenth at a time: counting costs more than removing.
      this.#database.run(
        `DELETE FROM forged WHERE number IN
          (SELECT number FROM forged ORDER BY number LIMIT max(1, (SELECT count(*) FROM forged) / 10))`,
      );
    }
  }

  #count(): number {
    return numberIn(this.#database.get("SELECT sum(length(body)) FROM forged")) ?? 0;
  }
}
