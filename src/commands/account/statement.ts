import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { exportFlags } from "../../app/statements/export-flags.ts";
import { statementFlags } from "../../app/statements/statement-flags.ts";
import { runStatement } from "../../app/statements/statement-run.ts";
import { merchantSource } from "../../app/statements/statement-source.ts";
import { statementFormats } from "../../statements/formats/encoders.ts";

export default command({
  summary: "Show what moved through a merchant collection account, and whether it adds up.",
  examples: [
    "account statement 0150387654321 --yesterday",
    "account statement 0150387654321 --month 2026-10 --strict --save october.csv",
    "account statement 0150387654321 --month 2026-10 --output camt053 --save october.xml",
  ],
  args: { account: accountArgument("The merchant account's number.") },
  flags: { ...statementFlags, ...exportFlags },
  fileFormats: statementFormats,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    await runStatement(merchantSource, session, args.account, flags);
    return undefined;
  },
});
