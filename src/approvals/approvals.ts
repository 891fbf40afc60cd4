import type { PostgresRecord } from "../host/databases/postgres.ts";
import type { SharedDatabase, Transaction } from "../storage/postgres/database.ts";
import { isGivenUp } from "../storage/postgres/error-states.ts";
import type { Notifications } from "../storage/postgres/notifications.ts";
import { DamageError } from "../storage/failures.ts";
import { permissionErrors } from "../journal/postgres/approvals/words.ts";
import { batchChannel } from "../journal/postgres/approvals/batch-news.ts";
import { allowed, stateOf, tooSlow } from "./refusals.ts";
import { RefusalStore } from "./refusal-store.ts";
import { RuleStore } from "./rule-store.ts";
import { KeyStore } from "./signing/key-store.ts";
import type { SharedWallet } from "./payees.ts";
import { keepSharedWallets, paidBefore, sharedWallets } from "./payees.ts";
import { waitingTwins } from "./waiting-twins.ts";
import { byId, decisions, left, newest, rejections, states, toSend } from "./batch-sql.ts";
import type { DecisionKind, BatchDecision, SubmittedBatch, SubmittedState } from "./submitted-batch.ts";
import { contentDigestOf, submittedOf, batchDecisionOf } from "./submitted-batch.ts";
import type { Who } from "../journal/movement.ts";

/** One statement inserts a whole file: on a slow server 100,000 rows take longer than any other statement of ours. */
const submitTimeoutMs = 5 * 60_000;
/** A server that is silent this long past its own limit will not answer any more. */
const lateAnswerMs = 15_000;
/** The size of one read of a file. */
const pieceBytes = 1024 * 1024;

const contentDigest = "SELECT encode(sha256(content), 'hex') AS digest FROM partner.batches WHERE id = $1";
const piece = `SELECT substring(content FROM $2::int FOR ${pieceBytes}) AS piece FROM partner.batches WHERE id = $1`;
const submit = `INSERT INTO partner.batches (description, content, orders, who) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO NOTHING`;
const isStopped = "SELECT partner.is_stopped($1) AS is_stopped";
const decide = `INSERT INTO partner.approvals (batch, digest, decision, reason, who, looked, signature)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const former = `SELECT b.id FROM partner.batches b, partner.batches own WHERE own.id = $1 AND b.submitted_by = own.submitted_by
  AND b.number < own.number ORDER BY b.number DESC LIMIT 1`;
const lastWord = `SELECT decision, digest FROM partner.approvals WHERE batch = $1 AND decided_by = session_user
  ORDER BY number DESC LIMIT 1`;
const withdraw = "INSERT INTO partner.withdrawals (batch, who) VALUES ($1, $2) ON CONFLICT (batch) DO NOTHING";
const finish = "INSERT INTO partner.finished (batch) VALUES ($1) ON CONFLICT (batch) DO NOTHING";

/** What a maker submits. */
export interface Submission {
  /** JSON text: id, scope and form of the batch. */
  readonly description: string;
  readonly content: Uint8Array;
  /** JSON text: line, kind, reference and request's digest of each row. */
  readonly orders: string;
}

/** The batches of a shared journal that some people submit and others decide about. */
export class Approvals {
  readonly #database: SharedDatabase;
  readonly #who: string;
  /** True for a role that could remove all rules. */
  readonly isAboveRules: boolean;
  /** Notifies that a batch was submitted, decided, withdrawn or done. */
  readonly news: Notifications;
  /** The rules of approval, and who decides for whom. */
  readonly rules: RuleStore;
  /** What people say of rows whose outcome is unknown. */
  readonly refusals: RefusalStore;
  /** What approvals are signed with. */
  readonly keys: KeyStore;

  constructor(database: SharedDatabase, who: Who, isAboveRules: boolean) {
    this.#database = database;
    this.news = database.news(batchChannel);
    this.isAboveRules = isAboveRules;
    this.#who = JSON.stringify(who);
    this.rules = new RuleStore(database, this.#who);
    this.refusals = new RefusalStore(database, this.#who);
    this.keys = new KeyStore(database, this.#who);
  }

  /**
   * Submits a batch for others to decide about. A batch with this id that is there already is left as it is.
   * @throws {Failure} setup where this role may not | usage (references of other orders) | unavailable
   */
  async submit({ description, content, orders }: Submission): Promise<void> {
    const values = [description, content, orders, this.#who];
    const insert = { text: submit, values, answerTimeoutMs: submitTimeoutMs + lateAnswerMs };
    const write = async (transaction: Transaction) => {
      const answer = transaction.run({ text: `SET LOCAL statement_timeout = ${submitTimeoutMs}` }, insert);
      await answer.catch((error: unknown) => {
        // A second try would take as long.
        throw isGivenUp(error) ? tooSlow(submitTimeoutMs, error) : error;
      });
    };
    await allowed(this.#database, "maker", "submit", () => this.#database.write(write));
  }

  /** A batch and the last word about it; a maker sees only their own. */
  async find(id: string): Promise<SubmittedBatch | undefined> {
    const [record] = await this.#database.read(byId, [id]);
    return this.#shown(record);
  }

  /** The ids of batches that this role may see and that begin with these digits. @param beginning hexadecimal digits */
  async beginningWith(beginning: string): Promise<readonly string[]> {
    const records = await this.#database.read("SELECT id FROM partner.batches WHERE id LIKE $1", [`${beginning}%`]);
    return records.map(({ id }) => String(id));
  }

  /** True for a batch that was rejected or withdrawn, also another maker's. */
  async isStopped(id: string): Promise<boolean> {
    const [record] = await this.#database.read(isStopped, [id]);
    return record?.["is_stopped"] === true;
  }

  /** True for a batch that this very role submitted. */
  async isOwn({ submittedBy }: SubmittedBatch): Promise<boolean> {
    const [record] = await this.#database.read("SELECT session_user = $1 AS is_own", [submittedBy]);
    return record?.["is_own"] === true;
  }

  /** The newest first. */
  async list(state: SubmittedState | undefined, limit: number): Promise<readonly SubmittedBatch[]> {
    const records = await this.#database.read(newest, [state ?? "", limit]);
    return records.flatMap((record) => this.#shown(record) ?? []);
  }

  /** The names of accounts that batches were submitted for, as far as this role may see them. */
  async accounts(): Promise<readonly string[]> {
    const records = await this.#database.read("SELECT DISTINCT scope FROM partner.batches");
    return records.map(({ scope }) => String(scope));
  }

  /** Approved batches that are not done, with their accounts' names, in the order of their approval. */
  async left(): Promise<readonly { readonly id: string; readonly scope: string; readonly hasExpired: boolean }[]> {
    const records = await this.#database.read(left);
    return records.map(({ id, scope, state }) => ({
      id: String(id),
      scope: String(scope),
      hasExpired: state === "expired",
    }));
  }

  /**
   * The number of its rows in each state on record; rows that were never ordered count as `unsent`.
   * @param names all names of its account
   */
  async states(
    id: string,
    names: readonly string[],
  ): Promise<readonly { readonly state: string; readonly count: number }[]> {
    const records = await this.#database.read(states, [id, names]);
    return records.map(({ state, count }) => ({ state: String(state), count: Number(count) }));
  }

  /**
   * The lines of rows that may be sent.
   * @param names all names of its account
   * @param alsoRefused true to include rows that the service has refused as rows of this batch
   */
  async toSend(id: string, names: readonly string[], alsoRefused: boolean): Promise<ReadonlySet<number>> {
    const records = await this.#database.read(toSend, [id, names, alsoRefused]);
    return new Set(records.map(({ line }) => Number(line)));
  }

  async contentDigest(id: string): Promise<string> {
    const [record] = await this.#database.read(contentDigest, [id]);
    return contentDigestOf(record);
  }

  /**
   * The file as it was submitted, byte for byte.
   * @throws {Failure} setup where there is none
   */
  async *content(id: string): AsyncGenerator<Uint8Array> {
    for (let from = 1; ; from += pieceBytes) {
      const [record] = await this.#database.read(piece, [id, from]);
      const bytes = record?.["piece"];
      if (!(bytes instanceof Uint8Array)) throw this.#database.explain(new DamageError("a batch has lost its file"));
      yield bytes;
      if (bytes.length < pieceBytes) return;
    }
  }

  /** All decisions about a batch, the oldest first. */
  async decisions(id: string): Promise<readonly BatchDecision[]> {
    const records = await this.#database.read(decisions, [id]);
    return records.flatMap((record) => this.#explaining(() => batchDecisionOf(record)) ?? []);
  }

  /** Rejections of other batches, of any maker, that have a row with the same kind and reference. */
  async rejectionsBefore(id: string): Promise<readonly (BatchDecision & { readonly batch: string })[]> {
    const records = await this.#database.read(rejections, [id]);
    return records.flatMap((record) => {
      const decision = this.#explaining(() => batchDecisionOf(record));
      return decision === undefined ? [] : [{ ...decision, batch: String(record["id"]) }];
    });
  }

  /**
   * Withdraws a batch that is not decided yet.
   * @throws {Failure} refused where it is decided | setup where it is another maker's
   */
  withdraw(id: string): Promise<void> {
    return allowed(this.#database, "maker", "withdraw", () => this.#write(withdraw, [id, this.#who]));
  }

  /** The batch that the same maker submitted before this one; undefined where this is the first. */
  async formerOf(id: string): Promise<SubmittedBatch | undefined> {
    const [record] = await this.#database.read(former, [id]);
    return record === undefined ? undefined : this.find(String(record["id"]));
  }

  /** Names and currencies of an account's wallets, by number. @param scopes all names of the account */
  wallets(scopes: readonly string[]): ReturnType<typeof sharedWallets> {
    return sharedWallets(this.#database, scopes);
  }

  /** Keeps what the service says of wallets, for those who may not ask it. */
  keepWallets(wallets: readonly SharedWallet[]): Promise<void> {
    return keepSharedWallets(this.#database, wallets);
  }

  /** Rows of a batch that other batches wait to pay, too. @param scopes all names of its account */
  waitingTwins(id: string, scopes: readonly string[]): ReturnType<typeof waitingTwins> {
    return waitingTwins(this.#database, id, scopes);
  }

  /** Which of these payees an order outside of the batch has paid before. */
  paidBefore(...asked: Tail<Parameters<typeof paidBefore>>): ReturnType<typeof paidBefore> {
    return paidBefore(this.#database, ...asked);
  }

  /**
   * @param looked JSON text: what was seen
   * @throws {Failure} setup where this role may not
   */
  async decide(batch: SubmittedBatch, decision: DecisionKind, { reason, looked, signature }: Reasons): Promise<void> {
    const said = [reason, this.#who, looked, signature].map((text) => text ?? null);
    const values = [batch.id, batch.digest, decision, ...said];
    const insert = { text: decide, values };
    const write = async (transaction: Transaction, attempt: number) => {
      const [[last] = []] = attempt > 1 ? await transaction.run({ text: lastWord, values: [batch.id] }) : [];
      // The first try was committed, and its answer lost.
      if (last?.["decision"] === decision && last["digest"] === batch.digest) return;
      await transaction.run(insert);
    };
    await allowed(this.#database, "checker", "decide about", () => this.#database.write(write));
  }

  /** Records that every row of the batch is done; the database checks that itself. */
  async finish(id: string): Promise<void> {
    try {
      await this.#write(finish, [id]);
    } catch (error) {
      // A row was resolved differently since it was counted.
      if (stateOf(error) !== permissionErrors.unfinished) throw error;
    }
  }

  async close(): Promise<void> {
    await this.news.close();
    await this.#database.close();
  }

  #write(text: string, values: readonly (string | Uint8Array)[]): Promise<void> {
    return this.#database.write(async (transaction) => {
      await transaction.run({ text, values });
    });
  }

  #shown(record: PostgresRecord | undefined): SubmittedBatch | undefined {
    return this.#explaining(() => (record === undefined ? undefined : submittedOf(record)));
  }

  #explaining<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#database.explain(error);
    }
  }
}

type Tail<All extends readonly unknown[]> = All extends readonly [unknown, ...infer Rest] ? Rest : never;

/** What goes with a decision. */
export interface Reasons {
  readonly reason?: string | undefined;
  /** JSON text: what was seen. */
  readonly looked?: string | undefined;
  /** Of the batch's digest. */
  readonly signature?: string | undefined;
}
