import type { Rules } from "../../../rules/rule.ts";
import { Failure } from "../../../values/failure.ts";
import { quote } from "../../../values/text/text.ts";

/** The account names that programs accept in such files. */
const forms = {
  hledger: {
    pattern: /^[\p{L}\p{N}][\p{L}\p{N}._/&'-]*(?:[ :][\p{L}\p{N}][\p{L}\p{N}._/&'-]*)*$/u,
    advice: "Use letters, digits and single spaces, and a colon between parts, as in expenses:bank charges.",
  },
  beancount: {
    pattern: /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u,
    advice:
      "Start with Assets, Liabilities, Equity, Income or Expenses, and each part with a capital, as in Expenses:Bank-Charges.",
  },
} as const;

/** The formats that book rows to accounts. */
export type BookkeepingFormat = keyof typeof forms;

/** The accounts that the rules may use, each once. */
export function accountsIn(rules: Rules | undefined): readonly string[] {
  return [...new Set(rules?.all.flatMap(({ says }) => says.account ?? []) ?? [])];
}

/** @throws {Failure} usage: a name that the format does not allow for an account */
export function checkAccounts(rules: Rules, format: BookkeepingFormat): void {
  const { pattern, advice } = forms[format];
  const unfit = rules.all.find(({ says }) => says.account !== undefined && !pattern.test(says.account));
  if (unfit === undefined) return;
  const name = quote(unfit.says.account ?? "");
  throw new Failure("usage", `Rule ${unfit.number}: ${name} isn't a valid account in a file of ${format}.`, {
    hint: advice,
  });
}
