import { accountArgument } from "../../cli/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { statementFlags } from "../../cli/statement-flags.ts";
import { statementOf, walletSource } from "../../cli/statement-source.ts";
import { fileFormats } from "../../statements/formats/encoders.ts";

export default command({
  summary: "Show what moved through a wallet, and whether it adds up.",
  examples: [
    "wallet statement 9000112233 --month 2026-10",
    "wallet statement 9000112233 --last-month --strict --save october.csv",
    "wallet statement 9000112233 --start-date 2026-10-01 --end-date 2026-10-15 --output ndjson",
    "wallet statement 9000112233 --last-month --save october.ofx",
    "wallet statement 9000112233 --last-month --chart",
  ],
  args: { account: accountArgument("The wallet's number, as `wallets list` shows it.") },
  flags: statementFlags,
  fileFormats,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    const period = await session.period(flags);
    const { strict, chart } = flags;
    return statementOf(walletSource, session, { accountNo: args.account, period, strict, chart });
  },
});
