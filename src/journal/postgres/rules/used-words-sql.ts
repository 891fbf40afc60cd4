import { changedFunction } from "../roles/groups.ts";

/**
 * SQL: the last event by which people's words made this attempt of a movement refused; null where there is none.
 * @param movement an SQL expression: its number
 */
export function lastUseSql(movement: string): string {
  return `SELECT max(e.number) AS at FROM partner.events e WHERE e.movement = ${movement} AND e.to_state = 'refused'
    AND e.evidence = 'person' AND e.step IN ('resolve', 'overrule') AND e.number > (SELECT max(c.number)
      FROM partner.events c WHERE c.movement = ${movement} AND c.step = 'claim')`;
}

/**
 * SQL: true for a word that is not used up: history has it after `used.at`, or will have it there.
 * @param word an SQL alias of `refusals`
 * @param batch an SQL expression: the batch of its movement
 */
export function isFreshSql(word: string, batch: string): string {
  const fact = `f.batch = ${batch} AND f.step = 'refuse' AND (f.body::jsonb ->> 'number')::bigint = ${word}.number`;
  return `(used.at IS NULL
    OR EXISTS (SELECT FROM partner.pending_facts f WHERE ${fact})
    OR EXISTS (SELECT FROM partner.facts f WHERE ${fact} AND f.after_event >= used.at))`;
}

/** Has the database, too, count each word of a checker once. @param before all migrations so far */
export function wordsOnce(before: readonly string[]): string {
  return changedFunction(
    before,
    "demand_checkers_word",
    [
      "SELECT FROM partner.refusals r\n",
      `SELECT FROM partner.refusals r, LATERAL (${lastUseSql("OLD.number")}) AS used\n`,
    ],
    [
      "r.claim = OLD.claim AND r.by_checker",
      `r.claim = OLD.claim AND r.by_checker AND ${isFreshSql("r", "OLD.batch")}`,
    ],
  );
}
