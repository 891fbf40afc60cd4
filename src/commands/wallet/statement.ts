import { command } from "../../app/command.ts";
import { checkFollow, followFlags } from "../../app/follow.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { optionalPositional, toggle } from "../../cli/line/input.ts";
import { exportFlags } from "../../app/statements/export-flags.ts";
import { statementFlags } from "../../app/statements/statement-flags.ts";
import { runStatement } from "../../app/statements/statement-run.ts";
import { walletSource } from "../../app/statements/statement-source.ts";
import { statementFormats } from "../../statements/formats/encoders.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";

export default command({
  summary: "Show what moved through a wallet, and whether it adds up.",
  examples: [
    "wallet statement 9000112233 --month 2026-10",
    "wallet statement 9000112233 --last-month --strict --save october.csv",
    "wallet statement 9000112233 --start-date 2026-10-01 --end-date 2026-10-15 --output ndjson",
    "wallet statement 9000112233 --last-month --save october.ofx",
    "wallet statement 9000112233 --last-month --chart",
    "wallet statement 9000112233 --since-last --start-date 2026-10-01 --save 'wallet-{month}.csv'",
    "wallet statement --all --last-month --save 'wallet-{account}-{month}.xlsx'",
  ],
  args: {
    account: optionalPositional({
      summary: "The wallet's number, as `wallets list` shows it.",
      unless: "all",
      read: parseAccountNumber,
    }),
  },
  flags: {
    ...statementFlags,
    ...exportFlags,
    ...followFlags,
    all: toggle({ summary: "Every wallet, each to a file of its own: --save 'w-{account}.csv'.", group: "export" }),
  },
  fileFormats: statementFormats,
  exits: [...readingEndsIn, "mismatch"],
  async run({ args, flags }, session) {
    checkFollow(flags, session);
    if (flags.follow && (flags.all || flags.sinceLast || flags.chart || flags.strict)) throw noFollow(flags);
    if (flags.all) {
      if (args.account !== undefined)
        throw new Failure("usage", "--all means every wallet, but one is named as well.", {
          hint: "Leave one of them out.",
        });
      const { exportEveryWallet } = await import("../../app/statements/every-wallet.ts");
      await exportEveryWallet(session, flags);
      return undefined;
    }
    if (args.account === undefined) return undefined;
    if (flags.follow) {
      const { followStatement } = await import("../../app/statements/follow-statement.ts");
      await followStatement(walletSource, session, args.account, flags);
    } else await runStatement(walletSource, session, args.account, flags);
    return undefined;
  },
});

/** Options for a whole statement have no meaning with --follow. */
function noFollow(flags: Readonly<Record<"all" | "sinceLast" | "chart" | "strict", boolean>>): Failure {
  const given = (["all", "sinceLast", "chart", "strict"] as const).filter((key) => flags[key]);
  const names = given.map((key) => `--${flagName(key)}`);
  return new Failure("usage", `--follow never ends, and ${names.join(" and ")} works with a whole statement only.`, {
    hint: "Leave one of them out.",
  });
}
