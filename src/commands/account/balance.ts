import { accountArgument } from "../../cli/statements/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { option } from "../../cli/input.ts";
import { accountBalance, accountBalanceFieldsOf } from "../../contract/accounts.ts";
import { floorFindings } from "../../statements/floor.ts";
import { parseThreshold } from "../../values/amount.ts";

export default command({
  summary: "Show what a merchant collection account holds.",
  examples: ["account balance 0560066551200", "account balance 0560066551200 --fail-below 1000000"],
  args: { account: accountArgument("The merchant account's number.") },
  flags: {
    failBelow: option({
      value: "AMOUNT",
      summary: "End with 9 when less than AMOUNT is available.",
      read: parseThreshold,
    }),
  },
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, { service }) {
    const record = await service.read(accountBalance, { accountNo: args.account });
    const floor = flags.failBelow;
    return {
      shape: "record",
      columns: accountBalanceFieldsOf(record),
      record,
      findings: () => (floor === undefined ? { notes: [] } : floorFindings(record, args.account, floor)),
    };
  },
});
