import { readApprovalRules } from "../../app/approvals/rules-file.ts";
import { ruleReport } from "../../app/approvals/rules-report.ts";
import { withApprovals } from "../../app/approvals/submitted.ts";
import { command } from "../../app/command.ts";
import { textOfRules } from "../../approvals/approval-rules.ts";
import type { RuleWord, RulesInForce } from "../../approvals/rule-store.ts";
import { neededText, positional } from "../../cli/line/input.ts";

export default command({
  summary: "Set the rules of approval: how many approve what.",
  description:
    "Two people set them: the owner of the journal's database or checkers. The second gives the same command with the same rules, and they are in force from then on. Every change stays in the history. Rules that cannot be fulfilled are refused. docs/schemas/approvals.json describes the file.",
  examples: ["approvals set rules.json"],
  args: { file: positional({ summary: "A JSON file with the rules.", read: neededText }) },
  flags: {},
  exits: ["setup"],
  run: async ({ args }, session) => {
    const isForPerson = session.showsPerson;
    const say = (word: RuleWord, change: RulesInForce | undefined, note: string) =>
      ruleReport(word, { change, note, isForPerson });
    const rules = textOfRules(await readApprovalRules(session.host, args.file));
    return withApprovals(session, async ({ rules: store }) => {
      const before = (await store.history()).at(-1);
      if (before?.rules === rules) return say(before.second, before, "These rules are in force already.");
      await store.say(rules);
      const now = (await store.history()).at(-1);
      if (now !== undefined && now.number !== before?.number && now.rules === rules)
        return say(now.second, now, `In force from now on, set by ${now.first.by} and ${now.second.by}.`);
      const word = (await store.words()).findLast((said) => said.rules === rules) ?? { rules, by: "", at: 0 };
      const missing = `One more person is missing: the owner of the database, or a checker other than ${word.by}, runs the same command with the same rules.`;
      return say(word, undefined, `Nothing has changed yet. ${missing}`);
    });
  },
});
