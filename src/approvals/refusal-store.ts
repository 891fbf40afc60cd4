import { allowed } from "./refusals.ts";
import type { Movement } from "../journal/movement.ts";
import { isFreshSql, lastUseSql } from "../journal/postgres/rules/used-words-sql.ts";
import { withoutCheckersWord } from "../journal/postgres/roles/permission-errors.ts";
import type { SharedDatabase } from "../storage/postgres/database.ts";

const dutiesSql = `SELECT partner.is_in(session_user, partner.group_of('runner')) AS is_runner,
  partner.is_in(session_user, partner.group_of('checker')) AS is_checker`;
const saySql = "INSERT INTO partner.refusals (movement, evidence, who) VALUES ($1, $2, $3)";
/**
 * Open rows of a batch that both a runner and a checker call refused, with the latest word of each. Words from before
 * such words last made the row refused are used up.
 */
const agreedSql = `SELECT DISTINCT ON (m.number) m.id, r.said_by AS runner, r.evidence AS runner_evidence,
    c.said_by AS checker, c.evidence AS checker_evidence
  FROM partner.movements m JOIN partner.refusals r ON r.movement = m.id AND r.claim = m.claim AND NOT r.by_checker
    JOIN partner.refusals c ON c.movement = m.id AND c.claim = m.claim AND c.by_checker
      AND NOT partner.is_one_person(c.said_by, r.said_by), LATERAL (${lastUseSql("m.number")}) AS used
  WHERE m.batch = $1 AND m.state NOT IN ('accepted', 'refused', 'unsent', 'reversed')
    AND ${isFreshSql("r", "m.batch")} AND ${isFreshSql("c", "m.batch")}
  ORDER BY m.number, r.number DESC, c.number DESC`;

/** True where every checker's word about this attempt is used up. */
const usedUpSql = `SELECT used.at IS NOT NULL AND NOT EXISTS (SELECT FROM partner.refusals c WHERE c.movement = m.id
    AND c.claim = m.claim AND c.by_checker AND NOT partner.is_one_person(c.said_by, session_user)
    AND ${isFreshSql("c", "m.batch")}) AS is_used_up
  FROM partner.movements m JOIN partner.batches b ON b.id = m.batch, LATERAL (${lastUseSql("m.number")}) AS used WHERE m.id = $1`;

/**
 * What people say of rows whose outcome is unknown. Only a runner's and a checker's word together make a row refused.
 */
export class RefusalStore {
  readonly #database: SharedDatabase;
  readonly #who: string;

  constructor(database: SharedDatabase, who: string) {
    this.#database = database;
    this.#who = who;
  }

  /** What this role may do. */
  async duties(): Promise<{ readonly isRunner: boolean; readonly isChecker: boolean }> {
    const [record] = await this.#database.read(dutiesSql);
    return { isRunner: record?.["is_runner"] === true, isChecker: record?.["is_checker"] === true };
  }

  /**
   * Keeps this person's word that a row was refused.
   * @param movement its id
   * @throws {Failure} usage where it isn't an open row of a submitted batch | setup where this role may not
   */
  async say(movement: string, evidence: string): Promise<void> {
    const insert = { text: saySql, values: [movement, evidence, this.#who] };
    const write = () => this.#database.write(async (transaction) => void (await transaction.run(insert)));
    await allowed(this.#database, "checker", "resolve rows of", write);
  }

  /**
   * Refuses a runner's word where every checker's word was used up: a later outcome contradicted it.
   * @throws {Failure} unknown
   */
  async demandCheckersWord({ id, reference }: Pick<Movement, "id" | "reference">): Promise<void> {
    await allowed(this.#database, "checker", "resolve rows of", async () => {
      const [record] = await this.#database.read(usedUpSql, [id]);
      if (record?.["is_used_up"] === true) throw withoutCheckersWord(reference);
    });
  }

  /** Open rows of a batch that a runner and a checker call refused, with how they know it. */
  async agreed(batch: string): Promise<readonly { readonly movement: string; readonly evidence: string }[]> {
    const records = await this.#database.read(agreedSql, [batch]);
    return records.map(({ id, runner, runner_evidence: first, checker, checker_evidence: second }) => ({
      movement: String(id),
      evidence: `${String(first)} (${String(runner)}); ${String(second)} (${String(checker)})`,
    }));
  }
}
