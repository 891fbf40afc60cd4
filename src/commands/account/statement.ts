import { accountArgument } from "../../cli/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { statementFlags } from "../../cli/statement-flags.ts";
import { merchantSource, statementOf } from "../../cli/statement-source.ts";
import { fileFormats } from "../../statements/formats/encoders.ts";

export default command({
  summary: "Show what moved through a merchant collection account, and whether it adds up.",
  examples: [
    "account statement 0560066551200 --yesterday",
    "account statement 0560066551200 --month 2026-10 --strict --save october.csv",
    "account statement 0560066551200 --month 2026-10 --output camt053 --save october.xml",
  ],
  args: { account: accountArgument("The merchant account's number.") },
  flags: statementFlags,
  fileFormats,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    const period = await session.period(flags);
    const { strict, chart } = flags;
    return statementOf(merchantSource, session, { accountNo: args.account, period, strict, chart });
  },
});
