import { functionsIn } from "../roles/groups.ts";
import { readingFunction } from "./change-sql.ts";

/**
 * From version 16 of PostgreSQL on, a role that makes another is a member of it, so that it may give it to others. It
 * neither gets the rights of that role nor may become it, so it doesn't count as a member of a group.
 */
const isIn = `CREATE FUNCTION partner.is_in(person text, role text) RETURNS boolean LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  IF current_setting('server_version_num')::integer < 160000 THEN
    RETURN pg_has_role(person, role, 'MEMBER');
  END IF;
  RETURN pg_has_role(person, role, 'USAGE') OR pg_has_role(person, role, 'SET');
END $$;`;

/**
 * Functions that ask who is in a group. Those that ask whether two roles are one person stay as they are: plain
 * membership counts there.
 */
const asking = [
  "are_in",
  "decide_within_rules",
  "deputises",
  "take_decision",
  "take_delegation",
  "take_key",
  "take_refusal",
  "take_rule_word",
];
const asked = /pg_has_role\(([\w.]+), (partner\.group_of\('\w+'\)|[\w.]+), 'MEMBER'\)/g;

/**
 * Has these functions count as members only roles that may use a group's rights. @param before all migrations so far
 */
export function membersByUse(before: readonly string[]): string {
  const functions = functionsIn(before);
  const changed = asking.map((name) =>
    (functions.get(name) ?? "")
      .replace(/^CREATE (OR REPLACE )?/, "CREATE OR REPLACE ")
      .replaceAll(asked, (_, person: string, role: string) => `partner.is_in(${nameOf(person)}, ${nameOf(role)})`),
  );
  return [isIn, ...changed].join("\n\n");
}

function nameOf(role: string): string {
  return role.replace(/\.oid$/, ".rolname");
}
