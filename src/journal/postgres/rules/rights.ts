/**
 * Tables with the rules of approval, and what people said about rules and refusals. Everyone in a group may read them.
 */
export const ruleTables = ["rule_words", "rules", "delegations", "refusals"] as const;

/** Tables with what the rules look at, and when a batch began: a maker sees the rows of their own batches. */
export const factTables = ["batch_facts", "batch_sums", "starts"] as const;

const readingFunctions = [
  "group_of(text)",
  "standing(text)",
  "demand_of(text, json)",
  "known_sums(text)",
  "rules_now()",
  "is_one_person(text, text)",
  "is_in(text, text)",
  "deputises(text)",
  "is_deputy()",
  "counted(integer, text)",
  "receiver_key(text, text)",
  "words_of(record)",
  "is_stopped(text)",
];

const names = ruleTables.map((table) => `partner.${table}`).join(", ");

/** What the SQL for rights on tables of rules is made of. */
interface Groups {
  /** All of them, as SQL names them. */
  readonly everyone: string;
  /** Those who see everything. */
  readonly readers: string;
  /** Tables in which a maker sees only their own rows. */
  readonly guarded: readonly string[];
  /** SQL that is true of a maker's own batch. */
  readonly mine: (batch: string) => string;
}

/** SQL for who may say what about rules, and who sees what they look at. */
export function ruleGrants({ everyone, readers, guarded, mine }: Groups): string {
  const seen = factTables.map(
    (table) => `GRANT SELECT ON partner.${table} TO ${everyone};
ALTER TABLE partner.${table} ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS reader_sees ON partner.${table};
DROP POLICY IF EXISTS maker_sees ON partner.${table};
CREATE POLICY reader_sees ON partner.${table} FOR SELECT TO ${readers} USING (true);
CREATE POLICY maker_sees ON partner.${table} FOR SELECT TO partner_maker USING (${mine(`${table}.batch`)});`,
  );
  const deputySees = [...guarded, ...factTables].map(
    (table) => `DROP POLICY IF EXISTS deputy_sees ON partner.${table};
CREATE POLICY deputy_sees ON partner.${table} FOR SELECT TO partner_maker USING (partner.is_deputy());`,
  );
  return `ALTER TABLE partner.rules ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON ${names} TO ${everyone};
${seen.join("\n")}
${readingFunctions.map((name) => `GRANT EXECUTE ON FUNCTION partner.${name} TO ${everyone};`).join("\n")}
GRANT INSERT (rules, who) ON partner.rule_words TO partner_checker;
DROP POLICY IF EXISTS checker_says ON partner.rule_words;
CREATE POLICY checker_says ON partner.rule_words FOR INSERT TO partner_checker WITH CHECK (said_by = session_user);
GRANT INSERT (delegated_to, until_day, who) ON partner.delegations TO partner_checker;
DROP POLICY IF EXISTS checker_delegates ON partner.delegations;
CREATE POLICY checker_delegates ON partner.delegations FOR INSERT TO partner_checker
  WITH CHECK (delegated_by = session_user);
GRANT INSERT (movement, evidence, who) ON partner.refusals TO partner_checker, partner_runner;
DROP POLICY IF EXISTS checker_refuses ON partner.refusals;
CREATE POLICY checker_refuses ON partner.refusals FOR INSERT TO partner_checker, partner_runner
  WITH CHECK (said_by = session_user);
DROP POLICY IF EXISTS deputy_decides ON partner.approvals;
CREATE POLICY deputy_decides ON partner.approvals FOR INSERT TO partner_maker, partner_runner, partner_auditor
  WITH CHECK (decided_by = session_user AND acting_for <> '[]' AND NOT ${mine("approvals.batch")});
${deputySees.join("\n")}`;
}
