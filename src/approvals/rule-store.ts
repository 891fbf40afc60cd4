import { groupNames } from "../journal/postgres/roles/groups.ts";
import { allowed, notAllowed } from "./refusals.ts";
import { sha256 } from "../journal/requests/request-hash.ts";
import type { PostgresRecord } from "../host/databases/postgres.ts";
import { DamageError } from "../storage/failures.ts";
import type { SharedDatabase } from "../storage/postgres/database.ts";

const historySql = `SELECT r.number, r.rules, a.number AS first, a.said_by AS first_by, a.said_at AS first_at, a.seal AS first_seal,
    b.number AS second, b.said_by AS second_by, b.said_at AS second_at, b.seal AS second_seal
  FROM partner.rules r JOIN partner.rule_words a ON a.number = r.first_word AND a.rules = r.rules
    JOIN partner.rule_words b ON b.number = r.second_word AND b.rules = r.rules ORDER BY r.number`;
const wordsSql = `SELECT w.number, w.rules, w.said_by, w.said_at, w.seal FROM partner.rule_words w
  WHERE w.number > (SELECT coalesce(max(r.second_word), 0) FROM partner.rules r) ORDER BY w.number`;
const countSql = "SELECT count(*) AS count FROM partner.rules";
const deputiesSql = `SELECT d.delegated_by, d.delegated_to, d.until_day FROM partner.delegations d
  WHERE d.delegated_by = ANY (partner.deputises(d.delegated_to)) AND NOT EXISTS (SELECT FROM partner.delegations n
    WHERE n.delegated_by = d.delegated_by AND n.delegated_to = d.delegated_to AND n.number > d.number) ORDER BY d.number`;
const outsiderSql = "SELECT 1 AS outsider WHERE NOT pg_has_role(session_user, $1, 'MEMBER')";
const delegateSql = "INSERT INTO partner.delegations (delegated_to, until_day, who) VALUES ($1, $2, $3)";
const saySql = "INSERT INTO partner.rule_words (rules, who) VALUES ($1, $2)";

/** A proposal of rules. */
export interface RuleWord {
  /** JSON text. */
  readonly rules: string;
  readonly by: string;
  readonly at: number;
}

/** A person who decides for a checker until the end of a day in Dar es Salaam. */
export interface Deputy {
  readonly by: string;
  readonly to: string;
  readonly until: string;
}

/** Rules that two people set, in force from the second word on. */
export interface RulesInForce {
  readonly number: number;
  /** JSON text. */
  readonly rules: string;
  readonly first: RuleWord;
  readonly second: RuleWord;
}

/** The rules of approval, and who set them. */
export class RuleStore {
  readonly #database: SharedDatabase;
  readonly #who: string;

  constructor(database: SharedDatabase, who: string) {
    this.#database = database;
    this.#who = who;
  }

  /** Every change, the oldest first; the last one is in force. */
  async history(): Promise<readonly RulesInForce[]> {
    const records = await this.#database.read(historySql);
    const [{ count } = {}] = await this.#database.read(countSql);
    const changes = records.map((record) => this.#explaining(() => changeOf(record)));
    if (changes.length < Number(count)) throw this.#database.explain(new DamageError("rules have lost their words"));
    return changes;
  }

  /**
   * Refuses a role that is neither a checker nor a deputy of one, and cannot become one, before a person is asked. The database
   * decides who may.
   * @throws {Failure} setup
   */
  async requireDecider(): Promise<void> {
    const { checker } = await groupNames(this.#database);
    const [record] = await this.#database.read(`${outsiderSql} AND NOT partner.is_deputy()`, [checker]);
    if (record !== undefined) throw notAllowed(checker, "decide about");
  }

  /**
   * Refuses a role that sends nothing, and cannot become one that does, before a person is asked.
   * @throws {Failure} setup
   */
  async requireRunner(): Promise<void> {
    const { runner } = await groupNames(this.#database);
    const [record] = await this.#database.read(outsiderSql, [runner]);
    if (record !== undefined) throw notAllowed(runner, "send");
  }

  /** Proposals since the last change, which are not in force, the oldest first. */
  async words(): Promise<readonly RuleWord[]> {
    const records = await this.#database.read(wordsSql);
    return records.map((record) => this.#explaining(() => wordOf(record["rules"], record, "")));
  }

  /**
   * Proposes rules; the second person who proposes the same puts them in force.
   * @throws {Failure} usage where they cannot be fulfilled | setup where this role may not
   */
  async say(rules: string): Promise<void> {
    const insert = { text: saySql, values: [rules, this.#who] };
    const write = () => this.#database.write(async (transaction) => void (await transaction.run(insert)));
    await allowed(this.#database, "checker", "set the rules of", write);
  }

  /** Who decides for whom today. */
  async deputies(): Promise<readonly Deputy[]> {
    const records = await this.#database.read(deputiesSql);
    return records.map(({ delegated_by: by, delegated_to: to, until_day: until }) => ({
      by: String(by),
      to: String(to),
      until: String(until),
    }));
  }

  /**
   * Has another person decide for this one until the end of that day.
   * @throws {Failure} usage where that person can't be a deputy, or that day is past | setup where this role isn't a
   * checker
   */
  async delegate(to: string, until: string): Promise<void> {
    const insert = { text: delegateSql, values: [to, until, this.#who] };
    const write = () => this.#database.write(async (transaction) => void (await transaction.run(insert)));
    await allowed(this.#database, "checker", "have a deputy for", write);
  }

  #explaining<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#database.explain(error);
    }
  }
}

function changeOf(record: PostgresRecord): RulesInForce {
  const { rules } = record;
  return {
    number: Number(record["number"]),
    rules: String(rules),
    first: wordOf(rules, record, "first_"),
    second: wordOf(rules, record, "second_"),
  };
}

/** @throws {DamageError} where it is not as it was written */
function wordOf(rules: unknown, record: PostgresRecord, prefix: "" | "first_" | "second_"): RuleWord {
  const number = record[prefix === "" ? "number" : prefix.slice(0, -1)];
  const [by, at] = [
    record[`${prefix}said_by`] ?? record[`${prefix}by`],
    record[`${prefix}said_at`] ?? record[`${prefix}at`],
  ];
  if (record[`${prefix}seal`] !== sha256([number, rules, by, at].join("\n")))
    throw new DamageError("a word about the rules is not as it was written");
  return { rules: String(rules), by: String(by), at: Number(at) };
}
