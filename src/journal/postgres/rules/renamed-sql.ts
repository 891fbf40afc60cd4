import { permissionErrors } from "../approvals/words.ts";
import { changedFunction } from "../roles/groups.ts";

const exists = (name: string) => `EXISTS (SELECT FROM pg_roles AS named WHERE named.rolname = ${name})`;
const ownBatch = /^ *RAISE EXCEPTION '%', submitter USING ERRCODE = .*?;\n *END IF;\n/m;
const onePerson = "CONTINUE WHEN EXISTS (SELECT FROM unnest(people)";
const otherWord = "AND NOT partner.is_one_person(w.said_by, NEW.said_by)";
const checkersWord = "AND NOT partner.is_one_person(r.said_by, session_user)";

/**
 * A renamed role leaves its decisions under a name that no role has, so the person behind them is unknown. A batch of an
 * unknown person isn't approved, and an unknown person's approvals and words don't count.
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
