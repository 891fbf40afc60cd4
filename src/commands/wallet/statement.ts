import { accountArgument } from "../../cli/account-argument.ts";
import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { statementFlags } from "../../cli/statement-flags.ts";
import { walletBalance, walletEntryFields, walletStatement } from "../../contract/wallets.ts";
import { textIn, walletEntryShape } from "../../statements/entry.ts";
import { statementReport } from "../../statements/statement-report.ts";

export default command({
  summary: "Show what moved through a wallet, and whether it adds up.",
  examples: [
    "wallet statement 9000112233 --month 2026-10",
    "wallet statement 9000112233 --last-month --strict --save october.csv",
    "wallet statement 9000112233 --start-date 2026-10-01 --end-date 2026-10-15 --output ndjson",
  ],
  args: { account: accountArgument("The wallet's number, as `wallets list` shows it.") },
  flags: statementFlags,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    const accountNo = args.account;
    const period = await session.period(flags);
    const rows = await session.service.read(walletStatement, {
      accountNo,
      startDate: period.startDate.toString(),
      endDate: period.endDate.toString(),
    });
    // Spec 2.6 has no field for the currency of an entry; people see it all the same, machines get what was sent.
    const wallet = session.format === "table" ? await session.service.glance(walletBalance, { accountNo }) : undefined;
    const currency = wallet === undefined ? undefined : textIn(wallet, "currencyCode") || undefined;
    return statementReport(rows, {
      accountNo,
      period,
      columns: walletEntryFields,
      shape: walletEntryShape,
      currency,
      strict: flags.strict,
    });
  },
});
