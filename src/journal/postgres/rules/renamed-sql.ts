import { permissionErrors } from "../approvals/words.ts";
import { changedFunction } from "../roles/groups.ts";

const exists = (name: string) => `EXISTS (SELECT FROM pg_roles AS named WHERE named.rolname = ${name})`;
const ownBatch = /^ *RAISE EXCEPTION '%', submitter USING ERRCODE = .*?;\n *END IF;\n/m;
const onePerson = "CONTINUE WHEN EXISTS (SELECT FROM unnest(people)";
const otherWord = "AND NOT partner.is_one_person(w.said_by, NEW.said_by)";
const checkersWord = "AND NOT partner.is_one_person(r.said_by, session_user)";

/**
 * A role can be renamed: what it did stays under its former name, which no role has. Nobody can tell then who that is,
 * so it may be anybody: such a person's batch is not approved, and such a person's approvals and words count for nothing.
 * @param before all migrations so far
 */
export function renamedCountForNothing(before: readonly string[]): string {
  return [
    changedFunction(before, "take_decision", [
      ownBatch,
      (found) => `${found}  IF NEW.decision = 'approved' AND NOT ${exists("submitter")} THEN
    RAISE EXCEPTION '%', submitter USING ERRCODE = '${permissionErrors.goneMaker}';
  END IF;
`,
    ]),
    changedFunction(before, "standing", [
      onePerson,
      (found) => `CONTINUE WHEN EXISTS (SELECT FROM unnest(people) AS p WHERE NOT ${exists("p")});
    ${found}`,
    ]),
    changedFunction(before, "hear_rule_word", [otherWord, (found) => `${found} AND ${exists("w.said_by")}`]),
    changedFunction(before, "demand_checkers_word", [checkersWord, (found) => `${found} AND ${exists("r.said_by")}`]),
  ].join("\n\n");
}
