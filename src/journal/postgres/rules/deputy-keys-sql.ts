import { changedFunction } from "../roles/groups.ts";

/** Columns of a key and of its removal that people fill in. */
const rights = [
  "INSERT (public_key, comment, who) ON partner.signing_keys",
  "INSERT (key, who) ON partner.removed_keys",
];
const checkerAlone = "IF NOT partner.is_in(session_user, partner.group_of('checker')) THEN";
const decides = /^ *EXECUTE format\('GRANT INSERT \(batch, .*?\n/m;

/**
 * Lets a deputy who isn't a checker sign where rules demand signatures, with a key of their own, which counts as long
 * as their decisions do. @param before all migrations so far
 */
export function deputiesSign(before: readonly string[]): string {
  const grants = rights.map((right) => `EXECUTE format('GRANT ${right} TO %I', NEW.delegated_to);`).join("\n    ");
  return `${changedFunction(before, "take_key", [checkerAlone, checkerAlone.replace(" THEN", " AND NOT partner.is_deputy() THEN")])}

${changedFunction(before, "take_delegation", [decides, (line) => `${line}    ${grants}\n`])}

DO $$
DECLARE
  deputy text;
BEGIN
  FOR deputy IN SELECT DISTINCT d.delegated_to FROM partner.delegations d JOIN pg_catalog.pg_roles r ON r.rolname = d.delegated_to
      WHERE NOT partner.is_in(d.delegated_to, partner.group_of('checker')) LOOP
${rights.map((right) => `    EXECUTE pg_catalog.format('GRANT ${right} TO %I', deputy);`).join("\n")}
  END LOOP;
END $$;`;
}
