import { accountArgument } from "../../cli/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { statementFlags } from "../../cli/statement-flags.ts";
import { accountEntryFields, accountStatement } from "../../contract/accounts.ts";
import { accountEntryShape } from "../../statements/entry.ts";
import { statementReport } from "../../statements/statement-report.ts";

export default command({
  summary: "Show what moved through a merchant collection account, and whether it adds up.",
  examples: [
    "account statement 0560066551200 --yesterday",
    "account statement 0560066551200 --month 2026-10 --strict --save october.csv",
  ],
  args: { account: accountArgument("The merchant account's number.") },
  flags: statementFlags,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    const accountNo = args.account;
    const period = await session.period(flags);
    const rows = await session.service.read(accountStatement, {
      accountNo,
      startDate: period.startDate.toString(),
      endDate: period.endDate.toString(),
    });
    return statementReport(rows, {
      accountNo,
      period,
      columns: accountEntryFields,
      shape: accountEntryShape,
      strict: flags.strict,
    });
  },
});
