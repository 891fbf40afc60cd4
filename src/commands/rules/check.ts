import { command } from "../../app/command.ts";
import { rulesCheckFlags } from "../../app/reconcile/rules-check-flags.ts";
import { checkRules } from "../../app/reconcile/rules-check.ts";
import { readingEndsIn } from "../../cli/endings.ts";

export default command({
  summary: "Show which rows of statements and of a book each rule takes, and which no rule takes.",
  description: "A file that is not valid ends with 2 before anything is read from the service.",
  examples: [
    "rules check",
    "rules check --account 9000112233 --month 2026-10",
    "rules check --rules rules.json --account 9000112233 --book book.csv --csv",
  ],
  args: {},
  flags: rulesCheckFlags,
  exits: readingEndsIn,
  run: ({ flags }, session) => checkRules(session, flags),
});
