import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { allowed } from "../refusals.ts";
import type { PublicKey } from "./public-key.ts";

const listSql = `SELECT k.number, k.public_key, k.comment, k.owned_by, k.added_at, r.removed_by, r.removed_at,
    k.owned_by = session_user AS is_mine FROM partner.signing_keys k LEFT JOIN partner.removed_keys r ON r.key = k.number ORDER BY k.number`;
const addSql = "INSERT INTO partner.signing_keys (public_key, comment, who) VALUES ($1, $2, $3)";
const removeSql = "INSERT INTO partner.removed_keys (key, who) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";

/** A registered key. Times are milliseconds since 1970 UTC. */
export interface SigningKey {
  readonly number: number;
  /** Type and key. */
  readonly text: string;
  readonly comment: string;
  /** The role in the database. */
  readonly by: string;
  readonly at: number;
  readonly removed: { readonly by: string; readonly at: number } | undefined;
  /** True where it belongs to the role that asks. */
  readonly isMine: boolean;
}

/** The keys that approvals are signed with. */
export class KeyStore {
  readonly #database: SharedDatabase;
  readonly #who: string;

  constructor(database: SharedDatabase, who: string) {
    this.#database = database;
    this.#who = who;
  }

  /** All that were ever registered, the oldest first. */
  async list(): Promise<readonly SigningKey[]> {
    const records = await this.#database.read(listSql);
    return records.map((record) => ({
      number: Number(record["number"]),
      text: String(record["public_key"]),
      comment: String(record["comment"]),
      by: String(record["owned_by"]),
      at: Number(record["added_at"]),
      removed:
        typeof record["removed_by"] === "string"
          ? { by: record["removed_by"], at: Number(record["removed_at"]) }
          : undefined,
      isMine: record["is_mine"] === true,
    }));
  }

  /** @throws {Failure} setup where this role may not */
  add({ text, comment }: PublicKey): Promise<void> {
    return this.#write(addSql, [text, comment, this.#who]);
  }

  /** @throws {Failure} setup where the key is another person's */
  remove({ number }: SigningKey): Promise<void> {
    return this.#write(removeSql, [number, this.#who]);
  }

  #write(text: string, values: readonly (string | number)[]): Promise<void> {
    const write = () => this.#database.write(async (transaction) => void (await transaction.run({ text, values })));
    return allowed(this.#database, "checker", "sign for", write);
  }
}
