import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { balanceReport, minimumBalanceFlags } from "../../app/statements/balance.ts";
import { accountBalance, accountBalanceFieldsOf } from "../../contract/accounts.ts";

export default command({
  summary: "Show what a merchant collection account holds.",
  examples: ["account balance 0150387654321", "account balance 0150387654321 --fail-below 1000000"],
  args: { account: accountArgument("The merchant account's number.") },
  flags: minimumBalanceFlags,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args: { account: accountNo }, flags }, { service }) {
    const record = await service.read(accountBalance, { accountNo });
    return balanceReport({ accountNo, record, columns: accountBalanceFieldsOf(record) }, flags);
  },
});
