/** Tables that say how many have to approve, and what was said of that. Everybody in a group may read them. */
export const ruleTables = ["rule_words", "rules"] as const;

/** What the rules look at, and when a batch began: a maker sees it of the own batches. */
export const factTables = ["batch_facts", "batch_sums", "starts"] as const;

const readingFunctions = [
  "standing(text)",
  "demand_of(text, json)",
  "known_sums(text)",
  "rules_now()",
  "is_one_person(text, text)",
  "counted(integer, text)",
  "words_of(record)",
];

const names = ruleTables.map((table) => `partner.${table}`).join(", ");

/**
 * @param everyone the groups of roles, as SQL names them
 * @param readers those of them who see everything
 * @param mine SQL that is true of a maker's own batch
 */
export function ruleGrants(everyone: string, readers: string, mine: (batch: string) => string): string {
  const seen = factTables.map(
    (table) => `GRANT SELECT ON partner.${table} TO ${everyone};
ALTER TABLE partner.${table} ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS reader_sees ON partner.${table};
DROP POLICY IF EXISTS maker_sees ON partner.${table};
CREATE POLICY reader_sees ON partner.${table} FOR SELECT TO ${readers} USING (true);
CREATE POLICY maker_sees ON partner.${table} FOR SELECT TO partner_maker USING (${mine(`${table}.batch`)});`,
  );
  return `${seen.join("\n")}
GRANT SELECT ON ${names} TO ${everyone};
${readingFunctions.map((name) => `GRANT EXECUTE ON FUNCTION partner.${name} TO ${everyone};`).join("\n")}
GRANT INSERT (rules, who) ON partner.rule_words TO partner_checker;
DROP POLICY IF EXISTS checker_says ON partner.rule_words;
CREATE POLICY checker_says ON partner.rule_words FOR INSERT TO partner_checker WITH CHECK (said_by = session_user);`;
}
