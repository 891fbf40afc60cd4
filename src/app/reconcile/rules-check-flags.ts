import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option } from "../../cli/line/input.ts";
import { whereFlag } from "../where.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { bookFlags } from "./flags.ts";

/** Which rules, and which rows. */
export const rulesCheckFlags = {
  rules: option({ value: "FILE", summary: "The rules (default: rules.json beside the profiles).", read: anyText }),
  account: option({ value: "A", summary: "One account (default: every wallet).", read: parseAccountNumber }),
  accountKind: option({
    value: "wallet|merchant",
    summary: "What kind of account it is (default: wallet).",
    read: oneOf("wallet", "merchant"),
  }),
  book: option({ value: "FILE", summary: "The account's book, whose rows are checked as well.", read: anyText }),
  ...bookFlags,
  month: option({ value: "YYYY-MM", summary: "The month (default: last month).", read: anyText }),
  ...whereFlag,
} as const;

export type RulesCheckFlags = FlagValues<typeof rulesCheckFlags>;
