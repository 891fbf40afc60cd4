import { accountArgument } from "../../cli/statements/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { option } from "../../cli/input.ts";
import { walletBalance, walletBalanceFields } from "../../contract/wallets.ts";
import { floorFindings } from "../../statements/floor.ts";
import { parseThreshold } from "../../values/amount.ts";

export default command({
  summary: "Show what a wallet holds.",
  examples: ["wallet balance 9000112233", "wallet balance 9000112233 --fail-below 500000 --quiet"],
  args: { account: accountArgument("The wallet's number, as `wallets list` shows it.") },
  flags: {
    failBelow: option({
      value: "AMOUNT",
      summary: "End with 9 when less than AMOUNT is available.",
      read: parseThreshold,
    }),
  },
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, { service }) {
    const record = await service.read(walletBalance, { accountNo: args.account });
    const floor = flags.failBelow;
    return {
      shape: "record",
      columns: walletBalanceFields,
      record,
      findings: () => (floor === undefined ? { notes: [] } : floorFindings(record, args.account, floor)),
    };
  },
});
