import { command } from "../../app/command.ts";
import { oneOf, option } from "../../cli/line/input.ts";
import { asOfFlag } from "../../app/ledger/as-of.ts";
import { sayLedgerStatement } from "../../app/ledger/statement.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { exportFlags } from "../../app/statements/export-flags.ts";
import { statementFlags } from "../../app/statements/statement-flags.ts";
import { statementFormats } from "../../statements/formats/encoders.ts";

const { noOpening, accounts } = exportFlags;

export default command({
  summary: "Show a statement from the ledger, offline.",
  description:
    "The rows and files are those of wallet statement or account statement. A period with days that the ledger lacks ends with 9 and names them.",
  examples: [
    "ledger statement 9000112233 --month 2026-10",
    "ledger statement 9000112233 --last-month --save october.xlsx",
    "ledger statement 9000112233 --month 2026-10 --as-of 2026-11-01T18:00:00+03:00",
  ],
  args: { account: accountArgument("The wallet's or merchant account's number.") },
  flags: {
    ...statementFlags,
    noOpening,
    accounts,
    accountKind: option({
      value: "wallet|merchant",
      summary: "Which account is meant if a wallet and a merchant account have the same number.",
      read: oneOf("wallet", "merchant"),
    }),
    ...asOfFlag,
  },
  fileFormats: statementFormats,
  exits: ["setup", "mismatch"],
  async run({ args, flags }, session) {
    await sayLedgerStatement(session, args.account, flags);
    return undefined;
  },
});
