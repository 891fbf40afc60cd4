import { chainTrigger } from "./chain-sql.ts";

/** Adds rules that came into force to the one chain, beside the words of the two people who set them. */
export const chainOfRules = `${chainTrigger({ table: "rules", step: "enact", at: "", by: "", batch: "" })}
INSERT INTO partner.pending_facts (step, at, said_by, body)
  SELECT 'enact', w.said_at, w.said_by, to_jsonb(r)::text FROM partner.rules r
    JOIN partner.rule_words w ON w.number = r.second_word ORDER BY r.number;
UPDATE partner.journal SET events = events;`;

/** Rules that differ from history or are missing in it, or that are no longer what two people said. */
export const otherRulesSql = `SELECT r.number FROM partner.rules r WHERE NOT EXISTS (
    SELECT FROM partner.facts f WHERE f.step = 'enact' AND f.body::jsonb = to_jsonb(r))
    AND NOT EXISTS (SELECT FROM partner.pending_facts f WHERE f.step = 'enact')
  OR 2 > (SELECT count(DISTINCT w.said_by) FROM partner.rule_words w
    WHERE w.number IN (r.first_word, r.second_word) AND w.rules = r.rules)
  UNION ALL SELECT (f.body::jsonb ->> 'number')::bigint FROM partner.facts f WHERE f.step = 'enact' AND NOT EXISTS (
    SELECT FROM partner.rules r WHERE to_jsonb(r) = f.body::jsonb)
  ORDER BY 1 LIMIT 1`;
