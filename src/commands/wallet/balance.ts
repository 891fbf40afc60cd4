import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { balanceReport, minimumBalanceFlags } from "../../app/statements/balance.ts";
import { walletBalance, walletBalanceFields } from "../../contract/wallets.ts";

export default command({
  summary: "Show what a wallet holds.",
  examples: ["wallet balance 9000112233", "wallet balance 9000112233 --fail-below 500000 --quiet"],
  args: { account: accountArgument("The wallet's number, as `wallets list` shows it.") },
  flags: minimumBalanceFlags,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args: { account: accountNo }, flags }, { service }) {
    const record = await service.read(walletBalance, { accountNo });
    return balanceReport({ accountNo, record, columns: walletBalanceFields }, flags);
  },
});
